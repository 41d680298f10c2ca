#include "view/packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "output/polyhedra_surface.hpp"
#include "render/frame_world.hpp"
#include "render/wall_meshes.hpp"
#include "view/one_body.hpp"

namespace scree {
namespace {

constexpr std::size_t kMapColours = 64, kCategories = 64;
constexpr std::size_t kMostContacts = 200;  // of one body that are listed
constexpr std::size_t kMostHistory = 64;    // frames read for one answer
constexpr std::int32_t kCompound = -2;      // the shape of a row without a surface
constexpr float kHuge = 3e38f;

/// As a float that a graphics card takes: neither endless nor no number.
float plain(double value) {
    return std::isfinite(value) ? std::clamp(static_cast<float>(value), -kHuge, kHuge) : 0.0f;
}

void push(std::vector<float>& list, Vec3 v) {
    list.push_back(plain(v.x));
    list.push_back(plain(v.y));
    list.push_back(plain(v.z));
}

void push(std::vector<std::uint8_t>& list, Rgb colour) {
    for (const float c : {colour.r, colour.g, colour.b}) list.push_back(to_screen(c));
}

std::size_t seen_bodies(const FrameParts& parts) {
    const std::vector<std::int32_t>& owner = parts.bodies.owner;
    return parts.size() - static_cast<std::size_t>(std::count_if(owner.begin(), owner.end(), [](std::int32_t id) { return id >= 0; }));
}

/// Shapes as triangles with a normal at each corner; a corner of flat faces is there once for each of its triangles.
void add_shapes(Packet& packet, const std::vector<ShapeFaces>& shapes) {
    std::vector<float> corner, normal;
    std::vector<std::uint32_t> first{0};
    std::vector<std::string> names;
    for (const ShapeFaces& shape : shapes) {
        const DrawnShape drawn = drawn_shape(shape);
        for (const auto& t : drawn.triangle) {
            const auto at = [&](std::size_t j) { return drawn.vertex[static_cast<std::size_t>(t[j])]; };
            const Vec3 across = cross(at(1) - at(0), at(2) - at(0));
            const Vec3 flat = norm(across) > 0 ? normalized(across) : Vec3{0, 0, 1};
            for (std::size_t j = 0; j < 3; ++j) {
                push(corner, at(j));
                push(normal, drawn.normal.empty() ? flat : drawn.normal[static_cast<std::size_t>(t[j])]);
            }
        }
        first.push_back(static_cast<std::uint32_t>(corner.size() / 3));
        names.push_back(shape.name);
    }
    packet.add("shape_corner", corner);
    packet.add("shape_normal", normal);
    packet.add("shape_first", first);
    packet.head().add("shapes", names);
}

void add_colours(Packet& packet) {
    std::vector<std::uint8_t> maps, categories;
    for (const std::string& name : map_names()) {
        for (std::size_t k = 0; k < kMapColours; ++k)
            push(maps, map_colour(name, static_cast<double>(k) / static_cast<double>(kMapColours - 1)));
    }
    for (std::size_t k = 0; k < kCategories; ++k) push(categories, category_colour(k));
    packet.head().add("maps", map_names());
    packet.add("map_colours", maps);
    packet.add("category_colours", categories);
}

void add_box(Packet& packet, const std::string& name, const std::vector<Aabb>& boxes) {
    std::vector<float> values;
    for (const Aabb& box : boxes) {
        push(values, box.min);
        push(values, box.max);
    }
    packet.add(name, values);
}

}  // namespace

void ViewPackets::forget_old() {
    if (edition_ == source_.edition()) return;
    edition_ = source_.edition();
    region_ = {};
    rods_.clear();
    fields_.clear();
    flat_ = -1;
}

FrameParts ViewPackets::all_kinds() const {
    if (source_.kinds().empty()) return {};
    FrameParts all;
    all.has_velocity = all.has_angular_velocity = false;
    std::vector<SnapshotColumn>& columns = all.bodies.columns;
    for (const FrameParts& kind : source_.kinds()) {
        all.has_velocity |= kind.has_velocity;
        all.has_angular_velocity |= kind.has_angular_velocity;
        all.has_contacts |= kind.has_contacts;
        all.has_bonds |= kind.has_bonds;
        for (const SnapshotColumn& column : kind.bodies.columns) {
            const auto same = [&](const SnapshotColumn& other) { return other.name == column.name; };
            if (std::none_of(columns.begin(), columns.end(), same)) columns.push_back(column);
        }
    }
    return all;
}

std::string ViewPackets::why_lacking(std::size_t k, const std::string& field) const {
    const std::vector<ViewFrame>& frames = source_.frames();
    std::vector<std::string> of_kind;
    for (const FrameParts& kind : source_.kinds())
        of_kind.push_back(field == "bonds" ? std::string(kind.has_bonds ? "" : "bonds") : lacking(field, kind));
    const std::string lacks = of_kind[frames[k].kind];
    if (lacks.empty()) return "";
    std::size_t others = 0, nearest = k;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (!of_kind[frames[f].kind].empty()) continue;
        ++others;
        if (nearest == k || std::abs(frames[f].time - frames[k].time) < std::abs(frames[nearest].time - frames[k].time)) nearest = f;
    }
    if (others == 0) return "";
    const std::string how = lacks == "contacts" || lacks == "bonds" ? fmt::format(": it was written without `{}` in [output]", lacks)
                            : lacks == field                        ? ""
                                                                    : ": it was written with `leave_out` in [output]";
    return fmt::format("frame {} of {} holds no {}{}; {} of the others {} (the nearest is frame {}, t = {:.6g} s)", k + 1, frames.size(),
                       lacks, how, others, others == 1 ? "does" : "do", nearest + 1, frames[nearest].time);
}

