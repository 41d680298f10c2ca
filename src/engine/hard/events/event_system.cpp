#include "engine/hard/events/event_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/digits.hpp"
#include "base/error.hpp"

namespace scree {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

EventSystem::EventSystem(const Model& model) : model_(model), box_(hard_box(model)), dimensions_(model.dimensions) {
    const BodyTable& table = model.bodies;
    for (std::size_t i = 0; i < table.size(); ++i) {
        HardBody b;
        b.position = table.position[i];
        b.velocity = table.velocity[i];
        b.radius = table.radius[i];
        b.inverse_mass = 1 / table.mass[i];
        b.material = table.material[i];
        largest_ = std::max(largest_, 2 * b.radius);
        start_energy_ += 0.5 * table.mass[i] * norm2(b.velocity);
        bodies_.push_back(b);
    }
    for (std::size_t w = 0; w < model.walls.size(); ++w)
        for (const Plane& plane : model.walls[w].planes) planes_.push_back({plane, static_cast<std::int32_t>(w), model.walls[w].material});
    sums_.impulse.assign(model.walls.size(), 0);
    choose_cells();
    enter_cells();
    foresee_all();
}

// Cells ---------------------------------------------------------------------------------------------------------------

/// Cells are as wide as the largest diameter at least, so that bodies that meet lie in neighbours, and where bodies are few as wide as one
/// body's share of space. Cells at an open end reach to infinity.
void EventSystem::choose_cells() {
    Aabb bounds;
    for (const HardBody& b : bodies_) bounds.include(b.position);
    double buffers = 1;
    std::array<double, 3> length{};
    for (int a = 0; a < dimensions_; ++a) {
        const auto k = static_cast<std::size_t>(a);
        cell_low_[k] = box_.closed(a) ? box_.low[a] : along(bounds.min, a);
        length[k] = (box_.closed(a) ? box_.high[a] : along(bounds.max, a)) - cell_low_[k];
        if (bodies_.empty() || !(length[k] > largest_)) length[k] = box_.periodic[a] ? box_.length(a) : largest_;
        buffers *= length[k];
    }
    const double share = bodies_.empty() ? 0 : std::pow(buffers / static_cast<double>(bodies_.size()), 1.0 / dimensions_);
    // 1e-9: bodies in contact are in neighbouring cells whatever the rounding.
    const double width = std::max(share, largest_ * (1 + 1e-9));
    for (int a = 0; a < dimensions_; ++a) {
        const auto k = static_cast<std::size_t>(a);
        double count = std::max(1.0, std::floor(length[k] / width));
        if (box_.periodic[a]) {
            period_[k] = length[k];
            count = std::max(count, 3.0);  // no cell is on both sides of another
        }
        cells_[k] = static_cast<std::int32_t>(std::min(count, 1e6));
        cell_width_[k] = length[k] / cells_[k];
    }
}

inline std::size_t EventSystem::cell_number(const std::array<std::int32_t, 3>& c) const {
    return static_cast<std::size_t>(c[0]) +
           static_cast<std::size_t>(cells_[0]) *
               (static_cast<std::size_t>(c[1]) + static_cast<std::size_t>(cells_[1]) * static_cast<std::size_t>(c[2]));
}

/// Every body wrapped into the box and put into its cell.
void EventSystem::enter_cells() {
    for (HardBody& b : bodies_) {
        for (int a = 0; a < dimensions_; ++a) {
            const auto k = static_cast<std::size_t>(a);
            double& x = along(b.position, a);
            if (box_.periodic[a]) x -= period_[k] * std::floor((x - box_.low[a]) / period_[k]);
            const double at = std::floor((x - cell_low_[k]) / cell_width_[k]);
            b.cell[k] = static_cast<std::int32_t>(std::clamp(at, 0.0, static_cast<double>(cells_[k] - 1)));
        }
    }
}

void EventSystem::insert(std::int32_t i) {
    const auto k = static_cast<std::size_t>(i);
    std::int32_t& head = head_[cell_number(bodies_[k].cell)];
    next_[k] = head;
    before_[k] = -1;
    if (head >= 0) before_[static_cast<std::size_t>(head)] = i;
    head = i;
}

void EventSystem::remove(std::int32_t i) {
    const auto k = static_cast<std::size_t>(i);
    if (before_[k] >= 0)
        next_[static_cast<std::size_t>(before_[k])] = next_[k];
    else
        head_[cell_number(bodies_[k].cell)] = next_[k];
    if (next_[k] >= 0) before_[static_cast<std::size_t>(next_[k])] = before_[k];
}

void EventSystem::foresee_all() {
    const std::size_t n = bodies_.size();
    head_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) * static_cast<std::size_t>(cells_[2]), -1);
    next_.assign(n, -1);
    before_.assign(n, -1);
    foreseen_.assign(n, {});
    crossing_.assign(n, {});
    queue_.resize(n);
    for (std::size_t i = 0; i < n; ++i) insert(static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < n; ++i) foresee(static_cast<std::int32_t>(i));
}

