#include "model/cell.hpp"

#include <cmath>

#include "model/model.hpp"

namespace scree {

Cell cell_of(const Model& model) {
    Cell cell;
    if (model.method != Method::Penalty && model.method != Method::Cone) return cell;
    const Domain& domain = model.domain;
    const double low[3] = {domain.box.min.x, domain.box.min.y, domain.box.min.z};
    const double high[3] = {domain.box.max.x, domain.box.max.y, domain.box.max.z};
    for (int a = 0; a < 3; ++a) {
        if (!domain.periodic[a]) continue;
        cell.periodic[a] = true;
        cell.low[a] = low[a];
        cell.length[a] = high[a] - low[a];
    }
    if (domain.shear.rate == 0) return cell;
    cell.sheared = true;
    cell.along = domain.shear.along;
    cell.across = domain.shear.across;
    cell.speed = domain.shear.rate * cell.length[cell.across];
    return cell;
}

std::vector<ImageStep> nearest_images(const Cell& cell, Vec3 x, double t) {
    std::vector<ImageStep> all;
    const auto around = [&](int axis) { return cell.periodic[axis] ? 1 : 0; };
    const ImageStep home = cell.home(x, t, 0.0);
    for (std::int32_t c = -around(2); c <= around(2); ++c) {
        for (std::int32_t b = -around(1); b <= around(1); ++b) {
            for (std::int32_t a = -around(0); a <= around(0); ++a) {
                ImageStep s{{home.k[0] + a, home.k[1] + b, home.k[2] + c}};
                if (cell.sheared) {  // across, images have moved along: back to the box
                    const Vec3 there = x + cell.shift({{home.k[0], home.k[1], home.k[2]}}, t);
                    const std::int32_t across = s.k[cell.across] - home.k[cell.across];
                    const double at = (cell.along == 0 ? there.x : (cell.along == 1 ? there.y : there.z)) + across * cell.offset(t);
                    const double periods = (at - cell.low[cell.along]) / cell.length[cell.along];
                    s.k[cell.along] -= static_cast<std::int32_t>(std::floor(periods));
                }
                all.push_back(s);
            }
        }
    }
    return all;
}

Aabb open_box(const Domain& domain) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Aabb box = domain.box;
    double* low[3] = {&box.min.x, &box.min.y, &box.min.z};
    double* high[3] = {&box.max.x, &box.max.y, &box.max.z};
    for (int a = 0; a < 3; ++a) {
        if (!domain.periodic[a]) continue;
        *low[a] = -infinity;
        *high[a] = infinity;
    }
    return box;
}

}  // namespace scree
