// Impulses of the solution -> forces of the pair lists: what records and wall loads read, and where the next step starts from.
#include "engine/cone/points/contact_geometry.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct Solution {
    const Vec3R *impulse, *couple, *normal;
    const Real* pull;
    Real per_kick;

    SCREE_HD Vec3R push(Index k) const { return per_kick * impulse[k] - pull[k] * normal[k]; }
};

void keep_spheres(Workspace& work, Solution x, Contacts& contacts, PairRows& rows) {
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    const ContactView c = contacts.view();
    for_each(
        work.exec, "cone/keep_spheres", contacts.size(), SCREE_LAMBDA(Index p)->void {
            const bool any = count[p] > 0;
            const Index k = any ? first[p] : 0;
            const Vec3R force = any ? -x.push(k) : Vec3R{};
            c.force.set(p, force);
            c.twist.set(p, any ? cross(x.normal[k], force) : Vec3R{});
            c.stretch.set(p, any && x.couple != nullptr ? x.per_kick * x.couple[k] : Vec3R{});
        });
}

/// torque_b: null for walls; a, b: slots of pairs of bodies.
struct PointPairs {
    const Slot *a, *b;
    BodyView body;
    ContactView contact;
    Vec3View<Real> torque_b;
    PointsView memory;
};

void keep_points(Workspace& work, Index pairs, Solution x, PointPairs l, PairRows& rows) {
    const std::int32_t *count = rows.count.data(), *first = rows.first.data();
    const ContactPoints<Real>* points = rows.points.data();
    for_each(
        work.exec, "cone/keep_points", pairs, SCREE_LAMBDA(Index p)->void {
            // What neither touches nor touched a step ago keeps its zeros.
            if (count[p] == 0 && l.memory.key[0][p] == PointHistory::no_key) return;
            Vec3R force{}, torque_a{}, torque_b{};
            const Vec3R to_b = l.b != nullptr ? cast<Real>(relative_position(l.body.position[l.a[p]], l.body.position[l.b[p]])) : Vec3R{};
            for (std::int32_t q = 0; q < 4; ++q) {
                const bool used = q < count[p];
                const Vec3R push = used ? x.push(first[p] + q) : Vec3R{};
                l.memory.key[q][p] = used ? points[p].key[q] : PointHistory::no_key;
                l.memory.push[q].set(p, push);
                if (!used) continue;
                const Vec3R at = points[p].point[q];
                force -= push;
                torque_a -= cross(at, push);
                torque_b += cross(at - to_b, push);
            }
            l.contact.force.set(p, force);
            l.contact.twist.set(p, torque_a);
            if (l.torque_b.x != nullptr) l.torque_b.set(p, torque_b);
        });
}

}  // namespace

void keep_forces(State& state, Workspace& work, double kick, ContactTable& t, Unknowns& x) {
    const Solution solution{x.impulse.data(), t.rolling ? x.couple.data() : nullptr, t.normal.data(), t.pull.data(),
                            static_cast<Real>(1.0 / kick)};
    const BodyView body = state.bodies.view();
    for (int l = 0; l < kPairLists; ++l) {
        ContactList& pairs = state.lists[l];
        if (list_layouts[l].has_patch()) {
            keep_points(work, pairs.size(), solution,
                        {pairs.a.data(), list_layouts[l].two_bodies() ? pairs.b.data() : nullptr, body, pairs.contacts.view(),
                         pairs.patches.torque_b.view(), pairs.patches.points.view()},
                        t.rows[l]);
        } else {
            keep_spheres(work, solution, pairs.contacts, t.rows[l]);
        }
    }
}

}  // namespace scree::SCREE_FLAVOR
