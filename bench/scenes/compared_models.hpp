// Small models that take every stage of a step between them: what a device is compared with the host on.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace scree::bench {

struct ComparedModel {
    std::string name;
    Model model;
    bool smooth{true};  // contacts multiply a difference by no more than 100: a tolerance of its own is known
};

/// Spheres, also of many sizes, polyhedra, compounds, joints, disks, moving walls, both methods of contact, hard particles and a fluid.
/// Beds are read from `beds` or made there.
std::vector<ComparedModel> compared_models(const std::string& beds);

}  // namespace scree::bench
