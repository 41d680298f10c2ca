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
    cell.moves = !domain.stages.empty();
    cell.sheared = domain.shear.on;
    cell.along = domain.shear.along;
    cell.across = domain.shear.across;
    if (cell.sheared && domain.shear.at_once) cell.speed = cell.length[cell.across] * value_at(domain.stages[0].of[kCellShear].value, 0.0);
    return cell;
}

bool shears_steadily(const Model& model) {
    return model.domain.stages.size() == 1 && model.domain.shear.at_once && model.domain.stages[0].of[kCellShear].steady();
}

std::array<Vec3, 4> vectors_of(const Cell& cell) {
    std::array<Vec3, 4> vectors{};
    for (int a = 0; a < 3; ++a) {
        if (!cell.periodic[a]) continue;
        along(vectors[0], a) = cell.low[a];
        ImageStep one{{0, 0, 0}};
        one.k[a] = 1;
        vectors[static_cast<std::size_t>(a) + 1] = cell.shift(one);
    }
    return vectors;
}

Cell cell_with(const std::array<Vec3, 4>& vectors) {
    Cell cell;
    for (int a = 0; a < 3; ++a) {
        const Vec3& edge = vectors[static_cast<std::size_t>(a) + 1];
        cell.length[a] = along(edge, a);
        cell.periodic[a] = cell.length[a] > 0;
        cell.low[a] = along(vectors[0], a);
        for (int b = 0; b < 3; ++b) {
            if (b == a || along(edge, b) == 0) continue;
            cell.sheared = true;
            cell.across = a;
            cell.along = b;
            cell.offset = along(edge, b);
        }
    }
    return cell;
}

std::vector<ImageStep> nearest_images(const Cell& cell, Vec3 x) {
    std::vector<ImageStep> all;
    const auto around = [&](int axis) { return cell.periodic[axis] ? 1 : 0; };
    const ImageStep home = cell.home(x, 0.0);
    for (std::int32_t c = -around(2); c <= around(2); ++c) {
        for (std::int32_t b = -around(1); b <= around(1); ++b) {
            for (std::int32_t a = -around(0); a <= around(0); ++a) {
                ImageStep s{{home.k[0] + a, home.k[1] + b, home.k[2] + c}};
                if (cell.sheared) {  // across, images have moved along: back to the box
                    const Vec3 there = x + cell.shift({{home.k[0], home.k[1], home.k[2]}});
                    const std::int32_t across = s.k[cell.across] - home.k[cell.across];
                    const double at = (cell.along == 0 ? there.x : (cell.along == 1 ? there.y : there.z)) + across * cell.offset;
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
