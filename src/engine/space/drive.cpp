#include "engine/space/drive.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/space/images.hpp"
#include "engine/state/flags.hpp"
#include "engine/state/id_sums.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr double answers = 5;     // time in which a stress is answered, in times of a contact
constexpr double settles = 20;    // integral time, in such times
constexpr double softest = 0.05;  // stiffness of the packing over that of a contact across a diameter, at the least
constexpr double far_off = 0.5;   // of the stresses asked for: by how much a target is another

/// Contacts of one class of pairs, by body.
struct PairRows {
    const RowStart* start;  // null where there are none
    const std::uint32_t* entry;
    const Slot *a, *b;
    Vec3View<Real> force;
};

struct CellContacts {
    PairRows rows[kBodyPairLists];
    BodyView body;
    const Slot* slot;
    int axes;  // that are periodic
    bool sheared;
    int along, across;

    /// From the slot of a collider to the centre of what carries it.
    SCREE_HD Vec3 centre(Index of, const ImagesOf& real) const {
        const Index i = real(of);
        const Vec3 x = body.position[of];
        return body.is_member(i) ? x + (body.position[slot[body.owner[i]]] - body.position[i]) : x;
    }
};

struct AddCell {
    CellContacts s;
    ImagesOf real;

    SCREE_HD void operator()(Index i, CellSums* sums) const {
        if (!s.body.is_member(i)) {
            const double mass = 1.0 / s.body.inverse_mass[i];
            sums->mass += mass;
            sums->moment += mass * s.body.position[i];
        }
        if (s.body.is_compound(i)) return;
        for (int l = 0; l < kBodyPairLists; ++l) {
            const PairRows& r = s.rows[l];
            if (r.start == nullptr) continue;
            for (Index k = r.start[i]; k < r.start[i + 1]; ++k) {
                const Index p = static_cast<Index>(r.entry[k] >> 1);
                const bool second = (r.entry[k] & 1u) != 0;
                const Vec3 f = (second ? -1.0 : 1.0) * cast<double>(r.force[p]);
                const double force = norm(f);
                if (force == 0) continue;
                add(s.centre(second ? r.a[p] : r.b[p], real) - s.centre(second ? r.b[p] : r.a[p], real), f, force, sums);
            }
        }
    }
    /// Half of a contact, whose other body has the other half. l: from the body to that; f: force on the body.
    SCREE_HD void add(Vec3 l, Vec3 f, double force, CellSums* sums) const {
        const double way[3] = {l.x, l.y, l.z}, push[3] = {f.x, f.y, f.z};
        const double l2 = norm2(l);
        if (!(l2 > 0)) return;
        sums->force += 0.5 * force;
        sums->contacts += 0.5;
        for (int a = 0; a < s.axes; ++a) {
            sums->stress[a] -= 0.5 * push[a] * way[a];
            sums->weight[a] += 0.5 * way[a] * way[a] * way[a] * way[a] / l2;
        }
        if (!s.sheared) return;
        const double x = way[s.along], y = way[s.across];
        sums->stress[kCellShear] += 0.25 * (push[s.along] * y + push[s.across] * x);
        sums->weight[kCellShear] += 0.5 * x * x * y * y / l2;
    }
};

AddCell add_cell(State& state, Workspace& work) {
    const Cell& cell = work.images.cell;
    AddCell add{{{}, state.bodies.view(), work.slot_of_id.data(), cell.periodic[2] ? 3 : 2, cell.sheared, cell.along, cell.across},
                images_of(work.images)};
    for (int l = 0; l < kBodyPairLists; ++l) {
        ContactList& pairs = state.lists[l];
        if (pairs.size() == 0 || pairs.row_start.size() == 0) continue;
        add.s.rows[l] = {pairs.row_start.data(), pairs.entry.data(), pairs.a.data(), pairs.b.data(), pairs.contacts.force.view()};
    }
    return add;
}

