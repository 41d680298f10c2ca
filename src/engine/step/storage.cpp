#include "engine/step/storage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <string>

#include "base/hash.hpp"
#include "engine/fluid/fluid.hpp"
#include "engine/laws/laws.hpp"
#include "model/rotation.hpp"
#include "model/size_levels.hpp"
#include "engine/penalty/convex_room.hpp"
#include "engine/step/fields.hpp"
#include "engine/step/joint_forces.hpp"
#include "model/compounds.hpp"
#include "model/mesh_topology.hpp"
#include "model/limits.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Number of planes, cylinders and patches of each wall, and a hash of its geometry: what a surface index means.
struct WallSurfaces {
    std::string name;
    std::int64_t count[3];
    std::int64_t geometry;
};

std::int64_t geometry_hash(const Wall& w) {
    std::uint64_t h = hash_combine(1, static_cast<std::uint64_t>(w.material));
    const auto add = [&h](double value) { h = hash_combine(h, bits_of(value)); };
    const auto add3 = [&add](Vec3 v) {
        add(v.x);
        add(v.y);
        add(v.z);
    };
    for (const Plane& p : w.planes) {
        add3(p.point);
        add3(p.normal);
    }
    for (const Cylinder& c : w.cylinders) {
        add3(c.point);
        add3(c.axis);
        add(c.radius);
        add(c.length);
        add(c.inside ? 1 : 0);
        if (is_whole(c)) continue;
        add3(c.middle);
        add(c.half_angle);
    }
    for (const Vec3& v : w.mesh.vertices) add3(v);
    for (const auto& t : w.mesh.triangles)
        for (const std::int32_t v : t) h = hash_combine(h, static_cast<std::uint64_t>(v));
    return static_cast<std::int64_t>(h);
}
std::vector<WallSurfaces> surfaces_of(const Model& model) {
    std::vector<WallSurfaces> out;
    for (const Wall& w : model.walls) {
        const std::int64_t patches = w.mesh.triangles.empty() ? 0 : static_cast<std::int64_t>(mesh_topology(w.mesh).patches());
        out.push_back({w.name,
                       {static_cast<std::int64_t>(w.planes.size()), static_cast<std::int64_t>(w.cylinders.size()), patches},
                       geometry_hash(w)});
    }
    return out;
}

constexpr const char* class_names[3] = {"plane", "cylinder", "mesh"};

/// Saved surface index -> index in the present model, -1 where the wall is gone or changed.
std::vector<std::int32_t> surface_map(const EngineState& in, const std::vector<WallSurfaces>& now, int kind) {
    const std::vector<std::uint8_t> names = take<std::uint8_t>(in, "wall.names");
    const std::vector<std::int64_t> counts = take<std::int64_t>(in, "wall.surfaces");
    struct Present {
        std::int64_t first, geometry;
    };
    std::map<std::string, Present> present;
    std::int64_t next = 0;
    for (const WallSurfaces& w : now) {
        present[w.name] = {next, w.geometry};
        next += w.count[kind];
    }
    std::vector<std::int32_t> map;
    std::string name;
    std::size_t wall = 0;
    for (const std::uint8_t c : names) {
        if (c != '\n') {
            name += static_cast<char>(c);
            continue;
        }
        const std::int64_t count = counts.at(4 * wall + static_cast<std::size_t>(kind));
        const auto found = present.find(name);
        const bool same = found != present.end() && found->second.geometry == counts.at(4 * wall + 3);
        for (std::int64_t k = 0; k < count; ++k) map.push_back(same ? static_cast<std::int32_t>(found->second.first + k) : -1);
        name.clear();
        ++wall;
    }
    return map;
}

/// Keeps the entries of values that `chosen` lists.
template <class T>
std::vector<T> chosen_of(const std::vector<T>& values, const std::vector<std::size_t>& chosen) {
    std::vector<T> out;
    out.reserve(chosen.size());
    for (const std::size_t k : chosen) out.push_back(values[k]);
    return out;
}

