#include "engine/measure/patches.hpp"

#include <algorithm>
#include <limits>

#include "engine/laws/dissipation.hpp"
#include "engine/laws/laws.hpp"
#include "engine/measure/contact_sums.hpp"
#include "engine/measure/records.hpp"
#include "engine/penalty/convex_capacity.hpp"
#include "engine/penalty/flush_overlaps.hpp"
#include "engine/penalty/flush_spheres.hpp"
#include "engine/penalty/patch_input.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct Settings {
    PatchSettings patch;
    Law law;
    const LawRow* rows;
    const GeneralRow* general;
};

Settings settings_of(const Model& model, Workspace& work) {
    return {patch_settings(model, work), model.penalty.law, work.laws.data(), work.general.data()};
}

/// Greatest n . x over the corners of a placed polyhedron.
SCREE_HD double reach_along(const PlacedConvex<Real>& a, Vec3T<Real> n) {
    Real top = dot(a.vertex(0), n);
    for (std::int32_t k = 1; k < a.shape.vertices; ++k) {
        const Real here = dot(a.vertex(k), n);
        top = here > top ? here : top;
    }
    return static_cast<double>(top);
}

/// How a polyhedron touches a wall: by the number of its corners about as deep as the deepest, n into the wall. Two degrees of the bounding
/// radius tell a face from an edge.
SCREE_HD ContactKind wall_kind(const PlacedConvex<Real>& a, Vec3T<Real> n, double overlap) {
    const double top = reach_along(a, n), tilt = 0.035 * static_cast<double>(a.scale);
    const double level = top - (overlap > tilt ? overlap : tilt);
    int deep = 0;
    for (std::int32_t k = 0; k < a.shape.vertices; ++k) deep += static_cast<double>(dot(a.vertex(k), n)) > level ? 1 : 0;
    return deep <= 1 ? ContactKind::VertexFace : (deep == 2 ? ContactKind::EdgeFace : ContactKind::FaceFace);
}

/// Energy of the normal spring: exact where patches keep their form as they grow (S grows as a power q of the depth), as faces (q = 0),
/// edges (1) and corners (2) on faces do.
SCREE_HD double normal_energy(Law law, double elastic, double overlap, double depth) {
    const double q = overlap > depth ? overlap / depth - 1 : 0;
    switch (law) {
        case Law::Linear:
            return elastic * overlap / 2;
        case Law::Volume:
            return elastic * depth / 2;
        case Law::Power:
            return 0.4 * elastic * overlap;
        default:
            return elastic * overlap / (2 + q / 2);
    }
}

/// Energies and powers from the patch and what the contact holds. `torque`: on A; `wall`: velocity of B's surface where it is a moving
/// wall.
SCREE_HD void fill_energies(const Settings& s, const GeneralRow& row, const PatchInput<Real>& in, Vec3 force, Vec3 torque, Vec3 wall,
                            Vec3 w_wall, PatchState& out) {
    const PatchOutput<Real> law = patch_force(s.law, row, in, Real(0));
    const double elastic = static_cast<double>(law.elastic_force), S_t = static_cast<double>(law.tangential_stiffness);
    const double gyration2 = out.area / (2 * 3.14159265358979324);
    const Vec3 stretch = cast<double>(in.stretch), velocity = cast<double>(in.velocity), n = out.normal;
    const double turn = static_cast<double>(in.turn);
    out.elastic_normal = normal_energy(s.law, elastic, out.overlap, static_cast<double>(in.patch.depth));
    out.elastic_tangential = 0.5 * S_t * (norm2(stretch) + (s.law == Law::Volume ? 0.0 : gyration2 * turn * turn));
    const double v_n = dot(velocity, n), f_n = -dot(force, n);
    const Vec3 v_t = velocity - v_n * n, f_t = force + f_n * n;
    const Vec3 couple = torque - cross(cast<double>(in.patch.point), force);
    const double c_t = static_cast<double>(law.damping_t);
    const double taken = s.law == Law::Power ? dot(f_t, v_t) : dashpot_power(f_t - S_t * stretch, c_t);
    out.power_damping = (f_n - elastic) * -v_n + taken;
    out.power_friction = dot(f_t, v_t) - taken;
    // The volume law's couple is elastic for the most part; what its dashpots take by turning is left out of the account.
    if (s.law != Law::Volume) {
        const Vec3 w = cast<double>(in.w_b - in.w_a);
        const double held = dot(couple, n), w_n = dot(w, n);
        const double twisted = gyration2 > 0 ? dashpot_power((held / gyration2 - S_t * turn) * n, c_t) * gyration2 : 0.0;
        out.power_damping += dot(couple, w) - held * w_n + twisted;
        out.power_friction += held * w_n - twisted;
    }
    out.power_walls = dot(force, wall) + dot(couple, w_wall);
}

