#include "engine/fused/fused.hpp"

#include "engine/exec/fused_rows.hpp"
#include "engine/fused/near_rows.hpp"
#include "engine/fused/prune.hpp"
#include "engine/fused/watch.hpp"
#include "engine/laws/laws.hpp"
#include "engine/motion/moves.hpp"
#include "engine/penalty/cohesion.hpp"
#include "engine/penalty/contact_state.hpp"
#include "engine/penalty/forces.hpp"
#include "engine/penalty/gather.hpp"
#include "engine/penalty/pair_losses.hpp"
#include "engine/penalty/rolled_pair.hpp"
#include "engine/penalty/rolling.hpp"
#include "engine/penalty/sphere_pairs.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

/// Where a body finds the forces of its contacts.
struct PairRows {
    const RowStart* row_start;
    const std::uint32_t* entry;  // place * 2 + (1 where the slot is b); may be read three past the end
    const PairWrench* wrench;
    const PairWrench* beside;  // losses or couples
    std::uint32_t blank;       // an entry whose wrench is zero
    NearRowsView near;         // to be read instead of these rows
    WallRowView planes, cylinders, meshes;
};

/// What a step has beside forces: nothing; what contacts take, for the energy account; couples against rolling and twisting.
enum class Beside { Nothing, Losses, Couples };

/// What a body's pairs give it, and take from it.
template <Beside Of>
struct WrenchSum {
    Quad force, twist;
};
template <>
struct WrenchSum<Beside::Losses> {
    Quad force, twist;
    LossSum loss;
};
template <>
struct WrenchSum<Beside::Couples> {
    Quad force, twist, couple;
};

template <Beside Of>
SCREE_HD WrenchSum<Of> no_wrench() {
    const Quad zero = quad_of({}, 0);
    if constexpr (Of == Beside::Losses) {
        return {zero, zero, {zero, zero}};
    } else if constexpr (Of == Beside::Couples) {
        return {zero, zero, zero};
    } else {
        return {zero, zero};
    }
}

template <Beside Of>
SCREE_HD void add_pair(WrenchSum<Of>& sum, const PairRows& in, std::uint32_t e) {
    const Real* from = in.wrench[e >> 1].value;
    sum.force = sum.force + negated_if(e & 1u, load_quad(from));
    sum.twist = sum.twist + load_quad(from + 4);
    if constexpr (Of == Beside::Couples) {
        sum.couple = sum.couple + negated_if(e & 1u, load_quad(in.beside[e >> 1].value));
    }
    if constexpr (Of == Beside::Losses) {
        const Real* lost = in.beside[e >> 1].value;
        sum.loss.damping = sum.loss.damping + turned_if(e & 1u, load_quad(lost));
        sum.loss.friction = sum.loss.friction + turned_if(e & 1u, load_quad(lost + 4));
    }
}

template <Beside Of>
SCREE_HD WrenchSum<Of> added(const WrenchSum<Of>& a, const WrenchSum<Of>& b) {
    if constexpr (Of == Beside::Couples) {
        return {a.force + b.force, a.twist + b.twist, a.couple + b.couple};
    } else if constexpr (Of == Beside::Losses) {
        return {a.force + b.force, a.twist + b.twist, {a.loss.damping + b.loss.damping, a.loss.friction + b.loss.friction}};
    } else {
        return {a.force + b.force, a.twist + b.twist};
    }
}

constexpr int chunk = 64;  // contacts that touch: sums of longer rows are those of such parts

/// As gather_chunked of penalty/gather.hpp: entry[0 .. count). What does not press may still lose, and counts for no part.
template <Beside Of, class Entry>
SCREE_HD WrenchSum<Of> add_pairs_chunked(const PairRows& in, const Entry* entry, Index count) {
    WrenchSum<Of> total = no_wrench<Of>(), part = no_wrench<Of>();
    int touching = 0;
    for (Index k = 0; k < count; ++k) {
        const Real* from = in.wrench[entry[k] >> 1].value;
        const Quad force = load_quad(from), twist = load_quad(from + 4);
        const bool presses = norm2_of(force) != 0 || norm2_of(twist) != 0;
        if (!presses && Of != Beside::Losses) continue;
        add_pair<Of>(part, in, entry[k]);
        if (!presses || ++touching < chunk) continue;
        total = added<Of>(total, part);
        part = no_wrench<Of>();
        touching = 0;
    }
    return added<Of>(total, part);
}