/// Notes the entries of a list where a vector is not zero; component by component, as lists are long.
void mark_nonzero(const Vec3Array<Real>& vectors, std::vector<std::uint8_t>& marked) {
    for (const Array<Real>* component : {&vectors.x, &vectors.y, &vectors.z}) {
        const std::vector<Real> values = component->host();
        for (std::size_t p = 0; p < values.size(); ++p) marked[p] |= values[p] == 0 ? 0 : 1;  // what is not a number among them
    }
}

std::vector<std::size_t> list_marked(const std::vector<std::uint8_t>& marked) {
    std::vector<std::size_t> list;
    list.reserve(static_cast<std::size_t>(std::count(marked.begin(), marked.end(), 1)));
    for (std::size_t p = 0; p < marked.size(); ++p) {
        if (marked[p] != 0) list.push_back(p);
    }
    return list;
}

/// Entries of a contact list that hold anything.
std::vector<std::size_t> holding(Contacts& contacts) {
    std::vector<std::uint8_t> marked(static_cast<std::size_t>(contacts.size()));
    mark_nonzero(contacts.stretch, marked);
    mark_nonzero(contacts.force, marked);
    return list_marked(marked);
}

/// Mesh pairs whose gap is known: contact records need it even where the force is zero.
std::vector<std::size_t> evaluated(MeshPairs& pairs) {
    const std::vector<double> distance = pairs.distance.host();
    std::vector<std::size_t> list;
    for (std::size_t p = 0; p < distance.size(); ++p) {
        if (distance[p] < no_contact) list.push_back(p);
    }
    return list;
}

void save_contacts(EngineState& out, const std::string& prefix, Contacts& contacts, const std::vector<std::size_t>& list) {
    contacts.each_field(prefix, [&](const std::string& name, auto& array) { put(out, name, chosen_of(array.host(), list)); });
}

void save_walls(EngineState& out, const std::string& prefix, WallPairs& pairs, const std::vector<std::uint32_t>& id,
                const std::vector<std::size_t>& list) {
    const std::vector<Slot> body = pairs.body.host();
    std::vector<std::uint32_t> ids;
    for (const std::size_t p : list) ids.push_back(id[static_cast<std::size_t>(body[p])]);
    put(out, prefix + ".body", ids);
    put(out, prefix + ".surface", chosen_of(pairs.surface.host(), list));
    save_contacts(out, prefix, pairs.contacts, list);
}

void save_pairs(EngineState& out, const std::string& prefix, BodyPairs& pairs, const std::vector<std::uint32_t>& id,
                const std::vector<std::size_t>& list) {
    const std::vector<Slot> a = pairs.a.host(), b = pairs.b.host();
    std::vector<std::uint32_t> id_a, id_b;
    for (const std::size_t p : list) {
        id_a.push_back(id[static_cast<std::size_t>(a[p])]);
        id_b.push_back(id[static_cast<std::size_t>(b[p])]);
    }
    put(out, prefix + ".a", id_a);
    put(out, prefix + ".b", id_b);
    save_contacts(out, prefix, pairs.contacts, list);
}

/// Contacts of polyhedra that hold anything: force, a patch, or points.
std::vector<std::size_t> holding_patches(Contacts& contacts, Patches& patches) {
    std::vector<std::uint8_t> marked(static_cast<std::size_t>(patches.turn.size()));
    mark_nonzero(patches.axis, marked);
    mark_nonzero(contacts.force, marked);
    const std::vector<std::int32_t> key = patches.points.key[0].host();
    for (std::size_t p = 0; p < key.size(); ++p) marked[p] |= key[p] != PointHistory::no_key ? 1 : 0;
    return list_marked(marked);
}

void save_patches(EngineState& out, const std::string& prefix, Patches& patches, const std::vector<std::size_t>& list) {
    patches.each_field(prefix, [&](const std::string& name, auto& array) { put(out, name, chosen_of(array.host(), list)); });
    if (patches.points.kept.size() == 0) return;
    std::vector<Real> values;
    for (KeptPoints& c : chosen_of(patches.points.kept.host(), list)) {
        for (int k = 0; k < KeptPoints::values; ++k) values.push_back(c.value(k));
    }
    put(out, prefix + ".kept", values);
}

template <class Pairs>
void save_convex_walls(EngineState& out, const std::string& prefix, Pairs& pairs, const std::vector<std::uint32_t>& id) {
    const std::vector<std::size_t> list = holding_patches(pairs.contacts, pairs.patches);
    save_walls(out, prefix, pairs, id, list);
    save_patches(out, prefix, pairs.patches, list);
}