/// The same of what one of several bears of a contact with all.
SCREE_HD void fill_shared(const Settings& s, const GeneralRow& row, const PatchInput<Real>& in, const ContactView& c, Index p, Vec3 wall,
                          Vec3 w_wall, PatchState& out) {
    const double share = static_cast<double>(in.patch.share);
    fill_energies(s, row, in, cast<double>(c.force[p]) / share, cast<double>(c.twist[p]) / share, wall, w_wall, out);
    for (double* part :
         {&out.elastic_normal, &out.elastic_tangential, &out.power_damping, &out.power_friction, &out.power_walls, &out.area, &out.volume})
        *part *= share;
}

SCREE_HD void fill_patch(const PatchGeometry<Real>& g, Vec3 centre, PatchState& out) {
    out.touching = 1;
    out.area = static_cast<double>(g.area);
    out.volume = static_cast<double>(g.volume);
    out.normal = cast<double>(g.normal);
    out.point = centre + cast<double>(g.point);
}

/// What of a contact is wanted: for accounts its powers alone, which spare the search for its least depth and for how the two touch.
enum class Wanted { All, Powers };

template <int Capacity>
SCREE_HD PatchState convex_state(const BodyView& body, const ConvexPairView& v, const MeshPatches<Capacity>& walls, const Settings& s,
                                 Index p, Wanted wanted) {
    PatchState out{};
    std::int32_t feature = Patches::none;
    const PatchGeometry<Real> g = pair_patch<Capacity>(body, v, walls, p, s.patch, feature);
    if (!g.touching) return out;
    const Index i = v.a[p], j = v.b[p];
    fill_patch(g, body.position[i], out);
    const bool smooth = g.extent > Real(0);
    if (smooth) {
        out.overlap = static_cast<double>(g.extent);
        out.kind = static_cast<std::int32_t>(ContactKind::VertexFace);
    } else if (wanted == Wanted::All) {
        const PlacedConvex<Real> A = placed(body, s.patch.shapes, i, {});
        const PlacedConvex<Real> B = placed(body, s.patch.shapes, j, cast<Real>(relative_position(body.position[i], body.position[j])));
        const Axis<Real> axis = axis_of(A, B);
        out.overlap = axis.gap < Real(0) ? -static_cast<double>(axis.gap) : static_cast<double>(g.depth);
        out.kind = static_cast<std::int32_t>(axis.gap > Real(0) ? ContactKind::VertexFace : manifold(A, B, axis).kind);
    }
    PatchInput<Real> in = pair_input(body, s.patch, i, j, g);
    read_history(in, v.contact.stretch[p], v.patch.axis[p], v.patch.turn[p]);
    fill_shared(s, s.general[v.law[p]], in, v.contact, p, {}, {}, out);
    if (smooth) out.overlap = smooth_overlap(s.law, static_cast<double>(g.extent));
    return out;
}

template <class Law>
SCREE_HD ContactSprings<double> mixed_springs(const Settings& s, std::int32_t row, const ContactInput<Real>& in) {
    const double R = static_cast<double>(in.R_eff), m = static_cast<double>(in.m_eff), delta = static_cast<double>(in.delta);
    if constexpr (is_general_law<Law>) {
        return springs_of<Law>(wide(s.general[row]), R, m, delta, PlasticMemory<double>{});
    } else {
        return springs_of<Law>(s.rows[row], R, m, delta, PlasticMemory<double>{});
    }
}