/// Near pairs of slot i.
template <Beside Of>
SCREE_HD WrenchSum<Of> add_near_pairs(const PairRows& in, Index i) {
    WrenchSum<Of> sum = no_wrench<Of>();
    const std::uint16_t* row = near_entries(in.near, i);
    if (row[NearRows::length - 1] == longer_row) {
        const ShortEntries all = longer_entries(in.near, row);
        if (all.count > chunk) return add_pairs_chunked<Of>(in, all.first, all.count);
        for (Index k = 0; k < all.count; ++k) add_pair<Of>(sum, in, all.first[k]);
        return sum;
    }
#if !defined(SCREE_ON_CUDA)
#pragma GCC unroll 8
#endif
    for (int k = 0; k < NearRows::length; ++k) {
        add_pair<Of>(sum, in, row[k]);
        in_order(sum.force, sum.twist);
        if constexpr (Of == Beside::Losses) in_order(sum.loss.damping, sum.loss.friction);
        if constexpr (Of == Beside::Couples) in_order(sum.couple, sum.twist);
    }
    return sum;
}

SCREE_HD void add_wall_wrenches(Quad& force, Quad& twist, const WallRowView& rows, Index i) {
    const PairRow row = row_of(rows.row_start, i);
    for (Index p = row.first; p < row.last; ++p) {
        force = force + quad_of(cast<double>(rows.contact.force[p]), 0);
        twist = twist + quad_of(cast<double>(rows.contact.twist[p]), 0);
    }
}

/// Contacts of slot i with other bodies, in the order of gather(), which adds those with walls behind them.
template <Beside Of>
SCREE_HD WrenchSum<Of> gather_wrenches(const PairRows& in, Index i) {
    if (in.near.entry != nullptr) return add_near_pairs<Of>(in, i);
    const Index first = in.row_start[i], last = in.row_start[i + 1];
    WrenchSum<Of> sum = no_wrench<Of>();
    if (last - first > chunk) {
        sum = add_pairs_chunked<Of>(in, in.entry + first, last - first);
    } else {
        // By fours, filled up with a wrench of zeros: rows differ in length, and a loop's end that cannot be foretold costs more than that.
        constexpr int group = 4;
        for (Index k = first; k < last; k += group) {
            for (int j = 0; j < group; ++j) {
                const std::uint32_t e = in.entry[k + j];
                add_pair<Of>(sum, in, k + j < last ? e : in.blank);
            }
        }
    }
    return sum;
}

constexpr std::uint32_t told = 1u << 31;  // not a flag: a body is faster than the skin's watch expects
static_assert(told > kTooFast);

/// The end of the step and the start of the next: both half kicks, then the drift, as half_kick and drift of motion/moves.hpp.
/// Companions stay: their lane of what is added is zero. Where speed2 < 0 the body's way from where the list looks for it is looked at,
/// else its speed.
SCREE_HD std::uint32_t move_body(const BodyView& body, Index i, Quad force, Quad twist, Quad couple, const MotionSettings& s,
                                 double speed2) {
    const Quad x = load_quad(body.position.row[i]), v = load_quad(body.velocity.row[i]), w = load_quad(body.angular_velocity.row[i]);
    const double h = 0.5 * s.dt;
    const Quad push = h * (body.inverse_mass[i] * force + quad_of(s.gravity, 0));
    const Quad turn = (h * body.inverse_inertia[i]) * (body.radius[i] * twist + couple);
    const Quad v_next = (v + push) + push, w_next = (w + turn) + turn;
    const Quad x_next = x + s.dt * with_last(v_next, quad_of({}, 0));
    store_quad(body.velocity.row[i].value, v_next);
    store_quad(body.angular_velocity.row[i].value, w_next);
    store_quad(body.position.row[i].value, x_next);
    if (speed2 >= 0) {
        if (!(norm2_of(v_next) <= speed2)) [[unlikely]]
            return told;
        return 0;
    }
    const double moved2 = norm2_of(x_next - quad_of(body.reference[i], 0));
    const std::uint32_t lost = moved2 < 1e60 ? 0u : kNotFinite;
    return moved2 > s.far2 ? kSkinExhausted | lost : lost;
}

