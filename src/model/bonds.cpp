#include "model/bonds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.hpp"
#include "model/cell.hpp"
#include "model/made_bonds.hpp"
#include "model/model.hpp"
#include "model/motion.hpp"

namespace scree {

BondSize size_of(const Model& model, const Bond& bond) {
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    const BodyTable& t = model.bodies;
    const double share = model.bond_kinds[static_cast<std::size_t>(bond.kind)].radius_share;
    if (bond.to_wall()) {
        const Pose pose = pose_at(model.walls[static_cast<std::size_t>(bond.wall())].motion, 0.0);
        return {share * t.radius[a], norm(cell_of(model).nearest(placed(pose, bond.place) - t.position[a]))};
    }
    const Vec3 d = cell_of(model).nearest(t.position[b] - t.position[a]);
    return {share * std::min(t.radius[a], t.radius[b]), norm(d)};
}

BondStiffness stiffness_of(const Model& model, const Bond& bond) {
    const BondSize size = size_of(model, bond);
    const BondKind& kind = model.bond_kinds[static_cast<std::size_t>(bond.kind)];
    BondStiffness k{};
    BondLaws::with(kind.law, [&](auto law) {
        k = decltype(law)::stiffness(kind.values, {size.radius, size.length, model.dimensions == 2});
    });
    return k;
}

double strength_of(const Model& model, const Bond& bond) {
    const BondKind& kind = model.bond_kinds[static_cast<std::size_t>(bond.kind)];
    if (!(kind.scatter > 0)) return 1;
    Rng rng(kind.seed, hash_combine(static_cast<std::uint64_t>(bond.a), static_cast<std::uint64_t>(bond.b)));
    const double u = rng.uniform();
    return std::pow(-std::log1p(-u), 1 / kind.scatter) / std::tgamma(1 + 1 / kind.scatter);
}

BondRates rates_of_bonds(const Model& model) {
    const BodyTable& t = model.bodies;
    // Of a body or a compound: stiffnesses and dashpots that move and turn it.
    struct Sums {
        double moves{0}, turns{0}, slows{0}, brakes{0};
    };
    std::vector<Sums> sums(t.size());
    const auto whole = [&](std::size_t i) { return t.owner_of(i) < 0 ? i : static_cast<std::size_t>(t.owner_of(i)); };
    const auto inertia = [&](std::size_t of) {
        const std::int32_t shape = t.shape[of];
        const Vec3 unit =
            shape < 0 ? (model.dimensions == 2 ? 0.5 : 0.4) * Vec3{1, 1, 1} : model.shapes[static_cast<std::size_t>(shape)].inertia;
        return t.mass[of] * t.radius[of] * t.radius[of] * std::min({unit.x, unit.y, unit.z});
    };
    // A bond of stiffnesses k and 2 `half` long moves and turns body i, against one with mass m and moment of inertia I in series.
    const auto add = [&](std::size_t i, const BondStiffness& k, double half, double m, double I, double zeta, double times) {
        const double push = std::max(k.axial, k.shear), bend = std::max(k.bend, k.twist);
        const double slow = zeta * std::sqrt(push * m), brake = zeta * std::sqrt(bend * I);
        Sums& of = sums[whole(i)];
        const bool member = whole(i) != i;
        // Where it pushes from the centre of what it moves: across its own length, and of a member along any arm.
        const double lever = half + (member ? norm(t.offset[i]) : 0.0), across2 = lever * lever;
        of.moves += times * push;
        of.turns += times * ((member ? push : k.shear) * across2 + bend);
        of.slows += times * slow;
        of.brakes += times * ((member ? slow : zeta * std::sqrt(k.shear * m)) * across2 + brake);
    };
    // As kernels weigh dashpots: moments of inertia of balls, with the masses of their wholes.
    const auto ball = [&](std::size_t i) { return 0.4 * t.mass[whole(i)] * t.radius[i] * t.radius[i]; };
    // The same of the body that carries a wall, at a point of this.
    const auto carry = [&](std::int32_t wall, Vec3 place, const BondStiffness& k, double zeta, double m, double I, double times) {
        const std::int32_t body = model.walls[static_cast<std::size_t>(wall)].body;
        if (body < 0) return;
        const auto i = static_cast<std::size_t>(body);
        const double push = std::max(k.axial, k.shear), bend = std::max(k.bend, k.twist), arm2 = norm2(place - t.position[i]);
        const double slow = zeta * std::sqrt(push * m), brake = zeta * std::sqrt(bend * I);
        Sums& of = sums[i];
        of.moves += times * push;
        of.turns += times * (push * arm2 + bend);
        of.slows += times * slow;
        of.brakes += times * (slow * arm2 + brake);
    };
    for (const Bond& bond : model.bonds) {
        const BondStiffness k = stiffness_of(model, bond);
        const double half = 0.5 * size_of(model, bond).length, zeta = 2 * model.bond_kinds[static_cast<std::size_t>(bond.kind)].damping;
        const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
        if (bond.to_wall()) {
            add(a, k, half, t.mass[whole(a)], ball(a), zeta, 1);
            carry(bond.wall(), bond.place, k, zeta, t.mass[whole(a)], ball(a), 1);
            continue;
        }
        const double m = 1 / (1 / t.mass[whole(a)] + 1 / t.mass[whole(b)]), I = 1 / (1 / ball(a) + 1 / ball(b));
        for (const std::size_t i : {a, b}) add(i, k, half, m, I, zeta, 1);
    }
    for (const BondKind& kind : model.bond_kinds) {
        if (!is_made_later(kind)) continue;
        // With as many as have room about a body, of its own size, or of the smallest or largest, whichever gives more; they touch it,
        // where bonds are stiffest, but for those that a gap makes longer and turn it more.
        double smallest = std::numeric_limits<double>::infinity(), largest = 0;
        for (std::size_t i = 0; i < t.size(); ++i) {
            if (!may_be_bonded(model, kind, i)) continue;
            smallest = std::min(smallest, t.radius[i]);
            largest = std::max(largest, t.radius[i]);
        }
        for (std::size_t i = 0; i < t.size(); ++i) {
            if (!may_be_bonded(model, kind, i)) continue;
            const double own = t.radius[i];
            Sums most = sums[whole(i)], before = most;
            for (const double other : {own, smallest, largest}) {
                const double section = kind.radius_share * std::min(own, other), length = own + other;
                BondStiffness k{};
                BondLaws::with(kind.law, [&](auto law) {
                    k = decltype(law)::stiffness(kind.values, {section, length, model.dimensions == 2});
                });
                sums[whole(i)] = before;
                add(i, k, 0.5 * (length + kind.gap), t.mass[whole(i)], ball(i), 2 * kind.damping,
                    most_neighbours(own, other, kind.gap, model.dimensions));
                const Sums& now = sums[whole(i)];
                most = {std::max(most.moves, now.moves), std::max(most.turns, now.turns), std::max(most.slows, now.slows),
                        std::max(most.brakes, now.brakes)};
            }
            sums[whole(i)] = most;
        }
    }
    BondRates rates;
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (sums[i].moves == 0) continue;
        // Pushed beside its centre a body turns, and turned it is pushed: the sum bounds both together.
        rates.frequency = std::max(rates.frequency, 2 * (sums[i].moves / t.mass[i] + sums[i].turns / inertia(i)));
        rates.damping = std::max(rates.damping, 2 * (sums[i].slows / t.mass[i] + sums[i].brakes / inertia(i)));
    }
    rates.frequency = std::sqrt(rates.frequency);
    return rates;
}

namespace {

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

std::vector<std::int32_t> parts_of(const Model& model, const std::vector<bool>& gone) {
    const std::size_t n = model.bodies.size();
    std::vector<std::size_t> parent(n);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    std::vector<bool> bonded(n, false);
    const auto whole = [&](std::size_t i) {
        const std::int32_t owner = model.bodies.owner_of(i);
        return owner < 0 ? i : static_cast<std::size_t>(owner);
    };
    for (std::size_t k = 0; k < model.bonds.size(); ++k) {
        std::size_t a = whole(static_cast<std::size_t>(model.bonds[k].a));
        if (model.bonds[k].to_wall()) {
            bonded[a] = true;
            continue;
        }
        std::size_t b = whole(static_cast<std::size_t>(model.bonds[k].b));
        bonded[a] = bonded[b] = true;
        if (gone[k]) continue;
        a = root_of(parent, a);
        b = root_of(parent, b);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::int32_t> part(n, no_part);
    for (std::size_t i = 0; i < n; ++i)
        if (bonded[whole(i)]) part[i] = static_cast<std::int32_t>(root_of(parent, whole(i)));
    return part;
}

}  // namespace scree