void save_polyhedra(EngineState& out, State& state, const std::vector<std::uint32_t>& id) {
    for (const auto& [prefix, pairs] : {std::pair{"mixed", &state.mixed_pairs}, {"convex", &state.convex_pairs}}) {
        // A sphere's contact has stretch, a patch has its axis: whatever holds force or history is kept.
        std::vector<std::size_t> list = holding(pairs->contacts), patch = holding_patches(pairs->contacts, pairs->patches), both;
        std::set_union(list.begin(), list.end(), patch.begin(), patch.end(), std::back_inserter(both));
        save_pairs(out, prefix, *pairs, id, both);
        save_patches(out, prefix, pairs->patches, both);
    }
    save_convex_walls(out, "convex_plane", state.convex_planes, id);
    save_convex_walls(out, "convex_cylinder", state.convex_cylinders, id);
    save_convex_walls(out, "convex_mesh", state.convex_meshes, id);
}

/// Slots of saved ids; throws where a contact names a body that is not there.
std::vector<Slot> slots_of(const std::vector<std::uint32_t>& ids, const std::vector<Slot>& slot_of_id) {
    std::vector<Slot> slots;
    slots.reserve(ids.size());
    for (const std::uint32_t id : ids) {
        if (id >= slot_of_id.size() || slot_of_id[id] < 0)
            throw Error("the checkpoint is damaged: a contact names body " + std::to_string(id));
        slots.push_back(slot_of_id[id]);
    }
    return slots;
}

/// Where the rows of `bodies` slots start in what is `list`ed of saved contacts, whose slots are slot_of(entry).
template <class SlotOf>
std::vector<RowStart> row_starts(const std::vector<std::size_t>& list, std::size_t bodies, SlotOf slot_of) {
    require_within<Error>(static_cast<double>(list.size()), count_limits().pairs, "contacts of one list in the checkpoint", fewer_pairs);
    std::vector<RowStart> start(bodies + 1, 0);
    for (const std::size_t p : list) ++start[static_cast<std::size_t>(slot_of(p)) + 1];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    return start;
}

/// Saved pairs by their lower slot, into the place where carry_history looks. Returns the saved entries in that order.
std::vector<std::size_t> lay_old_rows(const std::vector<Slot>& a, const std::vector<Slot>& b, std::size_t bodies, OldBodyPairs& old) {
    std::vector<std::size_t> list(a.size());
    for (std::size_t p = 0; p < list.size(); ++p) list[p] = p;
    const auto lower = [&](std::size_t p) { return std::min(a[p], b[p]); };
    std::stable_sort(list.begin(), list.end(), [&](std::size_t p, std::size_t q) { return lower(p) < lower(q); });
    std::vector<Slot> higher;
    higher.reserve(list.size());
    for (const std::size_t p : list) higher.push_back(std::max(a[p], b[p]));
    old.first.assign(row_starts(list, bodies, lower));
    old.crossing.resize(0);
    old.higher.assign(higher);
    return list;
}

template <class T>
void load_contacts(const EngineState& in, const std::string& prefix, Contacts& contacts, const std::vector<std::size_t>& list, T) {
    contacts.each_field(prefix, [&](const std::string& name, auto& array) { array.assign(chosen_of(take<T>(in, name), list)); });
}

/// Saved wall pairs -> old lists, in the order of slots and surfaces. Returns the saved entries in that order.
std::vector<std::size_t> load_walls_of(const EngineState& in, const std::string& prefix, const std::vector<std::int32_t>& map,
                                       const std::vector<Slot>& slot_of_id, Index bodies, WallPairs& old) {
    const std::vector<Slot> slot = slots_of(take<std::uint32_t>(in, prefix + ".body"), slot_of_id);
    const std::vector<std::int32_t> surface = take<std::int32_t>(in, prefix + ".surface");
    std::vector<std::size_t> list;
    for (std::size_t p = 0; p < slot.size(); ++p) {
        if (map.at(static_cast<std::size_t>(surface.at(p))) >= 0) list.push_back(p);
    }
    const auto mapped = [&](std::size_t p) { return map[static_cast<std::size_t>(surface[p])]; };
    std::sort(list.begin(), list.end(),
              [&](std::size_t p, std::size_t q) { return slot[p] != slot[q] ? slot[p] < slot[q] : mapped(p) < mapped(q); });
    std::vector<std::int32_t> surfaces;
    for (const std::size_t p : list) surfaces.push_back(mapped(p));
    old.body.assign(chosen_of(slot, list));
    old.surface.assign(surfaces);
    old.row_start.assign(row_starts(list, static_cast<std::size_t>(bodies), [&](std::size_t p) { return slot[p]; }));
    load_contacts(in, prefix, old.contacts, list, Real{});
    return list;
}