SCREE_HD void add(CellSums& to, const CellSums& from) {
    for (int c = 0; c < kCellComponents; ++c) {
        to.stress[c] += from.stress[c];
        to.weight[c] += from.weight[c];
    }
    to.force += from.force;
    to.contacts += from.contacts;
    to.mass += from.mass;
    to.moment += from.moment;
}

struct CellDriver {
    const CellStageView* stages;
    Index count;
    ContactScale contact;
    bool planar;
    double dt;

    /// What goes on at time t.
    SCREE_HD const CellStageView& stage_at(double t) const {
        Index k = 0;
        while (k + 1 < count && t >= stages[k].to) ++k;
        return stages[k];
    }

    SCREE_HD void drive(const CellSums& sums, double t, CellMotion& m) const {
        const Cell& cell = m.cell;
        const CellStageView& stage = stage_at(t);
        double volume = 1;  // where stresses are held all axes have a length
        for (int a = 0; a < 3; ++a) volume *= cell.periodic[a] ? cell.length[a] : 1.0;
        if (sums.mass > 0) m.centre = sums.moment / sums.mass;
        double asked = 0;
        for (int c = 0; c < kCellComponents; ++c) {
            m.stress[c] = sums.stress[c] / volume;
            const double target = stage.of[c].by == CellDrive::Stress ? std::fabs(value_at(stage.of[c].value, t)) : 0.0;
            asked = target > asked ? target : asked;
        }
        // A contact's force under that stress, or the mean of those there are.
        const double section = planar ? contact.diameter : contact.diameter * contact.diameter;
        const double there = sums.contacts > 0 ? sums.force / sums.contacts : 0.0;
        const double k = contact.stiffness_at(there > asked * section ? there : asked * section);
        const double least = softest * k / (planar ? 1.0 : contact.diameter), beat = std::sqrt(contact.mass / k);
        double rate[kCellComponents];
        for (int c = 0; c < kCellComponents; ++c) {
            const auto& of = stage.of[c];
            rate[c] = of.by == CellDrive::Rate ? value_at(of.value, t) : 0.0;
            if (of.by != CellDrive::Stress || !(k > 0)) {  // nothing pressed, nothing asked for
                m.integral[c] = m.missing[c] = m.target[c] = 0;
                continue;
            }
            const double found = k * sums.weight[c] / volume, stiffness = found > least ? found : least;
            const double target = value_at(of.value, t), missing = (c == kCellShear ? -1.0 : 1.0) * (m.stress[c] - target);
            const double gain = of.gain > 0 ? of.gain : 1.0 / (answers * beat * stiffness);
            const double time = of.integral_time > 0 ? of.integral_time : settles * answers * beat;
            // What piled up on the way to a target would carry the cell past it.
            const bool passed = m.missing[c] * missing < 0;
            const bool on_way = m.missing[c] != 0 || std::fabs(target - m.target[c]) > far_off * asked;
            if (passed) m.integral[c] = 0;
            m.missing[c] = on_way && !passed ? missing : 0.0;
            m.target[c] = target;
            rate[c] = controlled_rate(gain, missing, time, stage.max_rate, true, dt, m.integral[c]);
        }
        for (int a = 0; a < 3; ++a) m.growth[a] = rate[a] * cell.length[a];
        m.speed = cell.sheared ? cell.speed_at(rate[kCellShear], m.growth) : 0.0;
    }
};

/// The fastest that component c of a stage goes [1/s].
double fastest_of(const CellStage& stage, int c) {
    const CellComponent& of = stage.of[c];
    return of.by == CellDrive::Rate ? largest_of(of.value) : (of.by == CellDrive::Stress ? stage.max_rate : 0.0);
}

