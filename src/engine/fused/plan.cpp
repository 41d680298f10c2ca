#include <algorithm>
#include <vector>

#include "engine/fused/fused.hpp"
#include "engine/fused/order.hpp"
#include "engine/fused/prune.hpp"
#include "engine/fused/watch.hpp"
#include "engine/motion/servos.hpp"
#include "engine/space/drive.hpp"

namespace scree::SCREE_FLAVOR {

bool can_fuse(const Model& model, const State& state, const Workspace& work) {
    return !on_device && !work.exec.shuffle && work.exec.steps_ahead == 1 && model.method == Method::Penalty &&
           (!state.stores_forces || fuses_laws(model, state.account, state.has_compounds)) && !state.planar && !state.has_polyhedra &&
           can_fuse(model.penalty) && !work.images.driven && !(work.images.cell.moves && state.account);
}

FusedExtent fused_extent(const State& state, const Workspace& work) {
    const ContactList& pairs = state.lists[kSpheres];
    const FusedBuffers& buffers = work.fused;
    return {state.bodies.count,
            pairs.range,
            pairs.inner,
            pairs.size(),
            pairs.first.data(),
            buffers.rows_done.data(),
            buffers.prune.on ? buffers.near.data() : nullptr,
            !buffers.near_rows.on};
}

namespace {

/// FusedBuffers::rows_done: a step then need not find the rows that a stage completes, at the price of a branch for each. O(bodies +
/// pairs).
void lay_stages(State& state, Workspace& work) {
    const Index stages = end_of_stages(fused_extent(state, work)), crossing = state.lists[kSpheres].size() - state.lists[kSpheres].inner;
    work.fused.rows_done.resize(stages);
    work.fused.near.resize_zero(stages + (crossing + fused_stage - 1) / fused_stage);
    work.fused.order.resize(state.lists[kSpheres].size());
    const FusedExtent extent = fused_extent(state, work);
    std::uint32_t* rows_done = work.fused.rows_done.data();
    each_range(work.exec, extent.rows, extent.length, [&](Index, Index begin, Index end) {
        Index stage = first_stage(extent, begin), done = begin;
        for (Index at = extent.first[begin]; at < extent.first[end]; at += fused_stage) {
            while (done < end && extent.first[done + 1] <= at + fused_stage) ++done;
            rows_done[stage++] = static_cast<std::uint32_t>(done);
        }
    });
}

/// Entries that name pairs -> entries that name places: a step then finds a wrench with one load less, from memory that it walks along.
void name_places(State& state, Workspace& work) {
    if (work.fused.placed) return;
    const std::int32_t* place = work.fused.place.data();
    const Index entries = 2 * state.lists[kSpheres].size();
    std::uint32_t* entry = state.lists[kSpheres].entry.data();
    for_each(
        work.exec, "fused/name_places", entries,
        SCREE_LAMBDA(Index k)->void { entry[k] = 2u * static_cast<std::uint32_t>(place[entry[k] >> 1]) + (entry[k] & 1u); });
    work.fused.placed = true;
}

/// And back, by the same order of steps: a place serves many pairs, but one at a time.
void name_pairs(State& state, Workspace& work) {
    restore_list(state, work);
    if (!work.fused.placed) return;
    ContactList& pairs = state.lists[kSpheres];
    const std::int32_t* place = work.fused.place.data();
    const RowStart* row_start = pairs.row_start.data();
    std::uint32_t* entry = pairs.entry.data();
    work.fused.pair_at.resize(work.fused.wrench.size());
    std::uint32_t* pair_at = work.fused.pair_at.data();
    const auto put = [&](Index p) { pair_at[place[p]] = static_cast<std::uint32_t>(p); };
    const auto name = [&](Index i) {
        for (Index k = row_start[i]; k < row_start[i + 1]; ++k) entry[k] = 2 * pair_at[entry[k] >> 1] + (entry[k] & 1u);
    };
    for (Index p = pairs.inner; p < pairs.size(); ++p) put(p);
    const FusedExtent extent = fused_extent(state, work);
    each_range(work.exec, extent.rows, extent.length,
               [&](Index, Index begin, Index end) { in_fused_order(extent, begin, end, put, name); });
    work.fused.placed = false;
}

}  // namespace

void lend_forces(State& state, Workspace& work) {
    Contacts& contacts = state.lists[kSpheres].contacts;
    const Index n = state.lists[kSpheres].size();
    name_pairs(state, work);
    if (!work.fused.used || (n > 0 && contacts.force.size() == n)) return;
    Vec3Array<Real>& buffers = work.old_lists[kSpheres].contacts.stretch;
    buffers.resize(n);
    contacts.force.x.borrow(buffers.x.data(), n);
    contacts.force.y.borrow(buffers.y.data(), n);
    contacts.force.z.borrow(buffers.z.data(), n);
    const Index values = sizeof(Row4) / sizeof(Real);  // of a row
    work.rows.resize(std::max(work.rows.size(), (3 * n + values - 1) / values));
    auto* from = reinterpret_cast<Real*>(work.rows.data());
    contacts.twist.x.borrow(from, n);
    contacts.twist.y.borrow(from + n, n);
    contacts.twist.z.borrow(from + 2 * n, n);
    work.fused.saved = false;
}

void take_forces_back(State& state, Workspace& work) {
    restore_list(state, work);
    if (!work.fused.used) return;
    for (Vec3Array<Real>* v : {&state.lists[kSpheres].contacts.force, &state.lists[kSpheres].contacts.twist}) {
        v->x.drop();
        v->y.drop();
        v->z.drop();
    }
}

namespace {

/// Places of one range while its pairs are dealt with in the order of the fused step.
struct Places {
    std::vector<std::int32_t> free;  // given back
    std::int32_t taken{0};