/// Saved pairs of bodies -> old lists. Returns the saved entries in their order.
std::vector<std::size_t> load_pairs_of(const EngineState& in, const std::string& prefix, const std::vector<Slot>& slot_of_id, Index bodies,
                                       OldBodyPairs& old) {
    const std::vector<Slot> a = slots_of(take<std::uint32_t>(in, prefix + ".a"), slot_of_id),
                            b = slots_of(take<std::uint32_t>(in, prefix + ".b"), slot_of_id);
    const std::vector<std::size_t> list = lay_old_rows(a, b, static_cast<std::size_t>(bodies), old);
    load_contacts(in, prefix, old.contacts, list, Real{});
    return list;
}

/// Fields of patches, and what no checkpoint holds: features, unknown.
void load_patches(const EngineState& in, const std::string& prefix, Patches& patches, bool two_bodies,
                  const std::vector<std::size_t>& list) {
    const bool points = in.find(prefix + ".key0") != nullptr, keeps = prefix == "convex";
    patches.resize(static_cast<Index>(list.size()), two_bodies, points, keeps);
    patches.each_field(prefix, [&](const std::string& name, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        array.assign(chosen_of(take<T>(in, name), list));
    });
    // Checkpoints of before have none: zeros, which make the next step search.
    if (!points || !keeps || in.find(prefix + ".kept") == nullptr) return;
    const std::vector<Real> values = take<Real>(in, prefix + ".kept");
    std::vector<KeptPoints> kept(list.size());
    for (std::size_t p = 0; p < kept.size(); ++p) {
        const std::size_t from = list[p] * KeptPoints::values;
        for (int k = 0; k < KeptPoints::values; ++k) kept[p].value(k) = values[from + static_cast<std::size_t>(k)];
    }
    patches.points.kept.assign(kept);
}

void load_polyhedra_of(const EngineState& in, const std::vector<WallSurfaces>& now, const std::vector<Slot>& slot_of_id, Index bodies,
                       Workspace& work) {
    for (const auto& [prefix, old] : {std::pair{"mixed", &work.old_mixed}, {"convex", &work.old_convex}}) {
        const std::vector<std::size_t> list = load_pairs_of(in, prefix, slot_of_id, bodies, *old);
        load_patches(in, prefix, old->patches, true, list);
    }
    const auto walls = [&](const char* prefix, int kind, auto& old) {
        const std::vector<std::size_t> list = load_walls_of(in, prefix, surface_map(in, now, kind), slot_of_id, bodies, old);
        load_patches(in, prefix, old.patches, false, list);
    };
    walls("convex_plane", 0, work.old_convex_planes);
    walls("convex_cylinder", 1, work.old_convex_cylinders);
    walls("convex_mesh", 2, work.old_convex_meshes);
    work.old_convex_meshes.normal.resize_zero(work.old_convex_meshes.size());
    work.old_convex_meshes.distance.resize_zero(work.old_convex_meshes.size());
}

void load_orientations(const BodyTable& table, Bodies& b) {
    std::vector<double> w, x, y, z;
    for (const Quat& q : table.orientation) {
        w.push_back(q.w);
        x.push_back(q.x);
        y.push_back(q.y);
        z.push_back(q.z);
    }
    b.qw.assign(w);
    b.qx.assign(x);
    b.qy.assign(y);
    b.qz.assign(z);
}

