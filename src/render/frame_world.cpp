#include "render/frame_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "output/polyhedra_surface.hpp"
#include "render/wall_meshes.hpp"

namespace scree {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr int kDirections = 64;       // in which the outermost body is looked for
constexpr double kBondRadius = 0.3;   // of bonds, over the smaller body's
constexpr double kChainRadius = 0.5;  // of the strongest force chain, over the mean radius of bodies
constexpr double kMargin = 0.06;      // by which planes pass the bodies, over the size of their box
constexpr double kNear = 0.25;        // how far from the bodies a camera takes in walls, over the size of their box
constexpr double kFlatLine = 0.0035;  // half the width of walls of plane scenes, over the size of the region
constexpr std::uint32_t kEdge = 0x3a4048;

bool is_cut_away(const Look& look, Vec3 p) {
    return std::any_of(look.cuts.begin(), look.cuts.end(), [&](const Cut& cut) { return cut.depth(p) > 0; });
}

/// Wholly, or but for less than its radius.
bool is_beyond_sections(const Look& look, Vec3 p, double radius) {
    return std::any_of(look.sections.begin(), look.sections.end(), [&](const Cut& cut) { return cut.depth(p) > radius; });
}

bool is_finite(Vec3 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// Of the bodies that are seen.
Aabb box_of(const FrameParts& frame, const Look& look) {
    Aabb box;
    for (std::size_t k = 0; k < frame.size(); ++k) {
        if (!is_seen(frame, look, k)) continue;
        const double r = frame.bodies.radius[k];
        box.include(frame.bodies.position[k] - Vec3{r, r, r});
        box.include(frame.bodies.position[k] + Vec3{r, r, r});
    }
    return box;
}

Vec3 gradient_of(const ShapeFaces& shape, Vec3 at) {
    // Of ((|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q), up to a factor (model/smooth_surface.hpp).
    const Vec3 a = shape.smooth_axes;
    if (const double h = shape.smooth_stick; h > 0) return at - Vec3{0, 0, std::clamp(at.z, -h, h)};
    const double p = shape.smooth_side, q = shape.smooth_top;
    const double x = std::fabs(at.x / a.x), y = std::fabs(at.y / a.y), z = std::fabs(at.z / a.z);
    const double sum = std::pow(x, p) + std::pow(y, p), outer = sum > 0 ? std::pow(sum, q / p - 1) : 0;
    const auto part = [](double factor, double base, double exponent, double sign) {
        return std::copysign(factor * std::pow(base, exponent - 1), sign);
    };
    return {part(outer / a.x, x, p, at.x), part(outer / a.y, y, p, at.y), part(1 / a.z, z, q, at.z)};
}

void add_bodies(World& world, const FrameParts& frame, const Look& look) {
    const Snapshot& s = frame.bodies;
    const FieldValues field = field_values(look.colour, frame);
    for (const ShapeFaces& shape : *frame.shapes) world.shapes.push_back(drawn_shape(shape));
    for (std::size_t k = 0; k < frame.size(); ++k) {
        if (!is_seen(frame, look, k)) continue;
        const Rgb colour = look.bodies.colour(field.values[k]);
        const double size = look.body_size * s.radius[k];
        if (is_polyhedron(s, k)) {
            if (static_cast<std::size_t>(s.shape[k]) >= world.shapes.size())
                throw Error(fmt::format("body {} has a shape that is not there", s.id[k]));
            // In a plane scene a darker one lies under each, as its rim.
            if (look.flat)
                world.solids.push_back({s.shape[k], s.position[k] - Vec3{0, 0, 0.2 * size}, s.orientation[k], size, 0.45f * colour});
            world.solids.push_back({s.shape[k], s.position[k], s.orientation[k], (look.flat ? 0.9 : 1.0) * size, colour});
        } else if (look.flat) {
            DrawnDisk disk{s.position[k], size, colour, 0, !s.orientation.empty()};
            if (disk.marked) disk.angle = 2 * std::atan2(s.orientation[k].z, s.orientation[k].w);
            world.disks.push_back(disk);
        } else {
            world.balls.push_back({s.position[k], size, colour});
        }
    }
}

void add_bonds(World& world, const FrameParts& frame, const Look& look) {
    if (!frame.has_bonds) throw Error("--bonds: the frames hold no bonds; run the scene with bonds = true in [output]");
    const Snapshot& s = frame.bodies;
    const std::vector<std::int32_t> row = rows_by_id(s);
    const std::vector<double> values = bond_values(look.bond_colour, frame.bonds);
    const auto row_of = [&](std::uint32_t id) { return id < row.size() ? row[id] : -1; };
    for (std::size_t k = 0; k < frame.bonds.size(); ++k) {
        const HeldBond& bond = frame.bonds[k];
        const std::int32_t a = row_of(bond.a), b = row_of(bond.b);
        if (a < 0) continue;
        const Vec3 from = s.position[static_cast<std::size_t>(a)], to = from + bond.arm;
        if (is_cut_away(look, from) || is_cut_away(look, to) || is_beyond_sections(look, from, 0) || is_beyond_sections(look, to, 0))
            continue;
        double radius = s.radius[static_cast<std::size_t>(a)];
        if (b >= 0) radius = std::min(radius, s.radius[static_cast<std::size_t>(b)]);
        world.rods.push_back({from, to, kBondRadius * radius, look.bond_rule.colour(values[k])});
    }
}

void add_chains(World& world, const FrameParts& frame, const Look& look) {
    if (!frame.has_contacts) throw Error("--chains: the frames hold no contacts; run the scene with contacts = true in [output]");
    const Snapshot& s = frame.bodies;
    const std::vector<std::int32_t> row = rows_by_id(s);
    double mean = 0;
    for (const double r : s.radius) mean += r / static_cast<double>(s.radius.size());
    const auto add = [&](std::uint32_t id, const ContactRecord& contact, double radius, Rgb colour) {
        if (id >= row.size() || row[id] < 0) return;
        const auto k = static_cast<std::size_t>(row[id]);
        // In periodic space the point may be at an image of the body, whose rod is left out.
        if (norm(contact.point - s.position[k]) > 2 * s.radius[k] && s.cell.any()) return;
        if (is_cut_away(look, s.position[k]) || is_cut_away(look, contact.point)) return;
        if (is_beyond_sections(look, s.position[k], 0) || is_beyond_sections(look, contact.point, 0)) return;
        world.rods.push_back({s.position[k], contact.point, radius, colour});
    };
    for (const ContactRecord& contact : frame.contacts) {
        const double force = norm(contact.force), share = std::clamp(force / look.chain_rule.high, 0.0, 1.0);
        if (!(force > 0)) continue;
        const double radius = kChainRadius * mean * std::max(0.03, share);
        const Rgb colour = look.chain_rule.colour(force);
        add(contact.a, contact, radius, colour);
        if (contact.wall < 0) add(contact.b, contact, radius, colour);
    }
}

/// The lines along which walls cross the plane z = 0.
void add_flat_walls(World& world, const FrameParts& frame, const Look& look, const Aabb& region) {
    const double size = norm(region.max - region.min);
    Aabb tall = region;
    tall.min.z = -size, tall.max.z = size;
    for (const WallMesh& wall : wall_meshes(frame, look, tall)) {
        for (const auto& t : wall.mesh.triangle) {
            std::vector<Vec3> ends;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3 a = wall.mesh.vertex[static_cast<std::size_t>(t[k])],
                           b = wall.mesh.vertex[static_cast<std::size_t>(t[(k + 1) % 3])];
                if ((a.z > 0) != (b.z > 0)) ends.push_back(a + (a.z / (a.z - b.z)) * (b - a));
            }
            if (ends.size() == 2) world.rods.push_back({ends[0], ends[1], kFlatLine * size, from_screen(kEdge)});
        }
    }
}

/// The edges of a cell that repeats itself, where its axes are.
void add_cell(World& world, const Cell& cell, const Aabb& region, bool flat) {
    if (!cell.any()) return;
    const double radius = 0.0015 * norm(region.max - region.min);
    const auto corner = [&](int k) {
        double at[3];
        for (int a = 0; a < 3; ++a) {
            const bool upper = (k >> a & 1) != 0;
            at[a] = cell.periodic[a] ? cell.low[a] + (upper ? cell.length[a] : 0) : along(upper ? region.max : region.min, a);
        }
        if (cell.sheared && (k >> cell.across & 1) != 0) at[cell.along] += cell.offset;
        return Vec3{at[0], at[1], flat ? 0 : at[2]};
    };
    for (int k = 0; k < 8; ++k) {
        for (int a = 0; a < (flat ? 2 : 3); ++a) {
            if ((k >> a & 1) == 0) world.rods.push_back({corner(k), corner(k | 1 << a), radius, from_screen(kEdge)});
        }
    }
}

}  // namespace