void load_stages(const Model& model, Images& im) {
    const ContactScale contact = contact_scale(model);
    std::vector<const TimeFunction*> functions;
    for (const CellStage& stage : model.domain.stages)
        for (const CellComponent& c : stage.of) functions.push_back(&c.value);
    im.stage_functions.load(functions);
    std::vector<CellStageView> views;
    std::size_t next = 0;
    for (const CellStage& stage : model.domain.stages) {
        CellStageView view{stage.to, stage.max_rate, {}};
        for (int c = 0; c < kCellComponents; ++c) {
            const CellComponent& of = stage.of[c];
            view.of[c] = {of.by, im.stage_functions.view(next++), of.gain, of.integral_time};
            im.fastest[c] = std::max(im.fastest[c], fastest_of(stage, c));
        }
        views.push_back(view);
    }
    im.stages.assign(views);
    im.contact = contact;
}

}  // namespace

void load_cell(const Model& model, Workspace& work) {
    Images& im = work.images;
    im.cell = cell_of(model);
    if (!im.cell.moves) return;
    CellMotion motion;
    motion.cell = im.cell;
    std::copy(im.cell.growth, im.cell.growth + 3, motion.growth);
    motion.speed = im.cell.speed;
    im.motion.assign(std::vector<CellMotion>{motion});
    im.driven = !shears_steadily(model);
    load_stages(model, im);
    look_at_cell(model, work);
}

void retime_stages(const Model& model, Workspace& work) {
    Images& im = work.images;
    if (!im.cell.moves) return;
    std::vector<CellStageView> views = im.stages.host();
    for (std::size_t s = 0; s < views.size(); ++s) views[s].to = model.domain.stages[s].to;
    im.stages.assign(views);
}

void look_at_cell(const Model& model, Workspace& work) {
    Images& im = work.images;
    if (!im.cell.moves) return;
    im.cell = im.motion.at(0).cell;
    im.way = im.fastest[kCellShear] * im.cell.length[im.cell.across];
    for (int a = 0; a < 3; ++a) im.way += im.fastest[a] * im.cell.length[a];
    im.way *= model.dt;
}

void drive_cell(const Model& model, State& state, Workspace& work) {
    Images& im = work.images;
    if (!im.driven) return;
    const Index parts = id_parts(work);
    im.sums.resize(parts);
    CellSums* part = im.sums.data();
    sum_by_ids(work, "space/cell_sums", 1, part, add_cell(state, work));
    const CellDriver driver{im.stages.data(), im.stages.size(), im.contact, model.dimensions == 2, model.dt};
    CellMotion* motion = im.motion.data();
    const std::int64_t* finished = work.flags.step();
    for_each(
        work.exec, "space/drive_cell", 1,
        SCREE_LAMBDA(Index)->void {
            CellSums sums{};
            for (Index b = 0; b < parts; ++b) add(sums, part[b]);
            driver.drive(sums, static_cast<double>(*finished) * driver.dt, *motion);
        },
        work.flags.gate());
}

void move_cell(const Model& model, State& state, Workspace& work) {
    Images& im = work.images;
    if (!im.cell.moves) return;
    CellMotion* motion = im.motion.data();
    const double dt = model.dt;
    for_each(
        work.exec, "space/move_cell", 1, SCREE_LAMBDA(Index)->void { motion->move(dt); }, work.flags.gate());
    if (!im.driven) return;
    const BodyView body = state.bodies.view();
    const Slot* slot = work.slot_of_id.data();
    const bool accounts = state.account;
    for_each(
        work.exec, "space/flow_with_cell", state.bodies.count,
        SCREE_LAMBDA(Index i)->void {
            const CellMotion& m = *motion;
            const Index whole = body.is_member(i) ? Index{slot[body.owner[i]]} : i;
            const Vec3 d = body.position[whole] - m.centre, before = body.velocity[i];
            const Vec3 after = before + (d.x * m.faster[0] + d.y * m.faster[1] + d.z * m.faster[2]);
            body.velocity.set(i, after);
            if (accounts && whole == i) body.work_walls[i] += 0.5 / body.inverse_mass[i] * (norm2(after) - norm2(before));
        },
        work.flags.gate());
}

