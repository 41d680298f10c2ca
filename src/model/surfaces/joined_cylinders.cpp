#include "model/surfaces/joined_cylinders.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

namespace {

constexpr double close = 1e-6;  // of the radius, and of an angle [rad]

bool is_arc(const Cylinder& c) {
    return c.half_angle < std::numbers::pi;
}

/// The end of a cylinder along its axis, or of an arc the way round: 0 or 1.
struct End {
    Vec3 at, out;  // out: where the surface ends, unit
};

End end_of(const Cylinder& c, int which) {
    const double sign = which == 0 ? -1 : 1;
    if (!is_arc(c)) return {c.point + (which == 0 ? 0.0 : c.length) * c.axis, sign * c.axis};
    const double cosine = std::cos(c.half_angle), sine = sign * std::sin(c.half_angle);
    const Vec3 side{-c.middle.y, c.middle.x, 0};
    return {c.point + c.radius * (cosine * c.middle + sine * side), sign * (cosine * side - sine * c.middle)};
}

bool has_ends(const Cylinder& c) {
    return is_arc(c) || c.length < 1e300;
}

bool same_round(const Cylinder& a, const Cylinder& b) {
    if (a.inside != b.inside || is_arc(a) != is_arc(b) || std::fabs(a.radius - b.radius) > close * a.radius) return false;
    if (norm(cross(a.axis, b.axis)) > close) return false;
    return !is_arc(a) || norm(a.point - b.point) <= close * a.radius;
}

bool join(const Cylinder& a, int end_a, const Cylinder& b, int end_b) {
    const End p = end_of(a, end_a), q = end_of(b, end_b);
    return norm(p.at - q.at) <= close * a.radius && norm(p.out + q.out) <= 10 * close;
}

struct Neighbour {
    std::size_t cylinder;
    int end;
};

using Ends = std::array<std::vector<Neighbour>, 2>;

/// Who goes on at each end of each cylinder that takes part.
std::vector<Ends> neighbours(const Model& model, const JoinedCylinders& all) {
    std::vector<std::size_t> taking_part;
    for (std::size_t k = 0; k < all.cylinders.size(); ++k) {
        const Wall& w = model.walls[static_cast<std::size_t>(all.wall[k])];
        const bool alone = w.cylinders.size() == 1 && w.planes.empty() && w.mesh.triangles.empty();
        if (alone && !w.motion.moves && w.body < 0 && has_ends(all.cylinders[k])) taking_part.push_back(k);
    }
    std::vector<Ends> found(all.cylinders.size());
    for (const std::size_t i : taking_part) {
        for (const std::size_t j : taking_part) {
            const Wall& v = model.walls[static_cast<std::size_t>(all.wall[i])];
            const Wall& w = model.walls[static_cast<std::size_t>(all.wall[j])];
            if (i == j || v.material != w.material || v.active_from != w.active_from || v.active_to != w.active_to) continue;
            if (!same_round(all.cylinders[i], all.cylinders[j])) continue;
            for (int p = 0; p < 2; ++p) {
                for (int q = 0; q < 2; ++q) {
                    if (join(all.cylinders[i], p, all.cylinders[j], q)) found[i][static_cast<std::size_t>(p)].push_back({j, q});
                }
            }
        }
    }
    return found;
}

/// The one that goes on at an end; where several do, none.
const Neighbour* next_at(const std::vector<Ends>& ends, std::size_t k, int end) {
    const std::vector<Neighbour>& there = ends[k][static_cast<std::size_t>(end)];
    if (there.size() != 1) return nullptr;
    const Neighbour& n = there[0];
    return ends[n.cylinder][static_cast<std::size_t>(n.end)].size() == 1 ? &n : nullptr;
}

/// Those that go on from an end of `first`, in their order, up to where nothing does or `first` is met again.
std::vector<std::size_t> going_on(const std::vector<Ends>& ends, std::size_t first, int end, bool& closed) {
    std::vector<std::size_t> run;
    std::size_t k = first;
    for (const Neighbour* n = next_at(ends, k, end); n != nullptr; n = next_at(ends, k, end)) {
        closed = n->cylinder == first;
        if (closed) break;
        run.push_back(n->cylinder);
        k = n->cylinder;
        end = 1 - n->end;
    }
    return run;
}

double extent(const Cylinder& c) {
    return is_arc(c) ? 2 * c.half_angle : c.length;
}

/// The run as one surface, from the members in their order along `lead`'s sense.
Cylinder whole_of(const JoinedCylinders& all, const std::vector<std::size_t>& members, std::size_t lead, bool closed) {
    Cylinder whole = all.cylinders[lead];
    double length = 0, before = 0;
    for (const std::size_t k : members) {
        if (k == lead) before = length;
        length += extent(all.cylinders[k]);
    }
    if (!is_arc(whole)) {
        whole.point = whole.point - before * whole.axis;
        whole.length = length;
        return whole;
    }
    const double turn = 0.5 * length - before - whole.half_angle;  // from the lead's middle to that of all
    const Vec3 side{-whole.middle.y, whole.middle.x, 0};
    whole.middle = std::cos(turn) * whole.middle + std::sin(turn) * side;
    whole.half_angle = closed ? std::numbers::pi : 0.5 * length;
    return whole;
}

}  // namespace

