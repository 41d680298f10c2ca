// Materials and their pairs.
#include "setup/materials.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree {

std::int32_t material_index(const Scene& scene, const std::string& name, const SourcePlace& place) {
    std::string known;
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        if (scene.materials[i].name == name) return static_cast<std::int32_t>(i);
        known += (known.empty() ? "\"" : ", \"") + scene.materials[i].name + "\"";
    }
    throw Error(place, fmt::format("unknown material \"{}\": there is {}", name, known.empty() ? "none" : known));
}

std::vector<Material> build_materials(const Scene& scene) {
    std::vector<Material> materials;
    for (const SceneMaterial& m : scene.materials) {
        if (!(m.density > 0.0)) throw Error(m.place, fmt::format("density {} must be positive", m.density));
        if (!(m.young > 0.0)) throw Error(m.place, fmt::format("Young's modulus {} must be positive", m.young));
        if (!(m.poisson > -1.0 && m.poisson <= 0.5))
            throw Error(m.place, fmt::format("Poisson's ratio {} must lie in (-1, 0.5]", m.poisson));
        materials.push_back(
            {m.name, m.density, m.young, m.poisson, m.restitution, m.friction, m.rolling_friction, m.spinning_friction, m.cohesion});
    }
    return materials;
}

PairTable build_pairs(const Scene& scene) {
    const std::size_t count = scene.materials.size();
    const bool linear = scene.method.law == "linear", power = scene.method.law == "power", springs = linear || power;
    const double least_restitution = scene.method.kind == "penalty" ? 0.01 : 0.0;
    PairTable table(count);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            const SceneMaterial &A = scene.materials[a], &B = scene.materials[b];
            const auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
            table.set(a, b,
                      {.restitution = mean(A.restitution, B.restitution),
                       .friction = mean(A.friction, B.friction),
                       .rolling_friction = mean(A.rolling_friction, B.rolling_friction),
                       .spinning_friction = mean(A.spinning_friction, B.spinning_friction),
                       .cohesion = mean(A.cohesion, B.cohesion),
                       .stiffness = springs ? scene.method.stiffness : 0.0,
                       .tangential_ratio = scene.method.tangential_ratio,
                       .damping = power ? scene.method.damping : 0.0,
                       .tangential_damping = power ? scene.method.tangential_damping : 0.0});
        }
    std::vector<char> given(count * count, 0);
    for (const SceneMaterialPair& pair : scene.material_pairs) {
        const std::size_t a = static_cast<std::size_t>(material_index(scene, pair.first, pair.place));
        const std::size_t b = static_cast<std::size_t>(material_index(scene, pair.second, pair.place));
        if (given[a * count + b]) throw Error(pair.place, fmt::format("the pair \"{}\", \"{}\" is given twice", pair.first, pair.second));
        given[a * count + b] = given[b * count + a] = 1;
        PairProperties p = table(a, b);
        p.restitution = pair.restitution.value_or(p.restitution);
        p.friction = pair.friction.value_or(p.friction);
        p.rolling_friction = pair.rolling_friction.value_or(p.rolling_friction);
        p.spinning_friction = pair.spinning_friction.value_or(p.spinning_friction);
        p.cohesion = pair.cohesion.value_or(p.cohesion);
        if (springs) p.stiffness = pair.stiffness.value_or(p.stiffness);
        p.tangential_ratio = pair.tangential_ratio.value_or(p.tangential_ratio);
        if (power) p.damping = pair.damping.value_or(p.damping);
        if (power) p.tangential_damping = pair.tangential_damping.value_or(p.tangential_damping);
        table.set(a, b, p);
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            const PairProperties& p = table(a, b);
            if (springs && !(p.stiffness > 0.0))
                throw Error(scene.method.place, fmt::format("the {} law needs a stiffness for \"{}\" on \"{}\": set stiffness in [method]",
                                                            scene.method.law, scene.materials[a].name, scene.materials[b].name));
            if (!(p.damping >= 0.0 && p.tangential_damping >= 0.0))
                throw Error(scene.method.place, "damping and tangential_damping must not be negative");
            if (!power && !(p.restitution >= least_restitution && p.restitution <= 1.0))
                throw Error(scene.materials[a].place, fmt::format("restitution {} of \"{}\" on \"{}\" is outside [{}, 1]", p.restitution,
                                                                  scene.materials[a].name, scene.materials[b].name, least_restitution));
            if (scene.method.kind == "penalty" && (p.rolling_friction != 0.0 || p.spinning_friction != 0.0 || p.cohesion != 0.0))
                throw Error(scene.materials[a].place,
                            fmt::format("rolling_friction, spinning_friction and cohesion of \"{}\" on \"{}\" must "
                                        "be 0: the penalty method has none",
                                        scene.materials[a].name, scene.materials[b].name));
        }
    return table;
}

}  // namespace scree