/// Charges body i with what its pairs and walls take; the latter at the velocities halfway through its kicks.
template <class Law>
SCREE_HD void account_body(const SphereContacts& l, Index i, const WrenchSum<Beside::Losses>& pairs, Quad force, Quad twist,
                           const MotionSettings& s) {
    const BodyView& body = l.body;
    add_losses(body, i, pairs.loss, pairs.twist, force, twist, s.gravity, s.dt);
    if (!near_walls(l, i)) return;
    const Row4 v = body.velocity.row[i], w = body.angular_velocity.row[i];
    const double h = 0.5 * s.dt;
    store_quad(body.velocity.row[i].value, load_quad(v) + h * (body.inverse_mass[i] * force + quad_of(s.gravity, 0)));
    store_quad(body.angular_velocity.row[i].value,
               load_quad(w) + (h * body.inverse_inertia[i]) * (body.radius[i] * twist + quad_of({}, 0)));
    ContactPower power{0, 0, 0};
    each_wall_contact(l, i, AddPower<Law>{&power});
    body.velocity.row[i] = v;
    body.angular_velocity.row[i] = w;
    add_to_account(body, i, power, s.dt);
}

/// Nothing where no account is kept.
template <class Law, Beside Of>
SCREE_HD void account_body(const SphereContacts&, Index, const WrenchSum<Of>&, Quad, Quad, const MotionSettings&) {
}

/// Couples on body i.
SCREE_HD Quad couple_on(const RollColumns (&of_walls)[3], const WallRowView (&rows)[3], Index i, const WrenchSum<Beside::Couples>& pairs) {
    Quad sum = pairs.couple;
    for (int k = 0; k < 3; ++k) {
        const PairRow row = row_of(rows[k].row_start, i);
        for (Index p = row.first; p < row.last; ++p) sum = sum + quad_of(cast<double>(of_walls[k].couple[p]), 0);
    }
    return sum;
}
template <Beside Of>
SCREE_HD Quad couple_on(const RollColumns (&)[3], const WallRowView (&)[3], Index, const WrenchSum<Of>&) {
    return quad_of({}, 0);
}

/// What the parts of a contact's computation hand on to each other: first the distance, then the gap, then the pressed contact in
/// its place; behind it, where energy is accounted for, two more.
constexpr int held_values = 14, held_for_accounts = 16;
constexpr int held_lever = 13, held_elastic = 14, held_approach = 15;

SCREE_HD void hold(const Found<Real>& to, const PairDistance& of) {
    to.set(0, of.d);
    to.set(3, of.distance);
    to.set(4, of.sum_or_gap);
}
SCREE_HD PairDistance held_distance(const Found<Real>& from) {
    return {from.vector(0), from.get(3), from.get(4)};
}

SCREE_HD void hold(const Found<Real>& to, const ContactInput<Real>& c, Real smaller) {
    to.set(0, c.normal);
    to.set(3, c.velocity);
    to.set(6, c.R_eff);
    to.set(7, c.m_eff);
    to.set(8, smaller);
    to.set(11, c.spin);
    to.set(12, c.delta);
}
SCREE_HD ContactInput<Real> held_gap(const Found<Real>& from) {
    return {from.vector(0), from.get(12), from.vector(3), from.get(11), from.get(6), from.get(7), {}};
}
SCREE_HD Real held_radius(const Found<Real>& from) {
    return from.get(8);
}

/// The normal stays where it is.
SCREE_HD void hold(const Found<Real>& to, const PressedContact<Real>& c) {
    to.set(3, c.v_t);
    to.set(6, c.f_n);
    to.set(7, c.S_t);
    to.set(8, c.c_t);
    to.set(9, c.part);
    to.set(10, c.whole);
    to.set(11, c.turn);
}
SCREE_HD PressedContact<Real> held_contact(const Found<Real>& from) {
    return {from.vector(0), from.vector(3), from.get(6),  from.get(7), from.get(8), from.get(9),
            from.get(10),   from.get(11),   from.get(12), Real(0),     Real(0),     Real(0)};
}

SCREE_HD const char* as_bytes(const void* p) {
    return static_cast<const char*>(p);
}

/// Parts of laws that are asked for.
struct ExtraParts {
    RollStage couples;
    PullStage pulls;
};

