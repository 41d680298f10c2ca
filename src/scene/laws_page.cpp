#include "scene/laws_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "laws/kinds.hpp"

namespace scree {

namespace {

/// Formulas in the symbols of docs/theory.md, and what grains the law is for.
const std::map<std::pair<std::string, std::string>, LawText>& texts() {
    static const std::map<std::pair<std::string, std::string>, LawText> all{
        {{"law", "linear"}, {R"($k_n \delta$)", "any, where only how often and how long they touch matters"}},
        {{"law", "hertz"}, {R"($\frac{4}{3} E^* \sqrt{R_{\rm eff}} \delta^{3/2}$)", "elastic round grains: the usual choice"}},
        {{"law", "volume"}, {"[theory.md](theory.md)", "polyhedra whose energy matters"}},
        {{"law", "power"}, {R"($K_r \delta^{3/2}$)", "comparison with BLAZE-DEM"}},
        {{"law", "walton_braun"},
         {R"($k_1 \delta$ loading; $\max(0, k_2 \delta - (k_2 - k_1) m)$ unloading from the largest overlap $m$)",
          "ductile grains whose restitution is measured, and hardly changes with speed"}},
        {{"law", "luding"},
         {R"(as `walton_braun`, not below $-k_c \delta$; with a plastic depth $\varphi$ $k_2$ grows with $m$ up to $m^* = \frac{k_2}{k_2 - k_1} 2 \varphi R_{\rm eff}$)",
          "fine cohesive powders that remember how they were pressed"}},
        {{"law", "thornton_ning"},
         {R"(Hertz up to $p_y$; then slope $\pi p_y R_{\rm eff}$; unloading by Hertz's law of $R_p = \frac{4 E^*}{3 F^*} \left(\frac{2 F^* + F_y}{2 \pi p_y}\right)^{3/2}$)",
          "metal, sugar, tablets: grains of known hardness"}},
        {{"law", "eepa"},
         {R"($k_1 \delta^{3/2}$ loading; $k_2 (\delta^{3/2} - \lambda m^{3/2})$ unloading, $k_2 = k_1 / (1 - \lambda)$; not below $-D (\delta / \delta_{\min})^\chi$; less $f_0$)",
          "bulk powders and moist soils, calibrated on a bulk test"}},
        {{"dashpot", "restitution"}, {R"($c_n = 2 \zeta \sqrt{S_n m_{\rm eff}}$, $f_n \ge 0$)", "all, where restitution is known"}},
        {{"dashpot", "tsuji"}, {R"($c_n = 2 \zeta \sqrt{S_n m_{\rm eff}}$, $f_n$ of either sign)", "comparison with codes that damp so"}},
        {{"dashpot", "brilliantov"}, {R"($c_n = A S_n$)", "elastic grains over a wide range of speeds, as in granular gases"}},
        {{"tangential", "none"}, {R"($f_t = 0$)", "smooth grains"}},
        {{"tangential", "viscous"}, {R"($\min(\mu f_n, c\, \lvert u_t \rvert)$ against $u_t$)", "fast flows, where nothing comes to rest"}},
        {{"tangential", "spring"}, {R"($S_t \xi + c_t u_t$ up to $\mu f_n$)", "all that come to rest"}},
        {{"tangential", "linear"}, {R"(the same with $S_t = k_t$)", "comparison with codes that have one stiffness"}},
        {{"tangential", "stribeck"},
         {R"(the same with $\mu(u_t) = \mu_d + (\mu - \mu_d) / (1 + u_t^2 / v_s^2)$)", "stick and slip: belts, rock, faults"}},
        {{"rolling", "none"}, {R"($0$)", "round grains that may roll away"}},
        {{"rolling", "constant"}, {R"($\mu_r R_{\rm eff} f_n$ against the turning)", "flows, where nothing comes to rest"}},
        {{"rolling", "epsd"},
         {R"($k_r \theta + c_r \dot\theta$ up to $\mu_r R_{\rm eff} f_n$, $k_r = \frac{9}{4} \frac{f_{\rm el}}{\delta} (\mu_r R_{\rm eff})^2$)",
          "spheres that stand for grains of other shapes: heaps, slopes, beds at rest"}},
        {{"twisting", "none"}, {R"($0$)", "most"}},
        {{"twisting", "marshall"},
         {R"($\frac{1}{2} a^2 (S_t \theta + c_t \dot\theta)$ up to $\frac{2}{3} \mu a f_n$, $a^2 = R_{\rm eff} \delta$)", "soft spheres"}},
        {{"twisting", "epsd"}, {"as rolling, with $\\mu_s$", "grains of other shapes, with `rolling = \"epsd\"`"}},
        {{"cohesion", "none"}, {R"($0$)", "dry grains of more than a tenth of a millimetre"}},
        {{"cohesion", "constant"}, {R"($P$ in touch)", "a first guess; compares with the cone method"}},
        {{"cohesion", "sjkr"}, {R"($2 \pi k R_{\rm eff} \delta$)", "sticky bulk solids calibrated on a bulk test"}},
        {{"cohesion", "dmt"}, {R"($4 \pi \gamma R_{\rm eff}$ in touch)", "small hard grains"}},
        {{"cohesion", "jkr"},
         {R"($f_n = \frac{4 E^* a^3}{3 R} - 4 \sqrt{\pi \gamma E^* a^3}$, $\delta = \frac{a^2}{R} - 2 \sqrt{\pi \gamma a / E^*}$)",
          "fine soft grains that touch: toner, drugs, flour"}},
        {{"cohesion", "capillary"},
         {R"($\frac{2 \pi R \gamma \cos \theta}{1 + 1.05 s + 2.5 s^2}$, $s = S \sqrt{R / V}$, $R = 2 R_{\rm eff}$)",
          "moist grains of some tenths of a millimetre and more"}},
        {{"cohesion", "capillary_shared"},
         {"the same, $V$ of each bridge from the films of its bodies", "wet grains whose liquid moves about: drums, mixers, drying beds"}},
        {{"cohesion", "van_der_waals"}, {R"($\frac{A R_{\rm eff}}{6 S^2}$)", "dry grains below some 50 micrometres"}}};
    return all;
}

const char* mixing_word(Mixing mixing) {
    switch (mixing) {
        case Mixing::GeometricMean:
            return "geometric mean";
        case Mixing::ArithmeticMean:
            return "mean";
        case Mixing::Least:
            return "the lower";
    }
    return "";
}

const char* title_of(std::string_view key) {
    if (key == "law") return "Normal laws";
    if (key == "rolling") return "Rolling";
    if (key == "twisting") return "Twisting";
    if (key == "dashpot") return "Dashpots";
    if (key == "tangential") return "Friction";
    return "Cohesion";
}

std::string needs_of(const LawPart& part) {
    std::string needs;
    for (int k = 0; k < part.count; ++k) {
        const LawParameter& p = *part.parameters[k];
        needs += fmt::format("{}`{}`{}", k == 0 ? "" : ", ", p.name, p.fallback >= 0 ? fmt::format(" ({})", p.fallback) : "");
    }
    return part.needs_modulus ? (needs.empty() ? "" : needs + ", ") + "`young`, `poisson`" : needs;
}

// What the curves are of: two spheres of 1 mm with E = 10 MPa, nu = 0.3.
constexpr double kRadius = 0.5e-3, kModulus = 1e7 / (2 * (1 - 0.09)), kDeepest = 1e-5;

/// k_n and values of the curves of a normal law.
std::pair<double, LawValues> example_of(std::string_view law) {
    if (law == "walton_braun") return {2e2, {{6e2}, 0}};
    if (law == "luding") return {2e2, {{6e2, 4e2, 0.02}, 0}};
    if (law == "thornton_ning") return {4.0 / 3 * kModulus, {{3e5}, kModulus}};
    return {4.0 / 3 * kModulus, {{0.6, 2, 2e-5, 1.5}, kModulus}};
}

LawValues cohesion_example(std::string_view law) {
    if (law == "constant") return {{2e-4}, kModulus};
    if (law == "sjkr") return {{1e4}, kModulus};
    if (law == "dmt" || law == "jkr") return {{0.05}, kModulus};
    if (law == "capillary" || law == "capillary_shared") return {{0.07, 1e-14, 0.3}, kModulus};
    return {{6.5e-18, 2e-9, 1e-7}, kModulus};
}

struct Row {
    double k_n, own[plastic_row_values];
};

template <class Law>
LawCurve normal_curve() {
    const auto [k_n, values] = example_of(Law::part.name);
    const PlasticRow own = Law::row(values, k_n);
    Row row{k_n, {}};
    for (int k = 0; k < plastic_row_values; ++k) row.own[k] = own.value[k];
    LawCurve curve{"law", Law::part.name, {}, {}};
    PlasticMemory<double> memory{0, 0};
    const int steps = 200;
    for (int k = 1; k < 4 * steps; ++k) {  // up, down by two thirds, up again, and off
        const int at = k <= steps ? k : (k <= 5 * steps / 3 ? 2 * steps - k : (k <= 2 * steps ? k - 4 * steps / 3 : 8 * steps / 3 - k));
        if (at <= 0) break;
        const double delta = kDeepest * at / steps;
        const PlasticForce<double> now = Law::template load<double>(row, kRadius, delta, memory);
        memory = now.memory;
        curve.overlap.push_back(delta);
        curve.force.push_back(now.elastic);
    }
    return curve;
}

template <class Law>
LawCurve cohesion_curve() {
    const LawValues q = cohesion_example(Law::part.name);
    LawCurve curve{"cohesion", Law::part.name, {}, {}};
    const double reach = Law::reach(q, kRadius), deep = 3e-6, far = reach > 1e-6 ? -1.2 * reach : -1.3e-6;
    for (int k = 0; k <= 400; ++k) {
        const double delta = deep + (far - deep) * k / 400, gap = -delta;
        const double push = delta > 0 ? 4.0 / 3 * kModulus * std::sqrt(kRadius * delta) * delta : 0.0;
        curve.overlap.push_back(delta);
        curve.force.push_back(push - (gap < 0 || gap < reach ? Law::pull(q, kRadius, gap) : 0.0));
    }
    return curve;
}

}  // namespace

LawText law_text(const std::string& kind, const std::string& law) {
    const auto at = texts().find({kind, law});
    return at == texts().end() ? LawText{} : at->second;
}

std::string laws_page() {
    std::string page =
        "# Contact laws\n\n"
        "Written by `scree reference --laws` from the laws' own declarations (`src/laws/`); symbols as in [theory.md](theory.md). Under "
        "`kind = \"penalty\"` each of these is chosen by its word in `[method]`, any with any other but where it says otherwise; of "
        "spheres and "
        "disks, and of round compounds; the same keys in `[[material_pair]]` choose others for two materials. What is not said here is in "
        "[theory.md](theory.md) and the [reference](scene_reference.md).\n\n"
        "![Force against overlap of normal laws](images/laws_normal.png)\n\n![Force against overlap of "
        "cohesion](images/laws_cohesion.png)\n\n"
        "Drawn by `tools/plot_laws` from what `scree reference --curves` computes with the laws' code, for two spheres of 1 mm of E = 10 "
        "MPa.\n";
    for (const LawKind& kind : law_kinds()) {
        page += fmt::format("\n## {}: `{}`\n\n| word | what it is | force | needs (default) |\n|---|---|---|---|\n", title_of(kind.key),
                            kind.key);
        for (const LawPart* part : kind.parts)
            page +=
                fmt::format("| `{}` | {} | {} | {} |\n", part->name, part->doc, law_text(kind.key, part->name).formula, needs_of(*part));
    }
    page += "\n## Which law for which grain\n\n| grains | word |\n|---|---|\n";
    for (const LawKind& kind : law_kinds())
        for (const LawPart* part : kind.parts)
            page += fmt::format("| {} | `{} = \"{}\"` |\n", law_text(kind.key, part->name).grains, kind.key, part->name);
    page +=
        "\n## Parameters\n\nOf `[material.*]`, and of `[[material_pair]]`, where they stand for what would be mixed.\n\n"
        "| key | unit | what it is | of two materials | read by |\n|---|---|---|---|---|\n";
    for (const LawParameter* p : law_parameters()) {
        std::string readers;
        for (const std::string& reader : readers_of(p->name)) readers += (readers.empty() ? "`" : ", `") + reader + "`";
        page += fmt::format("| `{}` | {} | {} | {} | {} |\n", p->name, p->unit, p->doc, mixing_word(p->mixing), readers);
    }
    return page;
}

std::vector<LawCurve> law_curves() {
    std::vector<LawCurve> curves;
    for (int k = 1; k <= PlasticLaws::count; ++k) PlasticLaws::with(k, [&](auto law) { curves.push_back(normal_curve<decltype(law)>()); });
    for (int k = 1; k <= CohesionLaws::count; ++k)
        CohesionLaws::with(k, [&](auto law) { curves.push_back(cohesion_curve<decltype(law)>()); });
    return curves;
}

std::string law_curves_csv() {
    std::string csv = "kind,law,overlap,force\n";
    for (const LawCurve& curve : law_curves())
        for (std::size_t k = 0; k < curve.overlap.size(); ++k)
            csv += fmt::format("{},{},{:.9g},{:.9g}\n", curve.kind, curve.law, curve.overlap[k], curve.force[k]);
    return csv;
}

}  // namespace scree
