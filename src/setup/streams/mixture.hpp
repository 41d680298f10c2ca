// The order in which the parts of a stream of several shapes or materials come.
#pragma once

#include <cstddef>
#include <vector>

#include "base/rng.hpp"

namespace scree {

/// Draws the part of each body at random so that what has come holds its shares: a part is as likely as what it lacks of its share of all
/// that has come and of a few bodies more, over what its next body counts. Reproducible: depends on the generator and the bodies alone.
class MixtureOrder {
public:
    /// `share`: of each part, relative; above 0.
    MixtureOrder(std::vector<double> share, Rng rng);
    /// The part of the next body; `counts`: what the next body of each counts, its mass, or 1 [kg or -].
    std::size_t next(const std::vector<double>& counts);

private:
    std::vector<double> share_, come_;
    double all_{0};
    Rng rng_;
};

}  // namespace scree