Rgb ColourRule::colour(double value) const {
    if (categories) {
        const auto found = by_category.find(std::llround(value));
        return found == by_category.end() ? map_colour(map, std::nan("")) : found->second;
    }
    return map_colour(map, high > low ? (value - low) / (high - low) : 0.5);
}

bool is_seen(const FrameParts& frame, const Look& look, std::size_t k) {
    const Vec3 p = frame.bodies.position[k];
    return is_finite(p) && !is_compound(*frame.shapes, frame.bodies, k) && !is_cut_away(look, p) &&
           !is_beyond_sections(look, p, frame.bodies.radius[k]);
}

DrawnShape drawn_shape(const ShapeFaces& faces) {
    DrawnShape shape;
    shape.vertex = faces.vertex;
    for (std::size_t f = 0; f < faces.faces(); ++f) {
        const auto begin = static_cast<std::size_t>(faces.face_start[f]), end = static_cast<std::size_t>(faces.face_start[f + 1]);
        for (std::size_t k = begin + 2; k < end; ++k)
            shape.triangle.push_back({faces.face_vertex[begin], faces.face_vertex[k - 1], faces.face_vertex[k]});
    }
    if (faces.smooth()) {
        for (const Vec3& v : faces.vertex) {
            const Vec3 n = gradient_of(faces, v);
            shape.normal.push_back(norm(n) > 0 ? normalized(n) : normalized(v));
        }
    }
    return shape;
}