// What comes next -------------------------------------------------------------------------------------------------------

inline EventSystem::Approach EventSystem::approach(std::int32_t i, std::int32_t j, const std::array<std::int32_t, 3>& wrap) const {
    const bool swap = j < i;
    const HardBody& a = bodies_[static_cast<std::size_t>(swap ? j : i)];
    const HardBody& b = bodies_[static_cast<std::size_t>(swap ? i : j)];
    const double from = std::max(a.clock, b.clock);
    Vec3 r = (a.position + (from - a.clock) * a.velocity) - (b.position + (from - b.clock) * b.velocity);
    for (int axis = 0; axis < dimensions_; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const std::int32_t periods = a.image[k] - b.image[k] + (swap ? -wrap[k] : wrap[k]);
        if (periods != 0) along(r, axis) -= period_[k] * periods;
    }
    return {r, a.velocity - b.velocity, from, a.radius + b.radius, norm2(a.velocity) + norm2(b.velocity)};
}

/// When the two meet; infinity if never.
inline double EventSystem::pair_time(const Approach& p) {
    const double rv = dot(p.r, p.v), vv = norm2(p.v);
    // Only what approaches; 1e-14: two that just collided without rebound are apart but for rounding of their own velocities.
    if (!(rv < 0) || rv * rv < 1e-28 * p.sum * p.sum * p.speeds2) return infinity;
    const double c = norm2(p.r) - p.sum * p.sum;
    if (c <= 0) return p.from;  // touching, up to rounding
    const double root2 = rv * rv - vv * c;
    if (root2 < 0) return infinity;
    return p.from + c / (-rv + std::sqrt(root2));
}

inline double EventSystem::plane_time(const HardBody& b, std::size_t plane) const {
    const Plane& p = planes_[plane].plane;
    const double approach = -dot(p.normal, b.velocity);
    // 1e-14: what slides after a bounce without rebound approaches by rounding, which no bounce ends.
    if (!(approach > 0) || approach * approach < 1e-28 * norm2(b.velocity) * norm2(p.normal)) return infinity;
    const double gap = dot(p.normal, b.position - p.point) - b.radius;
    return gap <= 0 ? b.clock : b.clock + gap / approach;
}

EventSystem::Crossing EventSystem::next_crossing(const HardBody& b) const {
    Crossing first{infinity, 0, 0};
    for (int a = 0; a < dimensions_; ++a) {
        const auto k = static_cast<std::size_t>(a);
        const double v = along(b.velocity, a);
        const std::int32_t direction = v > 0 ? 1 : -1;
        if (v == 0 || cells_[k] == 1) continue;
        if (!box_.periodic[a] && (b.cell[k] + direction < 0 || b.cell[k] + direction >= cells_[k])) continue;
        const double border = cell_low_[k] + cell_width_[k] * (b.cell[k] + (direction > 0 ? 1 : 0)) + period_[k] * b.image[k];
        const double time = std::max(b.clock, b.clock + (border - along(b.position, a)) / v);
        if (time < first.time) first = {time, a, direction};
    }
    return first;
}

