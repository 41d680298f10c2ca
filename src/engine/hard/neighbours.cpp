#include "engine/hard/neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "base/digits.hpp"
#include "base/error.hpp"
#include "engine/exec/bounds.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Equal cells over the box, or over where bodies are. Bodies that collisions sent past a period's border since they flew are in the cell
/// of their image there; others outside are in the border cells.
struct Cells {
    Vec3 low, inverse_width;
    std::int32_t count[3];
    bool periodic[3];

    SCREE_HD std::int32_t along(double x, double from, double inverse, int axis) const {
        double at = floor((x - from) * inverse);
        if (periodic[axis]) at -= count[axis] * floor(at / count[axis]);
        const double most = count[axis] - 1;
        return static_cast<std::int32_t>(at < 0 ? 0 : at > most ? most : at);
    }
    SCREE_HD void of(Vec3 x, std::int32_t* cell) const {
        cell[0] = along(x.x, low.x, inverse_width.x, 0);
        cell[1] = along(x.y, low.y, inverse_width.y, 1);
        cell[2] = along(x.z, low.z, inverse_width.z, 2);
    }
    SCREE_HD Index number(const std::int32_t* cell) const {
        return cell[0] + static_cast<Index>(count[0]) * (cell[1] + static_cast<Index>(count[1]) * cell[2]);
    }
    /// First and last offset that reach all neighbours along an axis; with fewer than three cells each cell is visited once.
    SCREE_HD void range(int axis, std::int32_t cell, std::int32_t& first, std::int32_t& last) const {
        first = -1;
        last = 1;
        if (count[axis] < 3 || !periodic[axis]) {
            first = cell > 0 ? -1 : 0;
            last = cell < count[axis] - 1 ? 1 : 0;
        }
    }
    SCREE_HD std::int32_t wrapped(int axis, std::int32_t cell) const {
        return cell < 0 ? cell + count[axis] : cell >= count[axis] ? cell - count[axis] : cell;
    }
};

/// Their numbers are keys of 32 bits.
double most_cells(Index bodies) {
    return std::clamp(4.0 * static_cast<double>(bodies), 1.0, static_cast<double>(count_limits().cells));
}

Cells choose_cells(const HardBox& box, const Exec& exec, RowView x, Index n, double width) {
    Cells cells{};
    double low[3], length[3], count[3];
    bool closed = box.dimensions == 3;
    for (int a = 0; a < box.dimensions; ++a) closed = closed && box.closed(a);
    const Aabb bounds = closed ? Aabb{} : bounds_of(exec, x, n);
    const double lowest[3] = {bounds.min.x, bounds.min.y, bounds.min.z}, highest[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
    for (int a = 0; a < 3; ++a) {
        const bool inside = a < box.dimensions;
        low[a] = box.closed(a) && inside ? box.low[a] : lowest[a];
        length[a] = (box.closed(a) && inside ? box.high[a] : highest[a]) - low[a];
        count[a] = inside ? std::clamp(std::floor(length[a] / width), 1.0, 1e6) : 1.0;
        cells.periodic[a] = box.periodic[a];
    }
    // Few bodies in much room: wider cells.
    for (int a = 0; count[0] * count[1] * count[2] > most_cells(n); a = (a + 1) % 3) count[a] = std::max(1.0, std::floor(count[a] / 2));
    double inverse[3];
    for (int a = 0; a < 3; ++a) {
        cells.count[a] = static_cast<std::int32_t>(count[a]);
        inverse[a] = length[a] > 0 ? count[a] / length[a] : 0.0;
    }
    cells.low = {low[0], low[1], low[2]};
    cells.inverse_width = {inverse[0], inverse[1], inverse[2]};
    return cells;
}

double greatest_speed(const Exec& exec, RowView v, Index n) {
    return std::sqrt(max_of(
        exec, "hard/speed", n, 0.0, SCREE_LAMBDA(Index i)->double { return norm2(v[i]); }));
}

/// Calls visit(j) for all j within the skin of i.
template <class Visit>
SCREE_HD void each_near(const HardWorld& world, const HardView& p, const Cells& cells, const Index* start, const std::uint32_t* order,
                        Index i, double skin, Visit visit) {
    std::int32_t home[3], first[3], last[3], cell[3];
    cells.of(p.position[i], home);
    for (int a = 0; a < 3; ++a) cells.range(a, home[a], first[a], last[a]);
    const Vec3 x = p.position[i];
    const double r = p.radius[i] + skin;
    for (std::int32_t dz = first[2]; dz <= last[2]; ++dz) {
        cell[2] = cells.wrapped(2, home[2] + dz);
        for (std::int32_t dy = first[1]; dy <= last[1]; ++dy) {
            cell[1] = cells.wrapped(1, home[1] + dy);
            for (std::int32_t dx = first[0]; dx <= last[0]; ++dx) {
                cell[0] = cells.wrapped(0, home[0] + dx);
                const Index c = cells.number(cell);
                for (Index k = start[c]; k < start[c + 1]; ++k) {
                    const Index j = order[k];
                    const double reach = r + p.radius[j];
                    if (j != i && norm2(world.nearest(x - p.position[j])) < reach * reach) visit(j);
                }
            }
        }
    }
}

struct Count {
    std::int32_t* total;
    SCREE_HD void operator()(Index) const { ++*total; }
};
struct Write {
    std::int32_t** to;
    SCREE_HD void operator()(Index j) const { *(*to)++ = static_cast<std::int32_t>(j); }
};

}  // namespace

