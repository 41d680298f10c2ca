#include "engine/state/search_lattice.hpp"

#include <algorithm>

#include "engine/broad/broad.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double most_steps = 1 << 30;    // along an axis, so that differences fit 32 bits
constexpr double finest_reach = 1 << 20;  // steps to which two bodies may be near each other: float holds them with room to spare
constexpr Index numbers_per_row = sizeof(Row4) / sizeof(std::int32_t);

SCREE_HD std::int32_t step_of(double x, double low, double scale) {
    const double k = (x - low) * scale;
    // A NaN goes to the first; that it is one is found elsewhere.
    return static_cast<std::int32_t>(!(k > 0) ? 0.0 : (k > most_steps ? most_steps : k));
}

}  // namespace

void lay_lattice(State& state, Workspace& work) {
    const Index n = state.bodies.count, length = n + lanes;
    work.rows.resize(std::max(work.rows.size(), (lattice_numbers(n) + numbers_per_row - 1) / numbers_per_row));
    auto* x = reinterpret_cast<std::int32_t*>(work.rows.data());
    std::int32_t *y = x + length, *z = y + length;
    auto* radius = reinterpret_cast<float*>(z + length);
    const Vec3 low = work.bounds.min, extent = work.bounds.max - work.bounds.min;
    const double reach = 2 * work.max_radius + list_margin(state);
    const double scale = std::min(most_steps / std::max({extent.x, extent.y, extent.z, reach}), finest_reach / reach);
    const BodyView body = state.bodies.view();
    for_each(
        work.exec, "broad/lay_lattice", n, SCREE_LAMBDA(Index i)->void {
            const Vec3 c = body.position[i];
            x[i] = step_of(c.x, low.x, scale);
            y[i] = step_of(c.y, low.y, scale);
            z[i] = step_of(c.z, low.z, scale);
            radius[i] = static_cast<float>(body.radius[i] * scale);
        });
    const double wide = reach * scale * SearchLattice::widen + SearchLattice::margin;
    const double far = reach * scale + wide, near = std::max(reach * scale - wide, 0.0);
    work.lattice = {{x, y, z, radius},
                    work.min_radius == work.max_radius && !state.has_compounds,
                    static_cast<float>(list_margin(state) * scale),
                    static_cast<float>(far * far),
                    static_cast<float>(near * near)};
}

}  // namespace scree::SCREE_FLAVOR