template <class Visit>
void EventSystem::around(std::int32_t i, int axis, int side, Visit visit) const {
    const HardBody& b = bodies_[static_cast<std::size_t>(i)];
    std::array<std::int32_t, 3> low{}, high{}, cell{}, wrap{};
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = static_cast<int>(k) == axis ? side : -1;
        high[k] = static_cast<int>(k) == axis ? side : 1;
        if (cells_[k] == 1) low[k] = high[k] = 0;
    }
    const auto enter = [&](std::size_t k, std::int32_t offset) {
        cell[k] = b.cell[k] + offset;
        wrap[k] = 0;
        if (cell[k] >= 0 && cell[k] < cells_[k]) return true;
        if (!box_.periodic[k]) return false;
        wrap[k] = cell[k] < 0 ? -1 : 1;
        cell[k] -= wrap[k] * cells_[k];
        return true;
    };
    for (std::int32_t dz = low[2]; dz <= high[2]; ++dz) {
        if (!enter(2, dz)) continue;
        for (std::int32_t dy = low[1]; dy <= high[1]; ++dy) {
            if (!enter(1, dy)) continue;
            for (std::int32_t dx = low[0]; dx <= high[0]; ++dx) {
                if (!enter(0, dx)) continue;
                for (std::int32_t j = head_[cell_number(cell)]; j >= 0; j = next_[static_cast<std::size_t>(j)])
                    if (j != i) visit(j, wrap);
            }
        }
    }
}

void EventSystem::look_around(std::int32_t i, int axis, int side) {
    Foreseen& best = foreseen_[static_cast<std::size_t>(i)];
    around(i, axis, side, [&](std::int32_t j, const std::array<std::int32_t, 3>& wrap) {
        const double time = pair_time(approach(i, j, wrap));
        if (time < best.time || (time == best.time && time < infinity && j < best.partner))
            best = {time, j, bodies_[static_cast<std::size_t>(j)].collisions};
    });
}

inline void EventSystem::queue(std::int32_t i) {
    const auto k = static_cast<std::size_t>(i);
    const Foreseen& f = foreseen_[k];
    // A border goes first: it changes no motion.
    if (crossing_[k].time <= f.time)
        queue_.set(i, crossing_[k].time, -1);
    else
        queue_.set(i, f.time, f.partner >= 0 ? std::min(i, f.partner) : i);
}

void EventSystem::foresee(std::int32_t i) {
    const auto k = static_cast<std::size_t>(i);
    foreseen_[k] = {infinity, no_partner, 0};
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const double time = plane_time(bodies_[k], p);
        if (time < foreseen_[k].time) foreseen_[k] = {time, first_plane - static_cast<std::int32_t>(p), 0};
    }
    look_around(i, -1, 0);
    crossing_[k] = next_crossing(bodies_[k]);
    queue(i);
}

// What happens ----------------------------------------------------------------------------------------------------------

void EventSystem::cross(std::int32_t i) {
    const auto self = static_cast<std::size_t>(i);
    HardBody& b = bodies_[self];
    const Crossing crossing = crossing_[self];
    const auto k = static_cast<std::size_t>(crossing.axis);
    remove(i);
    b.cell[k] += crossing.direction;
    if (b.cell[k] < 0 || b.cell[k] >= cells_[k]) {
        b.cell[k] -= crossing.direction * cells_[k];
        b.image[k] += crossing.direction;
    }
    insert(i);
    look_around(i, crossing.axis, crossing.direction);
    crossing_[self] = next_crossing(b);
    queue(i);
}

void EventSystem::advance(HardBody& b, double time) const {
    b.position += (time - b.clock) * b.velocity;
    b.clock = time;
    for (int a = 0; a < dimensions_; ++a) {
        const auto k = static_cast<std::size_t>(a);
        if (b.image[k] != 0) along(b.position, a) -= period_[k] * b.image[k];
        b.image[k] = 0;
    }
    ++b.collisions;
}

double EventSystem::restitution(std::int32_t a, std::int32_t b, double approach) const {
    if (approach < model_.hard.elastic_below) return 1;
    return model_.pairs(static_cast<std::size_t>(a), static_cast<std::size_t>(b)).restitution;
}

void EventSystem::lose(double energy, double time) {
    lost_ += energy;
    lost_time_ += energy * time;
}