void find_neighbours(const HardWorld& world, HardParticles& particles, HardBuffers& buffers) {
    ++buffers.rebuilds;
    const Index n = particles.size();
    const Exec& exec = buffers.exec;
    const HardView p = particles.view();
    const double speed = greatest_speed(exec, p.velocity, n), flight = speed * world.dt;
    // setup/ asks for one diameter at the start; speeds of a gas then spread.
    if (!(flight <= 3 * buffers.largest))
        throw RunError("the fastest hard particle flies " + digits(flight) +
                       " m in a step, farther than three of the largest diameters: shorten time.step to " +
                       digits(0.1 * buffers.largest / speed) + " s, or use method.stepping = \"events\"");
    // A body's path in a step stays within `reach` and two flights of its reference, at speeds up to 1.5 times the present ones.
    buffers.skin = 0.5 * buffers.largest + 9 * flight;
    for (int a = 0; a < 3; ++a)
        if (world.period[a] > 0) buffers.skin = std::min(buffers.skin, 0.5 * world.period[a] - buffers.largest);
    buffers.reach = 0.5 * buffers.skin - 3 * flight;
    buffers.speed_limit = 1.5 * speed;
    if (buffers.reach < 0)  // at 0 rows are made anew in each step
        throw RunError("the fastest hard particle flies " + digits(flight) + " m in a step, farther than the " + digits(buffers.skin / 6) +
                       " m that so small a domain allows: shorten time.step to " + digits(buffers.skin / 18 / speed) +
                       " s, or use method.stepping = \"events\"");
    const double skin = buffers.skin;
    const Cells cells = choose_cells(buffers.box, exec, p.position, n, buffers.largest + skin);
    const Index total = static_cast<Index>(cells.count[0]) * cells.count[1] * cells.count[2];
    buffers.key.resize(n);
    std::uint32_t* key = buffers.key.data();
    for_each(
        exec, "hard/cell_of", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t cell[3];
            cells.of(p.position[i], cell);
            key[i] = static_cast<std::uint32_t>(cells.number(cell));
            p.reference.set(i, p.position[i]);
        });
    group_by(exec, key, n, total, buffers.cell_start, buffers.order, buffers.sort);
    const Index* start = buffers.cell_start.data();
    const std::uint32_t* order = buffers.order.data();
    buffers.count.resize(n);
    std::int32_t* count = buffers.count.data();
    for_each(
        exec, "hard/count_neighbours", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t found = 0;
            each_near(world, p, cells, start, order, i, skin, Count{&found});
            count[i] = found;
        });
    buffers.neighbour.resize(scan_counts(exec, count, n, buffers.row_start));
    const Index* row = buffers.row_start.data();
    std::int32_t* neighbour = buffers.neighbour.data();
    for_each(
        exec, "hard/write_neighbours", n, SCREE_LAMBDA(Index i)->void {
            std::int32_t* to = neighbour + row[i];
            each_near(world, p, cells, start, order, i, skin, Write{&to});
        });
}

}  // namespace scree::SCREE_FLAVOR
