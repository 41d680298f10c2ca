#include "engine/step/contact_storage.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "engine/step/fields.hpp"
#include "model/limits.hpp"
#include "model/surfaces/mesh_topology.hpp"

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

template <class T>
void mark_known(const Array<T>& array, T unset, std::vector<std::uint8_t>& marked) {
    const std::vector<T> values = array.host();
    for (std::size_t p = 0; p < values.size(); ++p) marked[p] |= values[p] == unset ? 0 : 1;  // what is not a number among them
}
void mark_known(const Vec3Array<Real>& vectors, std::vector<std::uint8_t>& marked) {
    for (const Array<Real>* component : {&vectors.x, &vectors.y, &vectors.z}) mark_known(*component, Real(0), marked);
}

/// Pairs of which anything is known that later steps or records need; what a list does not have marks none.
std::vector<std::size_t> holding(ContactList& pairs) {
    std::vector<std::uint8_t> marked(static_cast<std::size_t>(pairs.size()));
    mark_known(pairs.contacts.stretch, marked);
    mark_known(pairs.contacts.force, marked);
    mark_known(pairs.contacts.roll, marked);
    mark_known(pairs.contacts.torsion, Real(0), marked);
    mark_known(pairs.contacts.deepest, Real(0), marked);
    mark_known(pairs.contacts.pull, Real(0), marked);
    mark_known(pairs.contacts.bond, Real(kNoBond), marked);
    mark_known(pairs.patches.axis, marked);
    mark_known(pairs.patches.points.key[0], PointHistory::no_key, marked);
    mark_known(pairs.distance, no_contact, marked);
    std::vector<std::size_t> list;
    list.reserve(static_cast<std::size_t>(std::count(marked.begin(), marked.end(), 1)));
    for (std::size_t p = 0; p < marked.size(); ++p) {
        if (marked[p] != 0) list.push_back(p);
    }
    return list;
}

std::string field_name(const ListLayout& layout, const Column& column) {
    return std::string(layout.name) + column.name + column.part;
}

/// Numbers of a column's entries, one after the other.
template <class T>
std::vector<T> numbers_of(std::vector<T> values) {
    return values;
}
std::vector<Real> numbers_of(std::vector<KeptPoints> all) {
    std::vector<Real> numbers;
    for (KeptPoints& one : all) {
        for (int k = 0; k < KeptPoints::values; ++k) numbers.push_back(one.value(k));
    }
    return numbers;
}
template <class T>
std::vector<T> entries_of(const EngineState& in, const std::string& name) {
    if constexpr (std::is_same_v<T, KeptPoints>) {
        const std::vector<Real> numbers = take<Real>(in, name);
        std::vector<KeptPoints> all(numbers.size() / KeptPoints::values);
        for (std::size_t p = 0; p < all.size(); ++p) {
            for (int k = 0; k < KeptPoints::values; ++k) all[p].value(k) = numbers[p * KeptPoints::values + static_cast<std::size_t>(k)];
        }
        return all;
    } else {
        return take<T>(in, name);
    }
}

