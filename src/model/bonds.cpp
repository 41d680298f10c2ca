#include "model/bonds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "model/cell.hpp"
#include "model/model.hpp"

namespace scree {

BondSize size_of(const Model& model, const Bond& bond) {
    const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
    const BodyTable& t = model.bodies;
    const Vec3 d = cell_of(model).nearest(t.position[b] - t.position[a]);
    const double share = model.bond_kinds[static_cast<std::size_t>(bond.kind)].radius_share;
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
    for (const Bond& bond : model.bonds) {
        const BondStiffness k = stiffness_of(model, bond);
        const double half = 0.5 * size_of(model, bond).length, zeta = 2 * model.bond_kinds[static_cast<std::size_t>(bond.kind)].damping;
        const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
        // As kernels weigh dashpots: masses of the wholes, moments of inertia of balls.
        const double m = 1 / (1 / t.mass[whole(a)] + 1 / t.mass[whole(b)]);
        const double I =
            1 / (1 / (0.4 * t.mass[whole(a)] * t.radius[a] * t.radius[a]) + 1 / (0.4 * t.mass[whole(b)] * t.radius[b] * t.radius[b]));
        const double push = std::max(k.axial, k.shear), bend = std::max(k.bend, k.twist);
        const double slow = zeta * std::sqrt(push * m), brake = zeta * std::sqrt(bend * I);
        for (const std::size_t i : {a, b}) {
            Sums& of = sums[whole(i)];
            const bool member = whole(i) != i;
            // Where it pushes from the centre of what it moves: across its own length, and of a member along any arm.
            const double lever = half + (member ? norm(t.offset[i]) : 0.0), across2 = lever * lever;
            of.moves += push;
            of.turns += (member ? push : k.shear) * across2 + bend;
            of.slows += slow;
            of.brakes += (member ? slow : zeta * std::sqrt(k.shear * m)) * across2 + brake;
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
        std::size_t a = whole(static_cast<std::size_t>(model.bonds[k].a)), b = whole(static_cast<std::size_t>(model.bonds[k].b));
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