bool ViewPackets::is_plane_scene() {
    if (flat_ < 0 && !source_.frames().empty()) flat_ = is_flat(source_.parts(0)) ? 1 : 0;
    return flat_ == 1;
}

std::string ViewPackets::run() {
    forget_old();
    Packet packet;
    JsonWriter& head = packet.head();
    const std::vector<ViewFrame>& frames = source_.frames();
    head.add("name", source_.name());
    head.add("kind", source_.is_scene() ? "scene" : "run");
    head.add("edition", source_.edition());
    head.add("running", source_.running());
    head.add("control", control_);
    head.add("attached", attached_);
    head.add("materials", source_.materials());
    const FrameParts* parts = nullptr;
    std::string trouble = source_.error();
    try {
        if (!frames.empty()) parts = &source_.parts(frames.size() - 1);
    } catch (const Error& e) {
        trouble = e.what();
    }
    head.add("error", trouble);
    head.add("report", source_.report());
    const FrameParts all = all_kinds();
    head.add("fields", fields_of(all));
    head.add("field", default_field(all.has_velocity));
    head.add("contacts", all.has_contacts);
    head.add("bonds", all.has_bonds);
    head.add("cell", parts != nullptr && parts->bodies.cell.any());
    std::vector<double> times;
    std::vector<std::string> walls, regions;
    times.reserve(frames.size());
    for (const ViewFrame& frame : frames) times.push_back(frame.time);
    packet.add("times", times);
    std::vector<Aabb> boxes;
    for (const ViewRegion& region : source_.regions()) {
        regions.push_back(region.name);
        boxes.push_back(region.box);
    }
    head.add("regions", regions);
    add_box(packet, "region_boxes", boxes);
    if (parts != nullptr) {
        head.add("flat", is_plane_scene());
        for (const WallSurface& wall : *parts->walls) walls.push_back(wall.name);
        head.add("walls", walls);
        Look look;
        const Aabb here = region_of(*parts, look);
        region_.include(here.min);
        region_.include(here.max);
        add_box(packet, "box", {here});
        add_shapes(packet, *parts->shapes);
    }
    add_colours(packet);
    head.add("series", source_.series().columns());
    return packet.finish();
}