void save_list(EngineState& out, const ListLayout& layout, std::uint32_t groups, ContactList& pairs, const std::vector<std::uint32_t>& id) {
    const std::vector<std::size_t> list = holding(pairs);
    const auto ids = [&](const Array<Slot>& slots) {
        const std::vector<Slot> slot = slots.host();
        std::vector<std::uint32_t> of;
        of.reserve(list.size());
        for (const std::size_t p : list) of.push_back(id[static_cast<std::size_t>(slot[p])]);
        return of;
    };
    const std::string name = layout.name;
    put(out, name + layout.first_name(), ids(pairs.a));
    if (layout.two_bodies()) {
        put(out, name + layout.second_name(), ids(pairs.b));
    } else {
        put(out, name + layout.second_name(), chosen_of(pairs.b.host(), list));
    }
    each_column(
        [&](const Column& column, auto& array) {
            if ((groups & column.group) == 0 || column.saved == Saved::Never) return;
            auto chosen = chosen_of(array.host(), list);  // the list's own entries are gone by the next line: they may be many
            put(out, field_name(layout, column), numbers_of(std::move(chosen)));
        },
        static_cast<ContactColumns&>(pairs));
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
std::vector<std::size_t> lay_old_rows(const std::vector<Slot>& a, const std::vector<Slot>& b, std::size_t bodies, OldContacts& old) {
    std::vector<std::size_t> list(a.size());
    for (std::size_t p = 0; p < list.size(); ++p) list[p] = p;
    const auto lower = [&](std::size_t p) { return std::min(a[p], b[p]); };
    std::stable_sort(list.begin(), list.end(), [&](std::size_t p, std::size_t q) { return lower(p) < lower(q); });
    std::vector<Slot> higher;
    higher.reserve(list.size());
    for (const std::size_t p : list) higher.push_back(std::max(a[p], b[p]));
    old.first.assign(row_starts(list, bodies, lower));
    old.crossing.resize(0);
    old.partner.assign(higher);
    return list;
}

/// Saved pairs of bodies, into rows of the list set aside. Returns the saved entries in their order there.
std::vector<std::size_t> lay_bodies(const EngineState& in, const ListLayout& layout, const std::vector<Slot>& slot_of_id,
                                    std::size_t bodies, OldContacts& old) {
    const std::string name = layout.name;
    return lay_old_rows(slots_of(take<std::uint32_t>(in, name + layout.first_name()), slot_of_id),
                        slots_of(take<std::uint32_t>(in, name + layout.second_name()), slot_of_id), bodies, old);
}

/// The same of pairs with surfaces, by slot and surface. map: saved surface -> surface.
std::vector<std::size_t> lay_surfaces(const EngineState& in, const ListLayout& layout, const std::vector<std::int32_t>& map,
                                      const std::vector<Slot>& slot_of_id, std::size_t bodies, OldContacts& old) {
    const std::string name = layout.name;
    const std::vector<Slot> slot = slots_of(take<std::uint32_t>(in, name + layout.first_name()), slot_of_id);
    const std::vector<std::int32_t> surface = take<std::int32_t>(in, name + layout.second_name());
    std::vector<std::size_t> list;
    for (std::size_t p = 0; p < slot.size(); ++p) {
        if (map.at(static_cast<std::size_t>(surface.at(p))) >= 0) list.push_back(p);
    }
    const auto mapped = [&](std::size_t p) { return map[static_cast<std::size_t>(surface[p])]; };
    std::sort(list.begin(), list.end(),
              [&](std::size_t p, std::size_t q) { return slot[p] != slot[q] ? slot[p] < slot[q] : mapped(p) < mapped(q); });
    std::vector<std::int32_t> surfaces;
    surfaces.reserve(list.size());
    for (const std::size_t p : list) surfaces.push_back(mapped(p));
    old.partner.assign(surfaces);
    old.first.assign(row_starts(list, bodies, [&](std::size_t p) { return slot[p]; }));
    return list;
}

void load_columns(const Exec& exec, const EngineState& in, const ListLayout& layout, std::uint32_t groups,
                  const std::vector<std::size_t>& list, OldContacts& old) {
    resize_columns(exec, old, static_cast<Index>(list.size()), groups);
    const std::size_t last = list.empty() ? 0 : *std::max_element(list.begin(), list.end());
    each_column(
        [&](const Column& column, auto& array) {
            using T = typename std::remove_reference_t<decltype(array)>::Value;
            if (array.size() == 0 || column.saved == Saved::Never) return;
            const std::string name = field_name(layout, column);
            if (column.saved == Saved::Optional && in.find(name) == nullptr) return;
            const std::vector<T> values = entries_of<T>(in, name);
            if (values.size() <= last) throw Error("the checkpoint is damaged: field " + name + " is too short");
            array.assign(chosen_of(values, list));
        },
        static_cast<ContactColumns&>(old));
}

/// Lists of polyhedra where the model has none stand in no checkpoint.
bool in_checkpoints(const State& state, const ListLayout& layout) {
    return !layout.has_patch() || state.has_polyhedra;
}

}  // namespace

void save_contacts(const Model& model, State& state, const Workspace& work, EngineState& out) {
    std::vector<std::uint32_t> id = state.bodies.id.host();
    for (const Slot of : work.images.of.host()) id.push_back(id[static_cast<std::size_t>(of)]);
    each_list(
        [&](const ListLayout& layout, ContactList& list) {
            if (in_checkpoints(state, layout)) save_list(out, layout, groups_of(layout, list_parts(model, state.account)), list, id);
        },
        state.lists);
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
}

void load_contacts(const Model& model, const EngineState& saved, const std::vector<Slot>& slot_of_id, State& state, Workspace& work) {
    const std::vector<WallSurfaces> now = surfaces_of(model);
    const auto bodies = static_cast<std::size_t>(state.bodies.count);
    each_list(
        [&](const ListLayout& layout, OldContacts& old) {
            if (!in_checkpoints(state, layout)) return;
            const std::vector<std::size_t> list =
                layout.two_bodies() ? lay_bodies(saved, layout, slot_of_id, bodies, old)
                                    : lay_surfaces(saved, layout, surface_map(saved, now, layout.surface_class()), slot_of_id, bodies, old);
            load_columns(work.exec, saved, layout, groups_of(layout, list_parts(model, state.account)), list, old);
        },
        work.old_lists);
}

}  // namespace scree::SCREE_FLAVOR