Cut parse_cut(const std::string& text, const std::string& option) {
    std::string plain;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain), [](char c) { return c != ' '; });
    const auto wrong = [&]() -> Error {
        return Error(fmt::format("{} \"{}\": must be an axis, < or >, and a place in metres, such as \"y<0\" or \"z>0.05\"", option, text));
    };
    if (plain.size() < 3 || plain[0] < 'x' || plain[0] > 'z' || (plain[1] != '<' && plain[1] != '>')) throw wrong();
    Cut cut;
    cut.axis = plain[0] - 'x';
    cut.sign = plain[1] == '>' ? 1 : -1;
    const char* begin = plain.data() + (plain[2] == '=' ? 3 : 2);
    const auto [end, error] = std::from_chars(begin, plain.data() + plain.size(), cut.value);
    if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(cut.value)) throw wrong();
    return cut;
}

std::vector<double> bond_values(const std::string& colour, const std::vector<HeldBond>& bonds) {
    std::vector<double> values;
    values.reserve(bonds.size());
    for (const HeldBond& bond : bonds) {
        values.push_back(colour == "force"    ? norm(bond.force)
                         : colour == "strain" ? bond.strain
                         : colour == "kind"   ? static_cast<double>(bond.kind)
                                              : bond.damage);
    }
    return values;
}