JoinedCylinders joined_cylinders(const Model& model) {
    JoinedCylinders all;
    for (std::size_t w = 0; w < model.walls.size(); ++w) {
        for (const Cylinder& c : model.walls[w].cylinders) {
            all.cylinders.push_back(c);
            all.wall.push_back(static_cast<std::int32_t>(w));
        }
    }
    const std::vector<Ends> ends = neighbours(model, all);
    std::vector<std::uint8_t> taken(all.cylinders.size(), 0);
    for (std::size_t lead = 0; lead < taken.size(); ++lead) {
        bool closed = false;
        if (taken[lead] != 0) continue;
        std::vector<std::size_t> members = going_on(ends, lead, 0, closed);
        std::reverse(members.begin(), members.end());
        members.push_back(lead);
        if (!closed) {
            const std::vector<std::size_t> after = going_on(ends, lead, 1, closed);
            members.insert(members.end(), after.begin(), after.end());
        }
        if (members.size() == 1) continue;
        JoinedCylinders::Run run{whole_of(all, members, lead, closed), is_arc(all.cylinders[lead]), all.wall[lead], {}};
        double from = 0;
        for (const std::size_t k : members) {
            taken[k] = 1;
            run.parts.push_back({from, all.wall[k]});
            from += extent(all.cylinders[k]);
        }
        all.runs.push_back(run);
    }
    // Only now, since the lengths were needed above.
    for (const JoinedCylinders::Run& run : all.runs) {
        for (std::size_t k = 0; k < taken.size(); ++k) {
            const auto is_part = [&](const JoinedCylinders::Part& part) { return part.wall == all.wall[k]; };
            if (!std::any_of(run.parts.begin(), run.parts.end(), is_part)) continue;
            if (all.wall[k] == run.wall) {
                all.cylinders[k] = run.whole;
            } else {
                all.cylinders[k].length = 0;
            }
        }
    }
    return all;
}

std::int32_t JoinedCylinders::wall_at(std::int32_t met, Vec3 point) const {
    for (const Run& run : runs) {
        if (run.wall != met) continue;
        const Cylinder& c = run.whole;
        const Vec3 from = point - c.point, side{-c.middle.y, c.middle.x, 0};
        const double at = run.arc ? std::atan2(dot(from, side), dot(from, c.middle)) + c.half_angle : dot(from, c.axis);
        std::int32_t wall = run.parts.front().wall;
        for (const Part& part : run.parts) {
            if (at >= part.from) wall = part.wall;
        }
        return wall;
    }
    return met;
}

}  // namespace scree