void EventSystem::collide(std::int32_t i, std::int32_t j, double time) {
    HardBody& a = bodies_[static_cast<std::size_t>(std::min(i, j))];
    HardBody& b = bodies_[static_cast<std::size_t>(std::max(i, j))];
    advance(a, time);
    advance(b, time);
    Vec3 r = a.position - b.position;
    for (int axis = 0; axis < dimensions_; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        if (box_.periodic[axis]) along(r, axis) -= period_[k] * std::round(along(r, axis) / period_[k]);
    }
    // By r and not by a unit vector: the reciprocal of the same distance rounds the same way each time, and energy would drift.
    const Vec3 v = a.velocity - b.velocity;
    const double rv = dot(r, v), rr = norm2(r), distance = std::sqrt(rr), approach = -rv / distance;
    const double e = restitution(a.material, b.material, approach);
    const double w = a.inverse_mass + b.inverse_mass, m_eff = 1 / w, impulse = (1 + e) * approach * m_eff;
    const double change = (1 + e) * rv / rr;
    a.velocity -= (change * (a.inverse_mass / w)) * r;
    b.velocity += (change * (b.inverse_mass / w)) * r;
    ++sums_.collisions;
    sums_.virial += distance * impulse;
    if (e < 1) lose(0.5 * m_eff * (1 - e * e) * approach * approach, time);
    foresee(i);
    foresee(j);
}

void EventSystem::bounce(std::int32_t i, std::size_t plane, double time) {
    HardBody& b = bodies_[static_cast<std::size_t>(i)];
    advance(b, time);
    const Vec3 n = planes_[plane].plane.normal;
    const double approach = -dot(n, b.velocity);
    const double e = restitution(b.material, planes_[plane].material, approach);
    const double impulse = (1 + e) * approach / b.inverse_mass;
    b.velocity += ((1 + e) * approach / norm2(n)) * n;
    ++sums_.wall_collisions;
    sums_.virial += b.radius * impulse;
    sums_.impulse[static_cast<std::size_t>(planes_[plane].wall)] += impulse;
    if (e < 1) lose(0.5 * (1 - e * e) * approach * approach / b.inverse_mass, time);
    foresee(i);
}

void EventSystem::watch_progress(double time) {
    const std::int64_t done = sums_.collisions + sums_.wall_collisions;
    // Far more collisions than any gas has in a step that moves bodies at all.
    if (done - watched_ < 100000 + 100 * static_cast<std::int64_t>(bodies_.size())) return;
    if (time - watched_time_ < 1e-9 * model_.dt)
        throw RunError("inelastic particles collide without end at t = " + digits(time) +
                       " s, which rigid clusters do; set method.elastic_below to a speed far below those of interest");
    watched_ = done;
    watched_time_ = time;
}

void EventSystem::run_to(double time) {
    if (bodies_.empty()) return;
    for (;;) {
        const std::int32_t i = queue_.first();
        const double now = queue_.time(i);
        if (!(now <= time)) return;
        const auto k = static_cast<std::size_t>(i);
        const Foreseen f = foreseen_[k];
        if (crossing_[k].time <= f.time) {
            cross(i);
        } else if (f.partner <= first_plane) {
            bounce(i, static_cast<std::size_t>(first_plane - f.partner), now);
            watch_progress(now);
        } else if (bodies_[static_cast<std::size_t>(f.partner)].collisions != f.partner_collisions) {
            foresee(i);  // the partner has flown another way since
        } else {
            collide(i, f.partner, now);
            watch_progress(now);
        }
    }
}

// Looking, saving -------------------------------------------------------------------------------------------------------

std::vector<Vec3> EventSystem::positions(double time) const {
    std::vector<Vec3> all;
    all.reserve(bodies_.size());
    for (const HardBody& b : bodies_) {
        Vec3 x = b.position + (time - b.clock) * b.velocity;
        for (int a = 0; a < dimensions_; ++a) {
            const double period = period_[static_cast<std::size_t>(a)];
            if (box_.periodic[a]) along(x, a) -= period * std::floor((along(x, a) - box_.low[a]) / period);
        }
        all.push_back(x);
    }
    return all;
}

std::vector<Vec3> EventSystem::velocities() const {
    std::vector<Vec3> all;
    all.reserve(bodies_.size());
    for (const HardBody& b : bodies_) all.push_back(b.velocity);
    return all;
}

HardReport EventSystem::report(double time) const {
    HardReport report = sums_;
    report.kinetic_time = start_energy_ * time - (lost_ * time - lost_time_);
    return report;
}

std::size_t EventSystem::bytes() const {
    return bodies_.capacity() * (sizeof(HardBody) + sizeof(Foreseen) + sizeof(Crossing) + 8) + head_.capacity() * 4 + queue_.bytes();
}

}  // namespace scree