void load_polyhedra(const Model& model, Bodies& b) {
    const BodyTable& table = model.bodies;
    std::vector<Vec3> momentum(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table.shape[i] < 0 || table.owner_of(i) >= 0) continue;
        const Vec3 moments =
            (table.mass[i] * table.radius[i] * table.radius[i]) * model.shapes.at(static_cast<std::size_t>(table.shape[i])).inertia;
        momentum[i] = angular_momentum_of(table.orientation[i], table.angular_velocity[i], moments);
    }
    b.shape.assign(table.shape);
    b.angular_momentum.assign(momentum);
}

/// Pairs of bodies, compounds as one, that joints keep from touching each other.
std::vector<std::pair<std::int32_t, std::int32_t>> bodies_apart(const Model& model) {
    Model rigid;
    rigid.joints = model.joints;
    rigid.bodies.shape.assign(model.bodies.size(), BodyTable::sphere_shape);
    return pairs_without_contact(rigid);
}

}  // namespace

void load_model(const Model& model, bool account, State& state, Workspace& work) {
    Bodies& b = state.bodies;
    const BodyTable& table = model.bodies;
    const std::size_t n = table.size();
    require_within<Error>(static_cast<double>(n), count_limits().bodies, "bodies", fewer_bodies);
    b.count = static_cast<Index>(n);
    state.planar = model.dimensions == 2;
    b.position.assign(table.position, table.radius);
    b.reference.assign(table.position);
    b.material.assign(table.material);
    load_compounds(model, bodies_apart(model), b, work.compounds);
    load_joints(model, work);
    state.has_compounds = work.compounds.count > 0;
    state.members = work.compounds.members;
    state.stores_forces = state.has_compounds || !model.joints.empty() || model.method == Method::Cone;
    state.has_polyhedra = false;
    state.has_spheres = n == 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_compound(model, i)) (table.shape[i] < 0 ? state.has_spheres : state.has_polyhedra) = true;
    }
    state.holds_forces = state.stores_forces || state.planar || state.has_polyhedra || model.method != Method::Penalty;
    if (state.holds_forces) {
        b.force.resize_zero(b.count);
        b.torque.resize_zero(b.count);
    }
    const bool has_shapes = state.has_polyhedra || state.has_compounds;
    state.has_orientation = model.track_orientation || has_shapes || !model.joints.empty();
    load_shapes(model, work.shapes);
    if (work.shapes.most_corners > largest_room)
        throw Error("a shape has too many faces: its faces and the corners of its largest face are at most " +
                    std::to_string(largest_room) + " together");
    std::vector<double> inverse_mass(n), inverse_inertia(n);
    std::vector<std::uint32_t> id(n);
    const double of_inertia = state.planar ? 0.5 : 0.4;  // of a disk, of a ball
    work.min_radius = 1e300;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t owner = table.owner_of(i);
        inverse_mass[i] = 1.0 / table.mass[owner < 0 ? i : static_cast<std::size_t>(owner)];
        const bool round = table.shape[i] < 0 && owner < 0;
        inverse_inertia[i] = round ? 1.0 / (of_inertia * table.mass[i] * table.radius[i] * table.radius[i]) : 0.0;
        id[i] = static_cast<std::uint32_t>(i);
        if (is_compound(model, i)) continue;
        work.min_radius = std::min(work.min_radius, table.radius[i]);
        work.max_radius = std::max(work.max_radius, table.radius[i]);
    }
    if (work.max_radius == 0) work.min_radius = work.max_radius = 1.0;  // no body has a surface
    b.velocity.assign(table.velocity, inverse_mass);
    b.angular_velocity.assign(table.angular_velocity, inverse_inertia);
    b.id.assign(id);
    if (state.has_orientation) load_orientations(table, b);
    if (has_shapes) load_polyhedra(model, b);
    if (state.has_polyhedra) load_tiles(model, work.tiles);
    if (model.method == Method::Fluid) {
        b.density.resize_zero(b.count);
        b.pressure.resize_zero(b.count);
    }
    state.account = account;
    if (account) {
        b.work_damping.resize_zero(b.count);
        b.work_friction.resize_zero(b.count);
        b.work_walls.resize_zero(b.count);
    }
    work.slot_of_id.assign(std::vector<Slot>(id.begin(), id.end()));
    work.level_size = size_levels(model);
    std::vector<LawRow> rows;
    const bool power = model.penalty.law == Law::Power;
    for (const LawParameters& p : model.method == Method::Fluid ? std::vector<LawParameters>{} : law_table(model)) {
        const double k_t = power ? p.tangential_damping : p.k_t, zeta = power ? p.damping : p.zeta;
        double share = 0;
        with_law(model.penalty.law, [&](auto law) { share = std::sqrt(decltype(law)::stiffness_ratio(p.k_n, k_t)); });
        rows.push_back({static_cast<Real>(p.k_n), static_cast<Real>(k_t), static_cast<Real>(zeta), static_cast<Real>(zeta * share),
                        static_cast<Real>(p.mu)});
    }
    work.laws.assign(rows);
    if (!rows.empty()) work.only_law = rows.front();
    load_walls(model, 2.5 * work.max_radius, work.walls);
}