std::string ViewPackets::walls_key(const FrameParts& parts) {
    // A name of what walls() would answer.
    std::uint64_t hash = 0;
    const auto add = [&](double value) { hash = hash_combine(hash, bits_of(value)); };
    const auto add_point = [&](Vec3 p) { add(p.x), add(p.y), add(p.z); };
    add_point(region_.min);
    add_point(region_.max);
    for (std::size_t w = 0; w < parts.walls->size(); ++w) {
        const Pose pose = wall_pose(parts.bodies, w);
        add((*parts.walls)[w].active(parts.bodies.time) ? 1 : 0);
        add_point(pose.shift);
        add(pose.turn.w), add(pose.turn.x), add(pose.turn.y), add(pose.turn.z);
    }
    return fmt::format("{:016x}", hash);
}

void ViewPackets::add_field(Packet& packet, std::size_t k, const std::string& wanted) {
    const FrameParts& parts = source_.parts(k);
    const std::string lacks = wanted.empty() ? "" : why_lacking(k, wanted);
    const std::string name = !lacks.empty() ? "none" : wanted.empty() ? default_field(parts.has_velocity) : wanted;
    const FieldValues field = field_values(name, parts);
    std::vector<float> values;
    std::vector<double> shown;
    values.reserve(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
        values.push_back(plain(field.values[k]));
        if (!field.categories && !is_compound(*parts.shapes, parts.bodies, k)) shown.push_back(field.values[k]);
    }
    packet.add("value", values);
    Spread& spread = fields_[name];
    spread.include(std::move(shown));
    JsonWriter& head = packet.head();
    head.add("field", name);
    head.add("lacks", lacks);
    head.add("title", field.title);
    head.add("unit", field.unit);
    head.add("categories", field.categories);
    head.add("low", spread.any() ? (field.from_zero ? std::min(0.0, spread.low) : spread.low) : 0.0);
    head.add("high", spread.any() ? spread.high : 1.0);
    head.add("least", spread.any() ? spread.least : 0.0);
    head.add("most", spread.any() ? spread.most : 0.0);
}

std::string ViewPackets::frame(std::size_t k, const std::string& field) {
    forget_old();
    const FrameParts& parts = source_.parts(k);
    const Snapshot& s = parts.bodies;
    const Aabb here = region_of(parts, {});
    region_.include(here.min);
    region_.include(here.max);
    Packet packet;
    JsonWriter& head = packet.head();
    head.add("frame", static_cast<std::int64_t>(k));
    head.add("edition", edition_);
    head.add("time", s.time);
    head.add("step", s.step);
    head.add("bodies", static_cast<std::int64_t>(seen_bodies(parts)));
    head.add("walls_key", walls_key(parts));
    const std::size_t n = parts.size();
    std::vector<float> place(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 p = s.position[i];
        place[4 * i] = plain(p.x), place[4 * i + 1] = plain(p.y), place[4 * i + 2] = plain(p.z), place[4 * i + 3] = plain(s.radius[i]);
    }
    packet.add("place", place);
    packet.add("id", s.id);
    if (!s.shape.empty()) {
        std::vector<std::int32_t> shape = s.shape;
        for (std::size_t i = 0; i < n; ++i) {
            if (is_compound(*parts.shapes, s, i)) shape[i] = kCompound;
        }
        packet.add("shape", shape);
    }
    if (!s.orientation.empty()) {
        std::vector<float> turn;
        turn.reserve(4 * n);
        for (const Quat& q : s.orientation) {
            for (const double c : {q.x, q.y, q.z, q.w}) turn.push_back(plain(c));
        }
        packet.add("turn", turn);
    }
    add_field(packet, k, field);
    if (parts.has_contacts) {
        std::vector<double> loads(3 * parts.walls->size());
        for (const ContactRecord& contact : parts.contacts) {
            if (contact.wall < 0 || static_cast<std::size_t>(contact.wall) >= parts.walls->size()) continue;
            for (int a = 0; a < 3; ++a)
                loads[3 * static_cast<std::size_t>(contact.wall) + static_cast<std::size_t>(a)] -= along(contact.force, a);
        }
        packet.add("wall_loads", loads);
    }
    return packet.finish();
}

