#include "sim/measured_bonds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree {

namespace {

constexpr const char* how_names[] = {"holds", "tension", "shear", "bending", "removed", "region"};

}  // namespace

std::vector<std::string> bond_columns() {
    return {"holding", "tension", "shear", "bending", "removed", "region", "elastic", "dissipated", "fragments", "largest_mass"};
}

std::vector<std::optional<double>> bond_values(const Model& model, const BondSums& sums, const std::vector<BrokenBond>& broken,
                                               const Snapshot& bodies) {
    const std::vector<Fragment> parts = fragments_of(model, broken, bodies);
    std::vector<std::optional<double>> values{static_cast<double>(sums.holding)};
    for (const std::int64_t count : sums.broken) values.emplace_back(static_cast<double>(count));
    values.emplace_back(sums.elastic);
    values.emplace_back(sums.dissipated);
    values.emplace_back(static_cast<double>(parts.size()));
    values.emplace_back(parts.empty() ? 0.0 : parts.front().mass);
    return values;
}

std::vector<Fragment> fragments_of(const Model& model, const std::vector<BrokenBond>& broken, const Snapshot& bodies) {
    std::vector<bool> gone(model.bonds.size(), false);
    for (const BrokenBond& bond : broken) gone[static_cast<std::size_t>(bond.bond)] = true;
    const std::vector<std::int32_t> part = parts_of(model, gone);
    std::vector<Fragment> of(model.bodies.size());
    for (std::size_t k = 0; k < bodies.id.size(); ++k) {
        const std::size_t i = bodies.id[k];
        if (model.bodies.owner_of(i) >= 0 || part[i] == no_part) continue;
        Fragment& one = of[static_cast<std::size_t>(part[i])];
        ++one.bodies;
        one.mass += bodies.mass[k];
    }
    std::vector<Fragment> found;
    std::copy_if(of.begin(), of.end(), std::back_inserter(found), [](const Fragment& one) { return one.bodies > 0; });
    std::stable_sort(found.begin(), found.end(), [](const Fragment& a, const Fragment& b) { return a.mass > b.mass; });
    return found;
}

std::string broken_bonds_text(const Model& model, const std::vector<BrokenBond>& broken) {
    std::string text = "time,bond,a,b,how,energy,x,y,z\n";
    for (const BrokenBond& one : broken) {
        const Bond& bond = model.bonds[static_cast<std::size_t>(one.bond)];
        const std::string b = bond.to_wall() ? model.walls[static_cast<std::size_t>(bond.wall())].name : fmt::format("{}", bond.b);
        text += fmt::format("{:.9g},{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g}\n", static_cast<double>(one.step) * model.dt,
                            model.bond_kinds[static_cast<std::size_t>(bond.kind)].name, bond.a, b, how_names[static_cast<int>(one.how)],
                            one.energy, one.place.x, one.place.y, one.place.z);
    }
    return text;
}

std::string fragments_text(const std::vector<Fragment>& fragments) {
    std::string text = "bodies,mass\n";
    for (const Fragment& part : fragments) text += fmt::format("{},{:.9g}\n", part.bodies, part.mass);
    return text;
}

}  // namespace scree