void save_state(const Model& model, State& state, const Workspace& work, EngineState& out) {
    put(out, "run.counters",
        std::vector<std::int64_t>{state.step, state.rebuilds, state.removed, static_cast<std::int64_t>(model.bodies.size())});
    put(out, "run.reals",
        std::vector<double>{model.dt, state.skin, state.removed_energy, state.removed_work[0], state.removed_work[1],
                            state.removed_work[2]});
    state.bodies.each_field([&](const char* name, auto& array) {
        if (array.size() > 0 || std::strcmp(name, "body.id") == 0) put(out, name, array.host());
    });
    const std::vector<std::uint32_t> id = state.bodies.id.host();
    save_pairs(out, "pair", state.pairs, id, holding(state.pairs.contacts));
    save_walls(out, "plane", state.plane_pairs, id, holding(state.plane_pairs.contacts));
    save_walls(out, "cylinder", state.cylinder_pairs, id, holding(state.cylinder_pairs.contacts));
    const std::vector<std::size_t> mesh = evaluated(state.mesh_pairs);
    save_walls(out, "mesh", state.mesh_pairs, id, mesh);
    for (const auto& [name, array] : {std::pair{"mesh.normal.x", &state.mesh_pairs.normal.x},
                                      {"mesh.normal.y", &state.mesh_pairs.normal.y},
                                      {"mesh.normal.z", &state.mesh_pairs.normal.z},
                                      {"mesh.distance", &state.mesh_pairs.distance}}) {
        put(out, name, chosen_of(array->host(), mesh));
    }
    if (state.has_polyhedra) save_polyhedra(out, state, id);
    std::vector<std::uint8_t> names;
    std::vector<std::int64_t> counts;
    for (const WallSurfaces& w : surfaces_of(model)) {
        names.insert(names.end(), w.name.begin(), w.name.end());
        names.push_back('\n');
        counts.insert(counts.end(), w.count, w.count + 3);
        counts.push_back(w.geometry);
    }
    put(out, "wall.names", names);
    put(out, "wall.surfaces", counts);
    save_joints(work, out);
}