std::string ViewPackets::field(std::size_t k, const std::string& name) {
    forget_old();
    Packet packet;
    packet.head().add("frame", static_cast<std::int64_t>(k));
    add_field(packet, k, name);
    return packet.finish();
}

std::string ViewPackets::walls(std::size_t k) {
    forget_old();
    const FrameParts& parts = source_.parts(k);
    Look look;
    look.flat = is_plane_scene();
    Packet packet;
    packet.head().add("walls_key", walls_key(parts));
    std::vector<float> vertex;
    std::vector<std::uint32_t> triangle, first{0};
    std::vector<std::string> names;
    for (const WallMesh& wall : wall_meshes(parts, look, region_)) {
        const auto from = static_cast<std::uint32_t>(vertex.size() / 3);
        for (const Vec3& v : wall.mesh.vertex) push(vertex, v);
        for (const auto& t : wall.mesh.triangle) {
            for (const std::int32_t corner : t) triangle.push_back(from + static_cast<std::uint32_t>(corner));
        }
        first.push_back(static_cast<std::uint32_t>(triangle.size()));
        names.push_back(wall.name);
    }
    packet.head().add("walls", names);
    packet.add("vertex", vertex);
    packet.add("triangle", triangle);
    packet.add("first", first);
    return packet.finish();
}

std::string ViewPackets::rods(std::size_t k, const std::string& what, const std::string& colour) {
    forget_old();
    static const std::set<std::string> whats{"bonds", "chains", "cell"}, colours{"damage", "strain", "force", "kind"};
    if (!whats.contains(what)) throw Error("rods are bonds, chains or cell");
    if (!colours.contains(colour)) throw Error("colours of bonds are damage, strain, force and kind");
    const FrameParts& parts = source_.parts(k);
    std::string lacks;
    if ((what == "bonds" && !parts.has_bonds) || (what == "chains" && !parts.has_contacts)) {
        lacks = why_lacking(k, what == "bonds" ? "bonds" : "force");
        if (lacks.empty()) throw Error("the frames hold no " + std::string(what == "bonds" ? "bonds" : "contacts"));
    }
    Look look;
    look.body_size = 0;
    look.flat = is_plane_scene();
    look.bonds = what == "bonds" && lacks.empty();
    look.chains = what == "chains" && lacks.empty();
    look.bond_colour = colour;
    for (const WallSurface& wall : *parts.walls) look.hidden.insert(wall.name);
    const std::string name = look.bonds ? colour : what;
    if (what != "cell" && lacks.empty()) {
        std::vector<double> values = look.bonds ? bond_values(colour, parts.bonds) : contact_forces(parts);
        Spread& spread = rods_[what + name];
        spread.include(std::move(values));
        ColourRule& rule = look.bonds ? look.bond_rule : look.chain_rule;
        rule.map = "embers";
        rule.low = 0;
        rule.high = spread.any() && spread.high > 0 ? spread.high : 1;
        if (look.bonds && colour == "damage") rule.high = 1;
    }
    const ColourRule rule = look.bonds ? look.bond_rule : look.chain_rule;
    const World world = build_world(parts, look, region_, {});
    std::vector<float> end;
    std::vector<std::uint8_t> colour_of;
    for (const DrawnRod& rod : world.rods) {
        push(end, rod.from);
        end.push_back(plain(rod.radius));
        push(end, rod.to);
        end.push_back(0);
        push(colour_of, rod.colour);
        colour_of.push_back(255);
    }
    Packet packet;
    packet.head().add("what", what);
    packet.head().add("lacks", lacks);
    packet.head().add("title", look.bonds ? colour + " of bonds" : "contact force");
    packet.head().add("unit", look.chains || colour == "force" ? "N" : "1");
    packet.head().add("low", rule.low);
    packet.head().add("high", rule.high);
    packet.head().add("map", rule.map);
    packet.add("end", end);
    packet.add("colour", colour_of);
    return packet.finish();
}