/// A sphere and a polyhedron; the law is the spheres' own.
template <class Law>
SCREE_HD PatchState mixed_state(const BodyView& body, const ConvexPairView& v, const Settings& s, Index p) {
    PatchState out{};
    const MixedContact m = mixed_contact(body, v, p, s.patch);
    if (!(m.in.delta > Real(0))) return out;
    out.touching = 1;
    out.normal = cast<double>(m.in.normal);
    out.point = body.position[v.a[p]] + cast<double>(m.arm_a);
    out.overlap = static_cast<double>(m.in.delta);
    const ContactSprings<double> S = mixed_springs<Law>(s, v.law[p], m.in);
    const double S_t = S.tangential, c_t = S.damping_t;
    const Vec3 force = cast<double>(v.contact.force[p]), velocity = cast<double>(m.in.velocity), stretch = cast<double>(m.in.stretch);
    out.elastic_normal = normal_store<Law>(wide(s.general[v.law[p]]), static_cast<double>(m.in.R_eff), out.overlap, {});
    out.elastic_tangential = 0.5 * S_t * norm2(stretch);
    const double v_n = dot(velocity, out.normal), f_n = -dot(force, out.normal);
    const Vec3 v_t = velocity - v_n * out.normal, f_t = force + f_n * out.normal;
    const double taken = std::is_same_v<Law, PowerLaw> ? dot(f_t, v_t) : dashpot_power(f_t - S_t * stretch, c_t);
    out.power_damping = (f_n - S.elastic) * -v_n + taken;
    out.power_friction = dot(f_t, v_t) - taken;
    return out;
}

/// Depth of a polyhedron in a surface along the patch's normal.
template <int Capacity>
SCREE_HD double wall_depth(const PlanePatches<Capacity>& w, Index i, Index p, const PlacedConvex<Real>& a, const PatchGeometry<Real>& g) {
    const std::int32_t k = w.surface[p];
    const Vec3 point = w.places == nullptr ? w.planes.point[k] : placed(pose_in(&w.places[w.wall(p)]), w.planes.point[k]);
    return reach_along(a, g.normal) - dot(point - w.body.position[i], cast<double>(g.normal));
}
/// Of a curved or bounded surface: the mean depth.
template <class Surfaces>
SCREE_HD double wall_depth(const Surfaces&, Index, Index, const PlacedConvex<Real>&, const PatchGeometry<Real>& g) {
    return static_cast<double>(g.depth);
}

struct WallsView {
    const Slot* body;
    const std::int32_t* law;
    ContactView contact;
    PatchView patch;
    const WallPlace* places;
};

WallsView view_of(ContactList& pairs, Workspace& work) {
    return {pairs.a.data(), pairs.law.data(), pairs.contacts.view(), pairs.patches.view(), work.walls.motions.places()};
}

template <class Surfaces>
SCREE_HD PatchState wall_state(const BodyView& body, const Surfaces& surfaces, const WallsView& v, const Settings& s, Index p,
                               Wanted wanted) {
    PatchState out{};
    const Index i = v.body[p];
    const PatchGeometry<Real> g = surfaces.patch(i, p);
    if (!g.touching) return out;
    fill_patch(g, body.position[i], out);
    const bool smooth = g.extent > Real(0);
    if (smooth) {
        out.overlap = static_cast<double>(g.extent);
        out.kind = static_cast<std::int32_t>(ContactKind::VertexFace);
    } else if (wanted == Wanted::All) {
        const PlacedConvex<Real> a = placed(body, s.patch.shapes, i, {});
        out.overlap = wall_depth(surfaces, i, p, a, g);
        out.kind = static_cast<std::int32_t>(wall_kind(a, g.normal, out.overlap));
    }
    const RigidVelocity motion = v.places == nullptr ? RigidVelocity{} : velocity_in(&v.places[surfaces.wall(p)].now);
    const double carried = v.places == nullptr ? 0.0 : v.places[surfaces.wall(p)].inverse_mass;
    PatchInput<Real> in = wall_input(body, s.patch, i, g, surfaces.wall(p), motion);
    read_history(in, v.contact.stretch[p], v.patch.axis[p], v.patch.turn[p]);
    fill_shared(s, s.general[v.law[p]], in, v.contact, p, velocity_at(motion, out.point), motion.angular, out);
    if (smooth) out.overlap = smooth_overlap(s.law, static_cast<double>(g.extent));
    if (carried > 0) out.power_walls = 0;  // what a body's wall gives, the body loses
    return out;
}

/// A stretch of a list: a state takes as much memory as the pair itself, so measures look at one stretch after the other.
struct Piece {
    Index first{0}, count{0};
};
constexpr Index whole = std::numeric_limits<Index>::max();