void load_state(const Model& model, const EngineState& saved, State& state, Workspace& work) {
    const std::vector<std::int64_t> counters = take<std::int64_t>(saved, "run.counters");
    const std::vector<double> reals = take<double>(saved, "run.reals");
    if (counters.size() != 4 || reals.size() < 5) throw Error("the checkpoint is damaged: its counters are incomplete");
    if (counters[3] != static_cast<std::int64_t>(model.bodies.size()))
        throw Error("the checkpoint has another number of bodies than the scene");
    if (reals[0] != model.dt)
        throw Error("the checkpoint was written with time.step = " + std::to_string(reals[0]) + " s; restart with the same step");
    state.step = counters[0];
    state.time = static_cast<double>(state.step) * model.dt;
    state.rebuilds = counters[1];
    state.removed = counters[2];
    state.skin = reals[1];
    state.removed_energy = reals[2];
    state.removed_work[0] = reals[3];
    state.removed_work[1] = reals[4];
    state.removed_work[2] = reals.size() > 5 ? reals[5] : 0.0;  // not kept before walls could move
    state.list_step = state.step;
    state.drifted = false;

    const std::vector<std::uint32_t> id = take<std::uint32_t>(saved, "body.id");
    state.bodies.count = static_cast<Index>(id.size());
    state.bodies.each_field([&](const char* name, auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        const bool passing =
            !state.holds_forces && (std::strncmp(name, "body.force", 10) == 0 || std::strncmp(name, "body.torque", 11) == 0);
        if (array.size() == 0 && id.size() > 0 && model.bodies.size() > 0 && !passing) return;  // not in use here
        if (saved.find(name) == nullptr && (std::strncmp(name, "body.work", 9) == 0 || std::strncmp(name, "body.orientation", 16) == 0)) {
            // Not kept before: accounts start at zero and orientations at the identity from here.
            if constexpr (std::is_arithmetic_v<T>) {
                array.assign(std::vector<T>(id.size(), std::strcmp(name, "body.orientation.w") == 0 ? T(1) : T(0)));
            }
            return;
        }
        const std::vector<T> values = id.empty() ? std::vector<T>{} : take<T>(saved, name);
        if (values.size() != id.size()) throw Error(std::string("the checkpoint is damaged: field ") + name + " is too short");
        array.assign(values);
    });
    state.members = 0;
    for (const std::int32_t owner : state.bodies.owner.host()) state.members += owner >= 0 ? 1 : 0;
    std::vector<Slot> slot_of_id(model.bodies.size(), -1);
    for (std::size_t i = 0; i < id.size(); ++i) slot_of_id.at(id[i]) = static_cast<Slot>(i);
    work.slot_of_id.assign(slot_of_id);

    load_pairs_of(saved, "pair", slot_of_id, state.bodies.count, work.old_pairs);
    const std::vector<WallSurfaces> now = surfaces_of(model);
    load_walls_of(saved, class_names[0], surface_map(saved, now, 0), slot_of_id, state.bodies.count, work.old_planes);
    load_walls_of(saved, class_names[1], surface_map(saved, now, 1), slot_of_id, state.bodies.count, work.old_cylinders);
    const std::vector<std::size_t> mesh =
        load_walls_of(saved, class_names[2], surface_map(saved, now, 2), slot_of_id, state.bodies.count, work.old_meshes);
    work.old_meshes.normal.x.assign(chosen_of(take<double>(saved, "mesh.normal.x"), mesh));
    work.old_meshes.normal.y.assign(chosen_of(take<double>(saved, "mesh.normal.y"), mesh));
    work.old_meshes.normal.z.assign(chosen_of(take<double>(saved, "mesh.normal.z"), mesh));
    work.old_meshes.distance.assign(chosen_of(take<double>(saved, "mesh.distance"), mesh));
    if (state.has_polyhedra) load_polyhedra_of(saved, now, slot_of_id, state.bodies.count, work);
    restore_joints(model, saved, state, work);
}

std::size_t bytes_in_use(State& state, Workspace& work) {
    const auto sum = [](const auto&... arrays) { return (arrays.bytes() + ...); };
    const auto mesh = [&](const MeshPairs& m) {
        return sum(m, m.triangle_start, m.triangle_end, m.triangle, m.near_body, m.normal, m.distance);
    };
    std::size_t total =
        sum(work.walls, work.laws, work.sort.keys, work.sort.values, work.sort.counts, work.sort.bytes, work.key, work.order, work.rows,
            work.cell_along, work.cell_start, work.count, work.crossing, work.runs, work.offset, work.slot_of_id, work.others,
            work.old_pairs, work.old_slot_of_id, work.keep, work.old_planes, work.old_cylinders, work.fused);
    state.bodies.each_field([&](const char*, auto& array) { total += array.bytes(); });
    total += sum(work.shapes, work.compounds, work.tiles, work.patch_states, state.mixed_pairs, state.convex_pairs, state.convex_planes,
                 state.convex_cylinders, work.old_mixed, work.old_convex, work.old_convex_planes, work.old_convex_cylinders,
                 state.convex_meshes.patches, work.old_convex_meshes.patches) +
             mesh(state.convex_meshes) + mesh(work.old_convex_meshes);
    if (work.fluid) total += work.fluid->bytes();
    return total + sum(state.pairs, state.plane_pairs, state.cylinder_pairs) + mesh(state.mesh_pairs) + mesh(work.old_meshes);
}

}  // namespace scree::SCREE_FLAVOR