std::string ViewPackets::body(std::size_t k, std::uint32_t id) {
    forget_old();
    const FrameParts& parts = source_.parts(k);
    const std::optional<OneBody> one = one_body(parts, id);
    Packet packet;
    JsonWriter& head = packet.head();
    head.add("id", static_cast<std::int64_t>(id));
    head.add("there", one.has_value());
    if (!one) return packet.finish();
    const std::size_t row = one->row;
    head.begin_object("fields");
    for (const std::string& name : fields_of(parts)) {
        if (name == "none") continue;
        const FieldValues field = field_values(name, one->parts);
        head.begin_object(name);
        head.add("title", field.title == name || field.title.empty() ? name : field.title);
        head.add("unit", field.unit);
        head.add("value", field.values[row]);
        head.end_object();
    }
    head.end_object();
    const Snapshot& s = one->parts.bodies;
    head.add("compound", s.owner.empty() || s.owner[row] < 0 ? std::int64_t{-1} : static_cast<std::int64_t>(s.owner[row]));
    head.add("contacts_stored", parts.has_contacts);
    std::vector<std::string> partner;
    std::vector<double> overlap, force, point;
    for (const ContactRecord& contact : one->parts.contacts) {
        const bool first = contact.a == id;
        if ((!first && (contact.wall >= 0 || contact.b != id)) || partner.size() == kMostContacts) continue;
        partner.push_back(contact.wall >= 0 ? "wall " + (static_cast<std::size_t>(contact.wall) < parts.walls->size()
                                                             ? (*parts.walls)[static_cast<std::size_t>(contact.wall)].name
                                                             : std::to_string(contact.wall))
                                            : fmt::format("{}", first ? contact.b : contact.a));
        overlap.push_back(contact.overlap);
        force.push_back(norm(contact.force));
        for (int a = 0; a < 3; ++a) point.push_back(along(contact.point, a));
    }
    head.add("partners", partner);
    packet.add("overlap", overlap);
    packet.add("force", force);
    packet.add("point", point);
    return packet.finish();
}

std::string ViewPackets::history(std::uint32_t id, const std::string& field, std::size_t from, std::size_t count, std::size_t step) {
    forget_old();
    const std::vector<ViewFrame>& frames = source_.frames();
    if (step < 1) throw Error("step must be at least 1");
    std::vector<double> times, values;
    std::string title, unit;
    count = std::min(count, kMostHistory);
    for (std::size_t k = from; k < frames.size() && times.size() < count; k += step) {
        const std::optional<OneBody> one = one_body(source_.parts(k), id);
        times.push_back(frames[k].time);
        if (!one || !why_lacking(k, field).empty()) {
            values.push_back(std::nan(""));
            continue;
        }
        const FieldValues of_body = field_values(field.empty() ? default_field(one->parts.has_velocity) : field, one->parts);
        title = of_body.title, unit = of_body.unit;
        values.push_back(of_body.values[one->row]);
    }
    Packet packet;
    packet.head().add("field", field);
    packet.head().add("title", title);
    packet.head().add("unit", unit);
    packet.add("times", times);
    packet.add("values", values);
    return packet.finish();
}

std::string ViewPackets::series(const std::vector<std::string>& columns, std::size_t most) {
    SeriesTable& table = source_.series();
    const std::size_t rows = table.rows(), step = std::max<std::size_t>(1, (rows + most - 1) / std::max<std::size_t>(1, most));
    Packet packet;
    packet.head().add("rows", static_cast<std::int64_t>(rows));
    packet.head().add("columns", columns);
    const std::vector<std::string>& names = table.columns();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto found = std::find(names.begin(), names.end(), columns[c]);
        if (found == names.end()) throw Error("the series have no column \"" + columns[c] + "\"");
        const std::vector<double>& all = table.values(static_cast<std::size_t>(found - names.begin()));
        std::vector<double> kept;
        for (std::size_t k = 0; k < rows; k += step) kept.push_back(all[k]);
        if (rows > 0 && (rows - 1) % step != 0) kept.push_back(all[rows - 1]);
        packet.add(fmt::format("column{}", c), kept);
    }
    return packet.finish();
}

}  // namespace scree