void account_cell(const Model& model, State& state, Workspace& work) {
    const Images& im = work.images;
    if (!im.cell.moves || !state.account || model.method != Method::Penalty) return;
    const CellMotion* motion = im.motion.data();
    const ImageStep* step = im.step.data();
    double* account = state.bodies.work_walls.data();
    const double dt = model.dt;
    const Index first = im.bodies;
    for (int list = 0; list < kBodyPairLists; ++list) {
        ContactList& pairs = state.lists[list];
        if (pairs.size() == pairs.inner || pairs.row_start.size() == 0) continue;
        const Slot *a = pairs.a.data(), *b = pairs.b.data();
        const RowStart* start = pairs.row_start.data();
        const std::uint32_t* entry = pairs.entry.data();
        const Vec3View<Real> force = pairs.contacts.force.view();
        for_each(
            work.exec, "space/account_cell", state.bodies.count,
            SCREE_LAMBDA(Index i)->void {
                double power = 0;
                for (Index k = start[i]; k < start[i + 1]; ++k) {
                    const Index p = static_cast<Index>(entry[k] >> 1);
                    const bool second = (entry[k] & 1u) != 0;
                    const Slot me = second ? b[p] : a[p], other = second ? a[p] : b[p];
                    // Charged to the one that meets the other's image: what this moves faster by than its body is the cell's doing.
                    if (me >= first || other < first) continue;
                    const Vec3 on_me = (second ? -1.0 : 1.0) * cast<double>(force[p]);
                    power += dot(on_me, motion->cell.drift(step[other - first]));
                }
                account[i] += dt * power;
            },
            work.flags.gate());
    }
}

void keep_cell(Workspace& work) {
    Images& im = work.images;
    if (!im.cell.moves) return;
    im.motion_kept.resize(1);
    copy_within(im.motion_kept.data(), im.motion.data(), sizeof(CellMotion));
}

void restore_cell(Workspace& work) {
    if (work.images.cell.moves) work.images.motion.swap(work.images.motion_kept);
}

namespace {

/// All that a cell remembers, in the order in which it is saved.
template <class Motion, class Use>
void each_value(Motion& m, Use use) {
    for (int a = 0; a < 3; ++a) {
        use(m.cell.low[a]);
        use(m.cell.length[a]);
        use(m.cell.growth[a]);
        use(m.growth[a]);
    }
    use(m.cell.offset);
    use(m.cell.speed);
    use(m.cell.strain);
    use(m.speed);
    for (int c = 0; c < kCellComponents; ++c) {
        use(m.integral[c]);
        use(m.missing[c]);
        use(m.target[c]);
        use(m.stress[c]);
    }
    use(m.centre.x);
    use(m.centre.y);
    use(m.centre.z);
}

/// Which way a cell is sheared, as a number; -1: not at all.
double shear_of(const Cell& cell) {
    return cell.sheared ? 3 * cell.along + cell.across : -1;
}

}  // namespace

std::vector<double> saved_cell(const Workspace& work) {
    if (!work.images.cell.moves) return {};
    const CellMotion motion = work.images.motion.at(0);
    std::vector<double> values{shear_of(motion.cell)};
    each_value(motion, [&values](double v) { values.push_back(v); });
    return values;
}

void load_saved_cell(const std::vector<double>& values, Workspace& work) {
    CellMotion motion;
    motion.cell = work.images.cell;
    std::size_t expected = 1;
    each_value(motion, [&expected](double&) { ++expected; });
    if (values.size() != expected) throw Error("the checkpoint has another kind of periodic cell than the scene");
    std::size_t k = 1;
    each_value(motion, [&](double& v) { v = values[k++]; });
    if (!motion.cell.moves) throw Error("the checkpoint's domain is driven, the scene's is not: give it a [[domain.stage]]");
    if (motion.cell.offset != 0 && shear_of(motion.cell) != values[0])
        throw Error("the checkpoint's domain is sheared, the scene's is not, or another way: give its stages the shear that it has");
    work.images.motion.assign(std::vector<CellMotion>{motion});
}

}  // namespace scree::SCREE_FLAVOR