    std::int32_t take() {
        if (free.empty()) return taken++;
        const std::int32_t place = free.back();
        free.pop_back();
        return place;
    }
};

/// Takes places for the pairs of slots [begin, end) and gives them back when the step has done the higher slot. Returns how many it needs.
std::int32_t deal_places(const FusedExtent& extent, const ContactList& pairs, FusedBuffers& buffers, Index begin, Index end) {
    const RowStart* row_start = pairs.row_start.data();
    const Slot *a = pairs.a.data(), *b = pairs.b.data();
    const std::uint32_t* entry = pairs.entry.data();
    std::int32_t* place = buffers.place.data();
    Places places;
    in_fused_order(
        extent, begin, end, [&](Index p) { place[p] = places.take(); },
        [&](Index i) {
            for (Index k = row_start[i]; k < row_start[i + 1]; ++k) {
                const std::uint32_t p = entry[k] >> 1;
                if (p < pairs.inner && std::max(a[p], b[p]) == i) places.free.push_back(place[p]);
            }
        });
    return places.taken;
}

/// Moves the places of a range's own pairs up by `by`.
void shift_places(const ContactList& pairs, FusedBuffers& buffers, Index begin, Index end, std::int32_t by) {
    for (Index p = pairs.first.data()[begin]; p < pairs.first.data()[end]; ++p) buffers.place.data()[p] += by;
}

}  // namespace

void plan_fused(State& state, Workspace& work) {
    const ContactList& pairs = state.lists[kSpheres];
    FusedBuffers& buffers = work.fused;
    const Index n = state.bodies.count, crossing = pairs.size() - pairs.inner;
    buffers.place.resize(pairs.size() + 1);
    for (Index p = pairs.inner; p < pairs.size(); ++p) buffers.place.data()[p] = static_cast<std::int32_t>(p - pairs.inner);
    lay_stages(state, work);
    const FusedExtent extent = fused_extent(state, work);
    const Index ranges = n == 0 ? 0 : (n + pairs.range - 1) / pairs.range;
    std::vector<std::int32_t> size(static_cast<std::size_t>(ranges));
    each_range(work.exec, n, pairs.range, [&](Index r, Index begin, Index end) {
        size[static_cast<std::size_t>(r)] = deal_places(extent, pairs, buffers, begin, end);
    });
    std::int32_t total = static_cast<std::int32_t>(crossing);
    for (std::int32_t& s : size) {
        const std::int32_t here = s;
        s = total;
        total += here;
    }
    each_range(work.exec, n, pairs.range, [&](Index r, Index begin, Index end) {
        const std::int32_t by = size[static_cast<std::size_t>(r)];
        if (by > 0) shift_places(pairs, buffers, begin, end, by);
    });
    buffers.wrench.resize(Index{total} + 1);
    buffers.wrench.data()[total] = {};
    if (state.account || state.rolls) {
        buffers.beside.resize(Index{total} + 1);
        buffers.beside.data()[total] = {};
    }
    buffers.place.data()[pairs.size()] = total;
    buffers.planned = true;
    buffers.prune.useless = false;
    buffers.saved = buffers.placed = false;
}

namespace {

template <class T>
void copy_array(const Exec& exec, Array<T>& to, const Array<T>& from) {
    to.resize(from.size());
    T* out = to.data();
    const T* in = from.data();
    for_each_simd(
        exec, "fused/copy", from.size(), SCREE_LAMBDA(Index i)->void { out[i] = in[i]; });
}

void copy_vectors(const Exec& exec, Vec3Array<Real>& to, const Vec3Array<Real>& from) {
    copy_array(exec, to.x, from.x);
    copy_array(exec, to.y, from.y);
    copy_array(exec, to.z, from.z);
}

/// What contacts remember of every list that spheres have: kept aside, or back.
void copy_history(State& state, Workspace& work, bool back) {
    for (const int list : {kSpheres, kPlanes, kCylinders, kMeshes}) {
        Contacts &now = state.lists[list].contacts, &aside = work.old_lists[list].contacts;
        Contacts &to = back ? now : aside, &from = back ? aside : now;
        copy_vectors(work.exec, to.stretch, from.stretch);
        copy_vectors(work.exec, to.roll, from.roll);
        copy_array(work.exec, to.torsion, from.torsion);
        copy_array(work.exec, to.bond, from.bond);
    }
}

/// n numbers of each column <-> `kept`, one column after the other; nothing where that is empty.
void copy_columns(const Exec& exec, Array<double>& kept, Index n, std::initializer_list<Array<double>*> columns, bool back) {
    if (kept.size() == 0) return;
    double* save = kept.data();
    for (Array<double>* column : columns) {
        double* now = column->data();
        for_each_simd(
            exec, "fused/copy_column", n, SCREE_LAMBDA(Index i)->void { (back ? now[i] : save[i]) = back ? save[i] : now[i]; });
        save += n;
    }
}

void copy_bodies(const Exec& exec, Bodies& bodies, Array<Row4>& rows, FusedBuffers& buffers, bool back) {
    const Index n = bodies.count;
    auto* saved = reinterpret_cast<double*>(rows.data());
    Row4 *x = bodies.position.rows.data(), *v = bodies.velocity.rows.data(), *w = bodies.angular_velocity.rows.data();
    for_each(
        exec, "fused/copy_bodies", n, SCREE_LAMBDA(Index i)->void {
            Row4* const row[3] = {x + i, v + i, w + i};
            for (int k = 0; k < saved_of_body; ++k) {  // companions do not change
                double *now = row[k / 3]->value + k % 3, *kept = saved + saved_of_body * i + k;
                (back ? *now : *kept) = back ? *kept : *now;
            }
        });
    copy_columns(exec, buffers.orientation, n, {&bodies.qw, &bodies.qx, &bodies.qy, &bodies.qz}, back);
    copy_columns(exec, buffers.accounts, n, {&bodies.work_damping, &bodies.work_friction, &bodies.work_walls}, back);
    copy_columns(exec, buffers.field_accounts, n, {&bodies.work_fields}, back);
}

}  // namespace

void begin_fused(const Model& model, State& state, Workspace& work) {
    FusedBuffers& buffers = work.fused;
    take_forces_back(state, work);
    work.rows.resize(std::max(work.rows.size(), 3 * state.bodies.count));
    buffers.orientation.resize(state.has_orientation ? 4 * state.bodies.count : 0);
    buffers.accounts.resize(state.account ? 3 * state.bodies.count : 0);
    buffers.field_accounts.resize(state.bodies.work_fields.size());
    copy_bodies(work.exec, state.bodies, work.rows, buffers, false);
    copy_history(state, work, false);
    keep_servos(work);
    keep_cell(work);
    name_places(state, work);
    begin_watch(model, state, work);
    buffers.saved = true;
    buffers.saved_step = state.step;
}

void restore_from_fused(State& state, Workspace& work) {
    restore_list(state, work);  // what was kept has the order of the list
    copy_bodies(work.exec, state.bodies, work.rows, work.fused, true);
    copy_history(state, work, true);
    restore_servos(work);
    restore_cell(work);
    state.step = work.fused.saved_step;
    work.fused.saved = false;
    name_pairs(state, work);
}

}  // namespace scree::SCREE_FLAVOR
