// The box that holds points, in one pass over them. A point that is not a number is in no box.
#pragma once

#include "base/aabb.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

/// Either may be empty.
SCREE_HD void join(Aabb& all, const Aabb& part) {
    const auto less = [](double a, double b) { return a < b ? a : b; };
    const auto more = [](double a, double b) { return a > b ? a : b; };
    all.min = {less(all.min.x, part.min.x), less(all.min.y, part.min.y), less(all.min.z, part.min.z)};
    all.max = {more(all.max.x, part.max.x), more(all.max.y, part.max.y), more(all.max.z, part.max.z)};
}
struct Join {
    SCREE_HD void operator()(Aabb& all, const Aabb& part) const { join(all, part); }
};

struct BoxAt {
    RowView position;
    SCREE_HD Aabb operator()(Index i) const {
        constexpr Aabb everywhere{{-1e299, -1e299, -1e299}, {1e299, 1e299, 1e299}};
        Aabb one;
        const Vec3 x = position[i];
        if (everywhere.contains(x)) one.include(x);
        return one;
    }
};

/// Of those of n positions that are numbers. Waits for the device.
inline Aabb bounds_of(const Exec& exec, RowView position, Index n) {
    return fold_of<Aabb>(exec, "exec/bounds", n, BoxAt{position}, Join{});
}

}  // namespace scree::SCREE_FLAVOR