/// Returns what was raised, and whether bodies were told of.
template <class Law, bool OneMaterial, Beside Of>
std::uint32_t fused_with(State& state, Workspace& work, const ForceSettings& s, const MotionSettings& motion, const ExtraParts& extras,
                         double speed2) {
    ContactList& pairs = state.lists[kSpheres];
    const BodyView body = state.bodies.view();
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const std::int32_t* law = pairs.law.data();
    const Vec3View<Real> stretch = pairs.contacts.stretch.view();
    const std::int32_t* place = work.fused.place.data();
    PairWrench* wrench = work.fused.wrench.data();
    const PairRows rows{pairs.row_start.data(),
                        pairs.entry.data(),
                        wrench,
                        work.fused.beside.data(),
                        2 * static_cast<std::uint32_t>(place[pairs.size()]),
                        near_rows_view(work.fused.near_rows),
                        wall_rows(state.lists[kPlanes]),
                        wall_rows(state.lists[kCylinders]),
                        wall_rows(state.lists[kMeshes])};
    const FusedExtent extent = fused_extent(state, work);
    const Index last = pairs.size() - 1;
    const auto load = SCREE_LAMBDA(Index p, Index later, const StageSlot<Real>& slot)->void {
        const Index soon = later < last ? later : last;
        // Of the two the higher slot is met for the first time, at places that no pattern foretells.
        fetch_rows_second(body, a[soon] < b[soon] ? b[soon] : a[soon]);
        if constexpr (Of == Beside::Couples) {
            load_rolling_pair(body, a[p], b[p], false, slot);
        } else {
            load_pair(body, a[p], b[p], slot);
        }
    };
    const RowStart *row_start = pairs.row_start.data(), *walls = state.lists[kPlanes].row_start.data();
    const Index starts = pairs.row_start.size() - 1;
    const auto streams = [=](Index p, Index row) {
        constexpr Index line = 64 / sizeof(RowStart), taken = 64;  // rows that a stage completes at the most, as a rule
        for (Index k = taken; k < 2 * taken; k += line) {
            if (rows.near.entry == nullptr) fetch_second(row_start + std::min(row + k, starts));
            if (walls != nullptr) fetch_second(walls + std::min(row + k, starts));
        }
        const Index next = std::min(p, last), after = std::min(p + fused_stage, last);  // slots are read a stage ahead
        const char* entries = rows.near.entry == nullptr ? as_bytes(rows.entry + row_start[row]) : as_bytes(near_entries(rows.near, row));
        return StreamsAhead{{as_bytes(a + after), as_bytes(b + after), as_bytes(place + next), as_bytes(stretch.x + next),
                             as_bytes(stretch.y + next), as_bytes(stretch.z + next), entries}};
    };
    PairWrench* beside = work.fused.beside.data();
    const auto put = SCREE_LAMBDA(Index p, int block)->Real* {
        return (block == 0 ? wrench : beside)[place[p]].value;
    };
    const auto gather = SCREE_LAMBDA(Index i)->WrenchSum<Of> {
        return gather_wrenches<Of>(rows, i);
    };
    const SphereContacts contacts = sphere_contacts(state, work);
    const RollColumns wall_couples[3] = {roll_columns(state.lists[kPlanes]), roll_columns(state.lists[kCylinders]),
                                         roll_columns(state.lists[kMeshes])};
    const WallRowView wall_lists[3] = {rows.planes, rows.cylinders, rows.meshes};
    const bool curved = rows.cylinders.row_start != nullptr || rows.meshes.row_start != nullptr;
    const auto move = SCREE_LAMBDA(Index i, const WrenchSum<Of>& of_pairs)->std::uint32_t {
        Quad force = of_pairs.force, twist = of_pairs.twist;
        add_wall_wrenches(force, twist, rows.planes, i);
        if (curved) {
            add_wall_wrenches(force, twist, rows.cylinders, i);
            add_wall_wrenches(force, twist, rows.meshes, i);
        }
        account_body<Law>(contacts, i, of_pairs, force, twist, motion);
        return move_body(body, i, force, twist, couple_on(wall_couples, wall_lists, i, of_pairs), motion, speed2);
    };
    std::uint32_t raised = 0;
    const auto all = [&](auto... compute) {
        constexpr int packs = Of == Beside::Couples ? roll_packs : pair_packs, blocks = Of == Beside::Nothing ? 1 : 2;
        constexpr int held = Of == Beside::Losses ? held_for_accounts : (Of == Beside::Couples ? held_for_rolling : held_values);
        fused_rows<packs, blocks, held, Real>(work.exec, "fused/spheres", extent, &raised, work.flags.gate(), load, streams, put, gather,
                                              move, compute...);
    };
    const auto measure = SCREE_LAMBDA(Index, const StageSlot<Real>& slot, const Found<Real>& found)->LaneFlags {
        hold(found, packed_distance(slot));
        return 0;
    };
    const auto close = SCREE_LAMBDA(Index, const StageSlot<Real>& slot, const Found<Real>& found)->LaneFlags {
        Real lever;
        const ContactInput<Real> in = packed_contact(slot, held_distance(found), {}, lever);
        hold(found, in, smaller_radius(slot));
        found.set(held_lever, lever);
        return 0;
    };
    const auto press = SCREE_LAMBDA(Index p, const StageSlot<Real>&, const Found<Real>& found)->LaneFlags {
        const ContactInput<Real> in = held_gap(found);
        const Real smaller = held_radius(found);
        const PressedContact<Real> out = pressed_contact<Law>(law_row<OneMaterial>(s, law, p), in, s.dt);
        hold(found, out);
        if constexpr (Of == Beside::Couples) hold_pressed(found, out, in.R_eff);
        if constexpr (Of == Beside::Losses) {
            found.set(held_elastic, out.f_el);
            found.set(held_approach, out.v_n);
        }
        return contact_flags(in.delta, smaller, out.f_n, s);
    };
    const auto carry = SCREE_LAMBDA(Index p, const StageSlot<Real>&, const Found<Real>& found)->LaneFlags {
        const PressedContact<Real> c = held_contact(found);
        stretch.set(p, multiply_add(s.dt, c.v_t, carried_stretch(stretch[p], c.normal, c.turn, c.part, c.whole)));
        return 0;
    };
    const auto rub = SCREE_LAMBDA(Index p, const StageSlot<Real>&, const Found<Real>& found)->LaneFlags {
        const Real lever = found.get(held_lever);
        PressedContact<Real> held = held_contact(found);
        const ContactOutput<Real> out = rubbed_contact(law_row<OneMaterial>(s, law, p).mu * held.f_n, held, stretch[p], s.dt);
        stretch.set(p, out.stretch);
        if constexpr (Of == Beside::Losses) {
            held.f_el = found.get(held_elastic);
            held.v_n = found.get(held_approach);
            const ContactLoss<Real> lost = contact_loss(held, out.force, out.stretch);
            found.set(6, lost.damping);
            found.set(9, lost.friction);
            found.set(12, lost.damping_power);
            found.set(13, lost.friction_power);
        }
        found.set(0, out.force);
        found.set(3, lever * out.twist);
        return 0;
    };
    if constexpr (Of == Beside::Couples) {
        all(measure, close, press, carry, rub, extras.couples, extras.pulls);
    } else {
        all(measure, close, press, carry, rub, extras.pulls);
    }
    return raised;
}

}  // namespace