Aabb region_of(const FrameParts& frame, const Look& look) {
    Aabb box = box_of(frame, look);
    const bool bodies = !box.empty();
    const Aabb near = bodies ? grown(box, norm(box.max - box.min)) : Aabb{{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
    for (std::size_t w = 0; w < frame.walls->size(); ++w) {
        const WallSurface& wall = (*frame.walls)[w];
        if (!wall.active(frame.bodies.time) || look.hidden.contains(wall.name)) continue;
        for (const Vec3& v : moved(wall.vertex, wall_pose(frame.bodies, w))) {
            if (is_finite(v))
                box.include({std::clamp(v.x, near.min.x, near.max.x), std::clamp(v.y, near.min.y, near.max.y),
                             std::clamp(v.z, near.min.z, near.max.z)});
        }
    }
    if (box.empty()) return {{-1, -1, -1}, {1, 1, 1}};
    return grown(box, kMargin * norm(box.max - box.min) / std::sqrt(3.0));
}

std::vector<Reach> reaches_of(const FrameParts& frame, const Look& look, const Aabb& region) {
    std::vector<Reach> reaches;
    std::vector<Vec3> directions;
    for (int d = 0; d < kDirections; ++d) {  // on a spiral over the ball
        const double z = 1 - (2 * d + 1.0) / kDirections, r = std::sqrt(1 - z * z), angle = kTurn * 0.61803398874989485 * d;
        directions.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
    std::vector<double> farthest(directions.size(), -1e300);
    std::vector<Reach> outermost(directions.size());
    for (std::size_t k = 0; k < frame.size(); ++k) {
        if (!is_seen(frame, look, k)) continue;
        const Reach reach{frame.bodies.position[k], frame.bodies.radius[k]};
        for (std::size_t d = 0; d < directions.size(); ++d) {
            const double far = dot(reach.centre, directions[d]) + reach.radius;
            if (far > farthest[d]) farthest[d] = far, outermost[d] = reach;
        }
    }
    for (std::size_t d = 0; d < directions.size(); ++d) {
        if (farthest[d] > -1e300) reaches.push_back(outermost[d]);
    }
    const Aabb bodies = box_of(frame, look);
    const Aabb near = bodies.empty() ? region : grown(bodies, kNear * norm(bodies.max - bodies.min));
    for (const WallMesh& wall : wall_meshes(frame, look, region)) {
        if (wall.planes && !look.flat && !bodies.empty()) continue;  // a floor may pass the edge of the picture
        for (const Vec3& v : wall.mesh.vertex) {
            // Of walls that go on far past the bodies, what is near these.
            if (is_finite(v))
                reaches.push_back({{std::clamp(v.x, near.min.x, near.max.x), std::clamp(v.y, near.min.y, near.max.y),
                                    std::clamp(v.z, near.min.z, near.max.z)},
                                   0});
        }
    }
    return reaches;
}

World build_world(const FrameParts& frame, const Look& look, const Aabb& region, const Camera& camera) {
    World world;
    world.flat = look.flat;
    for (const Cut& cut : look.sections) {
        Section section;
        along(section.normal, cut.axis) = cut.sign;
        section.offset = cut.sign * cut.value;
        world.sections.push_back(section);
    }
    if (look.body_size > 0) add_bodies(world, frame, look);
    if (look.bonds) add_bonds(world, frame, look);
    if (look.chains) add_chains(world, frame, look);
    if (look.flat) {
        // Lines lie over the disks.
        for (DrawnRod& rod : world.rods) rod.from.z += rod.radius, rod.to.z += rod.radius;
        add_flat_walls(world, frame, look, region);
    } else {
        world.meshes = seen_walls(frame, look, region, camera);
    }
    add_cell(world, frame.bodies.cell, region, look.flat);
    return world;
}

}  // namespace scree