/// use(piece) for all pieces of n entries, of at most `most`; one that is empty where n is 0.
template <class Use>
void each_piece(Index n, Index most, Use use) {
    Index first = 0;
    do {
        use(Piece{first, std::min(most, n - first)});
        first += std::min(most, n - first);
    } while (first < n);
}

template <int Capacity>
void convex_states(Workspace& work, BodyView body, ContactList& pairs, const MeshPatches<Capacity>& walls, Piece piece, const Settings& s,
                   Wanted wanted, Array<PatchState>& states) {
    states.resize(piece.count);
    PatchState* out = states.data();
    const ConvexPairView v = convex_pair_view(pairs);
    const Index first = piece.first;
    for_each(
        work.exec, "measure/convex_pairs", piece.count,
        SCREE_LAMBDA(Index k)->void { out[k] = convex_state<Capacity>(body, v, walls, s, first + k, wanted); });
}

template <class Law>
void mixed_states(Workspace& work, BodyView body, ContactList& pairs, Piece piece, const Settings& s, Array<PatchState>& states) {
    states.resize(piece.count);
    PatchState* out = states.data();
    const ConvexPairView v = convex_pair_view(pairs);
    const Index first = piece.first;
    for_each(
        work.exec, "measure/mixed_pairs", piece.count, SCREE_LAMBDA(Index k)->void { out[k] = mixed_state<Law>(body, v, s, first + k); });
}

template <class Surfaces>
void wall_states(Workspace& work, BodyView body, Surfaces surfaces, ContactList& pairs, Piece piece, const Settings& s, Wanted wanted,
                 Array<PatchState>& states) {
    states.resize(piece.count);
    PatchState* out = states.data();
    const WallsView v = view_of(pairs, work);
    const Index first = piece.first;
    for_each(
        work.exec, "measure/convex_walls", piece.count,
        SCREE_LAMBDA(Index k)->void { out[k] = wall_state(body, surfaces, v, s, first + k, wanted); });
}

/// Entries of a piece, on the host.
template <class T>
std::vector<T> host_piece(const Array<T>& array, Piece piece) {
    std::vector<T> values(static_cast<std::size_t>(piece.count));
    if (piece.count > 0) copy_to_host(values.data(), array.data() + piece.first, values.size() * sizeof(T));
    return values;
}
std::vector<Vec3T<Real>> host_piece(const Vec3Array<Real>& array, Piece piece) {
    const std::vector<Real> x = host_piece(array.x, piece), y = host_piece(array.y, piece), z = host_piece(array.z, piece);
    std::vector<Vec3T<Real>> values(x.size());
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = {x[k], y[k], z[k]};
    return values;
}

PatchRecord record_of(const PatchState& state, Vec3 centre, Vec3 force, Vec3 torque, double thickness) {
    PatchRecord r;
    r.contact.point = state.point;
    r.contact.normal = state.normal;
    r.contact.overlap = state.overlap;
    r.contact.overlap_ratio = state.overlap / thickness;
    r.contact.force = force;
    r.contact.torque = torque - cross(state.point - centre, force);
    r.contact.kind = static_cast<ContactKind>(state.kind);
    r.contact.area = state.area;
    r.contact.volume = state.volume;
    r.elastic_normal = state.elastic_normal;
    r.elastic_tangential = state.elastic_tangential;
    return r;
}

/// A contact that carries force at a gap within the solver's tolerance of zero (cone method): along the force, at the point of its line of
/// action that is nearest to the centre of A.
PatchState light_touch(Vec3 centre, Vec3 force, Vec3 torque) {
    PatchState out{};
    out.touching = 1;
    out.normal = -1.0 * normalized(force);
    out.point = centre + cross(force, torque) / norm2(force);
    return out;
}

