// A first look at all frames of a film, so that colours and camera hold for each of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "render/canvas.hpp"
#include "render/frame_world.hpp"

namespace scree {

/// What numbers there are: all of them, and all but the outermost 2 per mille at each end of each frame.
struct Spread {
    double low{1e300}, high{-1e300}, least{1e300}, most{-1e300};
    void include(std::vector<double> values);
    bool any() const { return low <= high; }
};

class Survey {
public:
    /// Goes over one frame.
    void add(const FrameParts& frame, const Look& look);

    /// The rule and legend of bodies; `range` and `map` where the user gives them. `materials`: names by number.
    ColourRule body_rule(const std::string& map, const std::pair<double, double>* range, const std::vector<std::string>& materials,
                         Legend& legend) const;
    ColourRule bond_rule(const std::string& colour, Legend& legend) const;
    ColourRule chain_rule(Legend& legend) const;

    Aabb region;
    std::vector<Reach> reaches;

private:
    FieldValues field_;  // without values
    std::string name_;
    Spread bodies_, bonds_, forces_;
    std::map<long long, std::size_t> categories_;  // how many bodies over all frames
    std::map<long long, std::string> shape_names_;
};

}  // namespace scree