void fused_step(const Model& model, State& state, Workspace& work) {
    wall_contact_forces(model, state, work, model.dt);
    rolling_couples(model, state, work, model.dt, true);
    cohesive_pulls(model, state, work, model.dt, true);
    const ForceSettings s = force_settings(model, work, model.dt);
    const MotionSettings motion = motion_settings(model, state);
    const double speed2 = speed_to_tell(model, state, work);
    SCREE_ASSERT(work.fused.placed);
    const double images_way = 0.5 * work.images.way;  // as if either of two bodies went half of it
    prune(state, work, speed2 >= 0 ? longest_way(model, work) + images_way : -1.0);
    std::uint32_t raised = 0;  // the host's: nothing is fused on a device
    with_law(model.penalty.law, [&](auto law) {
        if constexpr (!std::is_same_v<decltype(law), PowerLaw>) {
            const ExtraParts extras{roll_stage(model, state, work), pull_stage(model, state, work)};
            const auto step = [&](auto beside) {
                constexpr Beside Of = decltype(beside)::value;
                return model.materials.size() == 1 ? fused_with<decltype(law), true, Of>(state, work, s, motion, extras, speed2)
                                                   : fused_with<decltype(law), false, Of>(state, work, s, motion, extras, speed2);
            };
            raised = state.rolls     ? step(std::integral_constant<Beside, Beside::Couples>{})
                     : state.account ? step(std::integral_constant<Beside, Beside::Losses>{})
                                     : step(std::integral_constant<Beside, Beside::Nothing>{});
        }
    });
    *work.flags.pending() |= raised & ~told;
    if (speed2 < 0) return;
    const bool passed = (raised & told) != 0;
    end_pruned_step(work, passed ? state.skin : longest_way(model, work) + images_way);  // who passed may be anywhere
    end_watched_step(model, state, work, passed);
}

}  // namespace scree::SCREE_FLAVOR