void add_pairs(const HostBodies& bodies, const std::vector<double>& thickness, ContactList& pairs, Piece piece,
               const Array<PatchState>& states, std::vector<PatchRecord>& records) {
    const std::vector<PatchState> patch = states.host();
    const std::vector<Slot> a = host_piece(pairs.a, piece), b = host_piece(pairs.b, piece);
    const std::vector<Vec3T<Real>> force = host_piece(pairs.contacts.force, piece), torque = host_piece(pairs.contacts.twist, piece);
    for (std::size_t p = 0; p < patch.size(); ++p) {
        const Vec3 f = cast<double>(force[p]), t = cast<double>(torque[p]);
        if (patch[p].touching == 0 && norm2(f) == 0) continue;
        const auto i = static_cast<std::size_t>(a[p]), j = static_cast<std::size_t>(b[p]);
        const PatchState seen = patch[p].touching != 0 ? patch[p] : light_touch(bodies.position[i], f, t);
        PatchRecord r = record_of(seen, bodies.position[i], f, t, std::min(thickness[i], thickness[j]));
        r.contact.a = bodies.id[i];
        r.contact.b = bodies.id[j];
        records.push_back(r);
    }
}

void add_walls(const HostBodies& bodies, const std::vector<double>& thickness, ContactList& pairs, const std::vector<std::int32_t>& wall_of,
               Piece piece, const Array<PatchState>& states, std::vector<PatchRecord>& records) {
    const std::vector<PatchState> patch = states.host();
    const std::vector<Slot> body = host_piece(pairs.a, piece);
    const std::vector<std::int32_t> surface = host_piece(pairs.b, piece);
    const std::vector<Vec3T<Real>> force = host_piece(pairs.contacts.force, piece), torque = host_piece(pairs.contacts.twist, piece);
    for (std::size_t p = 0; p < patch.size(); ++p) {
        const Vec3 f = cast<double>(force[p]), t = cast<double>(torque[p]);
        if (patch[p].touching == 0 && norm2(f) == 0) continue;
        const auto i = static_cast<std::size_t>(body[p]);
        const PatchState seen = patch[p].touching != 0 ? patch[p] : light_touch(bodies.position[i], f, t);
        PatchRecord r = record_of(seen, bodies.position[i], f, t, thickness[i]);
        r.contact.a = bodies.id[i];
        r.contact.wall = wall_of[static_cast<std::size_t>(surface[p])];
        records.push_back(r);
    }
}

/// What kernels that account have of one list.
struct AccountView {
    BodyView body;
    double dt;
};

SCREE_HD void add_power(const AccountView& v, Index i, const PatchState& s) {
    if (s.touching == 0) return;
    v.body.work_damping[i] += v.dt * s.power_damping;
    v.body.work_friction[i] += v.dt * s.power_friction;
    v.body.work_walls[i] += v.dt * s.power_walls;
}

/// Contacts of each body that it owns, in the order of its row.
void account_rows(Workspace& work, AccountView v, ContactList& pairs, const Array<PatchState>& states, Index bodies) {
    const RowStart* start = pairs.row_start.data();
    const std::uint32_t* entry = pairs.entry.data();
    const PatchState* patch = states.data();
    for_each(
        work.exec, "measure/account_convex", bodies,
        SCREE_LAMBDA(Index i)->void {
            for (Index k = start[i]; k < start[i + 1]; ++k) {
                if ((entry[k] & 1u) == 0) add_power(v, i, patch[entry[k] >> 1]);
            }
        },
        work.flags.gate());
}

void account_walls(Workspace& work, AccountView v, ContactList& pairs, const Array<PatchState>& states, Index bodies) {
    const RowStart* start = pairs.row_start.data();
    const PatchState* patch = states.data();
    for_each(
        work.exec, "measure/account_convex_walls", bodies,
        SCREE_LAMBDA(Index i)->void {
            const PairRow row = row_of(start, i);
            for (Index p = row.first; p < row.last; ++p) add_power(v, i, patch[p]);
        },
        work.flags.gate());
}

/// States of every list, piece by piece of at most `most` pairs, each handed to use(list, piece, states).
template <class Use>
void each_pair_list(const Model& model, State& state, Workspace& work, Index most, Wanted wanted, Use use) {
    mark_covered(model, state, work);
    const Settings s = settings_of(model, work);
    const BodyView body = state.bodies.view();
    Array<PatchState>& states = work.patch_states;
    each_piece(state.lists[kMixed].size(), most, [&](Piece piece) {
        with_round_law(model.penalty, [&](auto law) { mixed_states<decltype(law)>(work, body, state.lists[kMixed], piece, s, states); });
        use(state.lists[kMixed], piece, states);
    });
    each_piece(state.lists[kConvex].size(), most, [&](Piece piece) {
        with_capacity(work.shapes.most_corners, [&](auto buffers) {
            constexpr int Capacity = decltype(buffers)::value;
            const MeshPatches<Capacity> walls = mesh_patches<Capacity>(state, work, s.patch);
            convex_states<Capacity>(work, body, state.lists[kConvex], walls, piece, s, wanted, states);
        });
        use(state.lists[kConvex], piece, states);
    });
}

template <class Use>
void each_wall_list(const Model& model, State& state, Workspace& work, Index most, Wanted wanted, Use use) {
    const Settings s = settings_of(model, work);
    const BodyView body = state.bodies.view();
    Array<PatchState>& states = work.patch_states;
    const auto look_at = [&](auto surfaces, auto& pairs, Array<std::int32_t>& wall_of) {
        each_piece(pairs.size(), most, [&](Piece piece) {
            wall_states(work, body, surfaces, pairs, piece, s, wanted, states);
            use(pairs, wall_of, piece, states);
        });
    };
    with_capacity(work.shapes.most_corners, [&](auto buffers) {
        constexpr int Capacity = decltype(buffers)::value;
        look_at(plane_patches<Capacity>(state, work, s.patch), state.lists[kConvexPlanes], work.walls.plane_wall);
        look_at(cylinder_patches<Capacity>(state, work, s.patch), state.lists[kConvexCylinders], work.walls.cylinder_wall);
        look_at(mesh_patches<Capacity>(state, work, s.patch), state.lists[kConvexMeshes], work.walls.patch_wall);
    });
}

}  // namespace

std::vector<PatchRecord> convex_pair_records(const Model& model, State& state, Workspace& work) {
    std::vector<PatchRecord> records;
    if (!state.has_polyhedra) return records;
    const HostBodies bodies(state.bodies, work.images);
    const std::vector<double> thickness = HostBodies::thicknesses(model, state.bodies, work.images);
    each_pair_list(model, state, work, patch_piece, Wanted::All, [&](ContactList& pairs, Piece piece, const Array<PatchState>& states) {
        add_pairs(bodies, thickness, pairs, piece, states, records);
    });
    std::sort(records.begin(), records.end(), [](const PatchRecord& x, const PatchRecord& y) {
        return x.contact.a != y.contact.a ? x.contact.a < y.contact.a : x.contact.b < y.contact.b;
    });
    return records;
}

std::vector<PatchRecord> convex_wall_records(const Model& model, State& state, Workspace& work) {
    std::vector<PatchRecord> records;
    if (!state.has_polyhedra) return records;
    const HostBodies bodies(state.bodies, work.images);
    const std::vector<double> thickness = HostBodies::thicknesses(model, state.bodies, work.images);
    each_wall_list(model, state, work, patch_piece, Wanted::All,
                   [&](auto& pairs, Array<std::int32_t>& wall_of, Piece piece, const Array<PatchState>& states) {
                       add_walls(bodies, thickness, pairs, wall_of.host(), piece, states, records);
                   });
    for (PatchRecord& r : records) r.contact.wall = work.walls.joined.wall_at(r.contact.wall, r.contact.point);
    std::stable_sort(records.begin(), records.end(), [](const PatchRecord& x, const PatchRecord& y) { return x.contact.a < y.contact.a; });
    return records;
}

void add_patch_records(const Model& model, State& state, Workspace& work, std::vector<ContactRecord>& records) {
    for (const PatchRecord& r : convex_pair_records(model, state, work)) records.push_back(r.contact);
    for (const PatchRecord& r : convex_wall_records(model, state, work)) records.push_back(r.contact);
}

void account_patches(const Model& model, State& state, Workspace& work) {
    if (!state.has_polyhedra) return;
    const AccountView v{state.bodies.view(), model.dt};
    const Index bodies = state.bodies.count;
    each_pair_list(model, state, work, whole, Wanted::Powers,
                   [&](ContactList& pairs, Piece, const Array<PatchState>& states) { account_rows(work, v, pairs, states, bodies); });
    each_wall_list(
        model, state, work, whole, Wanted::Powers,
        [&](auto& pairs, Array<std::int32_t>&, Piece, const Array<PatchState>& states) { account_walls(work, v, pairs, states, bodies); });
}

}  // namespace scree::SCREE_FLAVOR
