// Materials -> law parameters and time step limits; formulas with their sources stand at the functions.
// Symbols: m mass, R radius, S_n = dF_n/d delta and S_t = dF_t/d xi stiffness at the overlap delta, omega circular frequency, zeta damping
// ratio.
#include "model/contact_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "laws/normal.hpp"
#include "model/pulls.hpp"
#include "model/shape_contact.hpp"

namespace scree {

namespace {

constexpr double kMinRestitution = 0.01;

/// Share of 1/omega that the automatic step takes. Keeps the restitution of two spheres within 3 % of the wanted one for e >= 0.3
/// (tests/engine/collision_test.cpp). Hertz: 42 steps per period of the stiffest contact, near the steps that published cases use.
/// Linear: the dashpot acts in full from the first touch, so where in a step the spheres meet counts, and three times as many are needed.
constexpr double automatic_share(Law law) {
    return law == Law::Linear ? 0.05 : 0.15;
}
/// The automatic step stays below this share of the stable one, which binds where damping is strong (e below about 0.3).
constexpr double kShareOfStable = 0.5;

/// Share of zeta that acts in the linear oscillator which Hertz contact with S-proportional damping becomes, see restitution_of.
const double kHertzRatio = std::sqrt(6.0 / 5.0);

/// One body as the step limits see it.
struct Ball {
    double radius{0};  // of a polyhedron: bounding
    double mass{0};
    double area{0};                        // of a polyhedron's largest face [m2]; 0: a sphere
    double volume{0};                      // of a polyhedron [m3]
    const ShapeContact* contact{nullptr};  // of a polyhedron
};

/// The smallest and the largest body of one material and shape.
struct Extremes {
    std::size_t material;
    Ball smallest, largest;
};

/// Only the materials and shapes that bodies have.
std::vector<Extremes> extremes_of(const Model& model, const std::vector<ShapeContact>& contacts) {
    const std::size_t kinds = model.shapes.size() + 1;  // spheres are kind 0
    std::vector<Extremes> table(model.materials.size() * kinds);
    const BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t material = static_cast<std::size_t>(bodies.material[i]);
        const std::size_t kind = static_cast<std::size_t>(bodies.shape[i]) + 1;
        Extremes& e = table[material * kinds + kind];
        Ball ball{bodies.radius[i], bodies.mass[i]};
        if (kind > 0) {
            ball.contact = &contacts[kind - 1];
            ball.area = ball.contact->face_area * ball.radius * ball.radius;
            ball.volume = model.shapes[kind - 1].volume * ball.radius * ball.radius * ball.radius;
        }
        if (e.smallest.mass == 0.0) e = {material, ball, ball};
        if (ball.radius < e.smallest.radius || (ball.radius == e.smallest.radius && ball.mass < e.smallest.mass)) e.smallest = ball;
        if (ball.radius > e.largest.radius || (ball.radius == e.largest.radius && ball.mass < e.largest.mass)) e.largest = ball;
    }
    std::erase_if(table, [](const Extremes& e) { return e.smallest.mass == 0.0; });
    return table;
}

/// Normal and tangential stiffness of a contact at its worst [N/m].
struct Stiffness {
    double n, t;
};

/// R_eff [m] and delta [m] are those of spheres; `area` [m2] is above 0 where a polyhedron takes part, V_ref [m3] where both (or it and a
/// wall).
Stiffness stiffness_of(Law law, const LawParameters& p, double R_eff, double delta, double area, double V_ref) {
    const double a = area > 0.0 ? std::sqrt(area / 3.14159265358979324) : std::sqrt(R_eff * delta);
    switch (law) {
        case Law::Linear:
            return {p.k_n, p.k_t};
        case Law::Hertz:
            return {1.5 * p.k_n * a, p.k_t * a};
        case Law::Volume: {
            const double S_n = 0.75 * p.k_n * (V_ref > 0.0 ? area * area / V_ref : a);
            return {S_n, S_n * p.k_t / (1.5 * p.k_n)};
        }
        case Law::Power:
            return {1.5 * p.k_n * std::sqrt(delta), 0.0};
        case Law::Plastic:  // a loading_law is none
            break;
    }
    return {};
}

/// Inverse mass of the stiffest contact over 1/m. Where stiffness does not depend on how wide the contact is (linear, power), a vertex or
/// edge has that of a face, but its mean depth grows with a third or half of the approach; the mean of vertices grows in full.
double contact_mobility(const Ball& body, Law law, Patch patch) {
    if (!body.contact) return 1.0;
    if (law == Law::Hertz || law == Law::Volume) return body.contact->wide;
    return std::max(1.0, (patch == Patch::Vertices ? 1.0 : 0.5) * body.contact->point);
}

/// Largest eigenvalue of M^-1 K of a body held in three opposed pairs of contacts, over S_n / m; ratio S_t / S_n. Gershgorin's bound
/// doubles the body's own stiffness, as neighbours move against it. Sphere: translation 2 (2 S_n + 4 S_t) / m, rotation 2 · 4 S_t R^2 /
/// (2/5 m R^2). Polyhedron: four faces turn it about one axis, by the tilt of springs spread over them and by tangential springs; and two
/// opposed edges or vertices, with springs in all directions. rolling: of a rolling spring over S_n R^2; four of them turn a sphere about
/// one axis, as the tangential ones do.
double amplification_of(const Ball& body, Law law, Patch patch, double ratio, double rolling) {
    const double translation = 2.0 * (2.0 + 4.0 * ratio);
    if (!body.contact) return std::max(translation, 20.0 * (ratio + rolling));
    const double rotation = 8.0 * (body.contact->face_turn + ratio * body.contact->face_slide);
    const bool grows = law == Law::Hertz || law == Law::Volume;
    const double corner = grows ? body.contact->corner : contact_mobility(body, law, patch);
    return std::max({translation, rotation, 4.0 * (1.0 + ratio) * corner});
}

/// Limits of the contact of A with B, or with a wall where B is null; delta overlap [m].
StepLimits limits_of(const Model& model, const ContactLaws& laws, const LawParameters& p, const Ball& A, const Ball* B, double delta) {
    const Law law = loading_law(laws);
    const Patch patch = model.penalty.patch;
    const double R_eff = B ? A.radius * B->radius / (A.radius + B->radius) : A.radius;
    // Of two polyhedra the smaller face bounds the contact; of a polyhedron and a sphere, too wide by taking the face.
    const double area = !B || B->area == 0.0 ? A.area : A.area == 0.0 ? B->area : std::min(A.area, B->area);
    const double V_ref = B && B->volume > 0.0 && A.volume > 0.0 ? A.volume * B->volume / (A.volume + B->volume) : A.volume;
    Stiffness S = stiffness_of(law, p, R_eff, delta, area, V_ref);
    // Springs of pulls soften a contact; where it is open they may be all that there is.
    double pulls = 0;
    with_cohesion(laws.cohesion, [&](auto part) { pulls = decltype(part)::steepest(p.cohesion, R_eff); });
    S.n = std::max(S.n, pulls);
    PlasticLaws::with(laws.plastic, [&](auto part) { S.n = std::max(S.n, decltype(part)::steepest(p.plastic, p.k_n, R_eff, delta)); });
    if (laws.tangential == Tangential::Linear) S.t = p.k_t;

    const double m_eff = B ? A.mass * B->mass / (A.mass + B->mass) : A.mass;
    const double omega = std::sqrt(S.n / m_eff);
    // The automatic step resolves the stiffest contact, levers included: with those of both bodies at once.
    const double inverse = contact_mobility(A, law, patch) / A.mass + (B ? contact_mobility(*B, law, patch) / B->mass : 0.0);
    const double fastest = A.contact || (B && B->contact) ? std::sqrt(S.n * inverse) : omega;

    const double ratio = p.mu > 0 ? S.t / S.n : 0.0;
    // k_r = f S (mu_r R_eff)^2 with the secant stiffness S, f = 9/4, of disks 3 (engine/laws/rolling.hpp).
    const double secant = law == Law::Hertz ? 2.0 / 3.0 : 1.0, springs = (model.dimensions == 2 ? 3.0 : 2.25) * secant;
    const auto rolling = [&](const Ball& body) { return springs * p.rolling * p.rolling * (R_eff / body.radius) * (R_eff / body.radius); };
    double amplification = 0.5 * amplification_of(A, law, patch, ratio, rolling(A));  // relative to omega^2 = 2 S_n / m of a lone pair
    if (B) amplification = std::max(amplification, 0.5 * amplification_of(*B, law, patch, ratio, rolling(*B)));
    // Dashpots add up as springs do, so the damping ratio grows with the frequency. Damped central differences are stable up to
    // 2/omega (sqrt(1 + zeta^2) - zeta) (Belytschko, Liu & Moran 2000, section 6.2).
    const double factor = std::sqrt(amplification);
    // Between flat faces Hertz's law is the linear oscillator itself (laws/patch.hpp).
    const double patches = law == Law::Hertz && (A.contact || (B && B->contact)) ? kHertzRatio : 1.0;
    // Two springs and dashpots in parallel, z_1 and z_2 of their own critical damping, are damped by at most the root of z_1^2 + z_2^2 of
    // that of their sum: those of rolling beside those of the surface. The power law gives its dashpots as they are; both directions at
    // once is the most that they do.
    const double own = law == Law::Power ? (p.damping * std::sqrt(delta) + p.tangential_damping) / (2.0 * std::sqrt(S.n * m_eff))
                                         : std::hypot(patches * p.zeta, p.rolling > 0 ? p.rolling_damping : 0.0) +
                                               (p.viscous * S.n + p.sliding) / (2.0 * std::sqrt(S.n * m_eff));
    const double zeta = own * factor;
    // sqrt(1 + zeta^2) - zeta, written without cancellation.
    const double stable = 2.0 / (omega * factor) / (std::sqrt(1.0 + zeta * zeta) + zeta);
    return {std::min(automatic_share(law) / fastest, kShareOfStable * stable), stable};
}

void lower(StepLimits& limits, const StepLimits& other) {
    limits.automatic = std::min(limits.automatic, other.automatic);
    limits.stable = std::min(limits.stable, other.stable);
}

}  // namespace

// Linear, in units with m = k = 1: x'' + 2 zeta x' + x = 0, x(0) = 0, x'(0) = 1, until x'' = 0 (Schwager & Poeschel 2007).
// With omega = sqrt(1 - zeta^2) that is at omega t = arg (zeta + i omega)^2 = 2 acos zeta, where x' = -exp(-zeta t): their branches below
// and above zeta = 1/sqrt 2 are one formula in acos, and the overdamped one is its continuation in acosh.
//
// Hertz: x'' = -x^{3/2} - 2 zeta sqrt(3/2) x^{1/4} x'. In s = x^{5/4} and a time tau with ds/dtau = x' this is the linear oscillator
// s'' + 4/5 · 2 zeta sqrt(3/2) s' + 4/5 s = 0 with damping ratio sqrt(6/5) zeta, and force and s'' vanish together.
double restitution_of(Law law, double zeta) {
    const double z = law == Law::Hertz || law == Law::Power ? kHertzRatio * zeta : zeta;
    const double d = std::fabs(1.0 - z * z);
    // acos(z)/sqrt(1-z^2) and acosh(z)/sqrt(z^2-1) are one series about z = 1; its next term is below 1e-13 here.
    if (std::fabs(z - 1.0) < 1e-5) return std::exp(-2.0 * z * (1.0 - (z - 1.0) / 3.0 + 2.0 * (z - 1.0) * (z - 1.0) / 15.0));
    return std::exp(-2.0 * z * (z < 1.0 ? std::acos(z) : std::acosh(z)) / std::sqrt(d));
}

Law loading_law(const ContactLaws& laws) {
    Law law = laws.law;
    PlasticLaws::with(laws.plastic, [&](auto part) { law = decltype(part)::hertzian ? Law::Hertz : Law::Linear; });
    return law;
}

double whole_damping_ratio(Law law, double restitution) {
    if (!(restitution >= kMinRestitution && restitution <= 1.0))
        throw Error("restitution " + std::to_string(restitution) + " is outside [0.01, 1]");
    const double log = -std::log(restitution);
    return log / std::hypot(log, 3.14159265358979323846) / (law == Law::Hertz ? kHertzRatio : 1.0);
}

double damping_ratio(Law law, double restitution) {
    if (!(restitution >= kMinRestitution && restitution <= 1.0))
        throw Error("restitution " + std::to_string(restitution) + " is outside [0.01, 1]");
    if (restitution == 1.0) return 0.0;
    // Restitution falls monotonically; 8 lies past e = 0.01 for both laws (e is about 1/(4 zeta^2) there).
    double low = 0.0, high = 8.0;
    for (int i = 0; i < 100 && high - low > 1e-15 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (restitution_of(law, middle) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

namespace {

/// What a law of friction reads beside springs.
void add_friction(const ContactLaws& laws, const PairProperties& pair, LawParameters& p) {
    p.mu_fast = p.mu;
    if (laws.tangential == Tangential::Viscous) p.sliding = pair.friction_values[0];
    if (laws.tangential == Tangential::Linear) p.k_t = pair.friction_values[0];
    if (laws.tangential != Tangential::Stribeck) return;
    p.mu_fast = pair.friction_values[0];
    p.stribeck = pair.friction_values[1];
}

}  // namespace

std::vector<LawParameters> law_table(const Model& model) {
    const std::size_t count = model.materials.size();
    std::vector<LawParameters> table(count * count);
    const std::vector<LawValues> pulls = model.penalty.cohesion != 0 ? cohesion_table(model) : std::vector<LawValues>{};
    // A bisection each: many pairs share a restitution.
    std::map<std::pair<Law, double>, double> known;
    const auto damping_of = [&](Law law, double restitution) {
        const auto [at, fresh] = known.try_emplace({law, restitution}, 0.0);
        if (fresh) at->second = damping_ratio(law, restitution);
        return at->second;
    };
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            const PairProperties& pair = model.pairs(a, b);
            const ContactLaws& laws = laws_of(model, a, b);
            const Law law = loading_law(laws);
            LawParameters& p = table[a * count + b];
            p.mu = pair.friction;
            if (model.method == Method::Cone) continue;  // has no springs
            if (law == Law::Power) {
                p.k_n = pair.stiffness;
                p.damping = pair.damping;
                p.tangential_damping = pair.tangential_damping;
                continue;
            }
            if (laws.damping == Damping::Brilliantov) {
                p.viscous = pair.damping_values[0];
            } else {
                p.zeta = laws.damping == Damping::Tsuji ? whole_damping_ratio(law, pair.restitution) : damping_of(law, pair.restitution);
            }
            std::copy_n(pair.plastic_values.begin(), most_law_parameters, p.plastic.value);
            if (laws.cohesion != 0) p.cohesion = pulls[a * count + b];
            if (laws.rolling == Rolling::Spring) {
                p.rolling = pair.rolling_friction;
                p.rolling_damping = pair.rolling_damping;
            }
            if (laws.twisting == Twisting::Spring) {  // turns a body about other axes than those of rolling, by couples like them
                p.rolling = std::hypot(p.rolling, pair.spinning_friction);
                p.rolling_damping = pair.rolling_damping;
            }
            if (law == Law::Linear) {
                p.k_n = pair.stiffness;
                p.k_t = pair.tangential_ratio * pair.stiffness;
                add_friction(laws, pair, p);
                continue;
            }
            // Hertz (1882) and Mindlin (1949): compliances of the two sides add.
            const Material& A = model.materials[a];
            const Material& B = model.materials[b];
            const double E_eff = 1.0 / ((1.0 - A.poisson * A.poisson) / A.young + (1.0 - B.poisson * B.poisson) / B.young);
            const double G_A = A.young / (2.0 * (1.0 + A.poisson));
            const double G_B = B.young / (2.0 * (1.0 + B.poisson));
            const double G_eff = 1.0 / ((2.0 - A.poisson) / G_A + (2.0 - B.poisson) / G_B);
            p.k_n = 4.0 / 3.0 * E_eff;
            p.k_t = 8.0 * G_eff;
            p.plastic.modulus = E_eff;
            add_friction(laws, pair, p);
        }
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < a; ++b) table[a * count + b] = table[b * count + a];
    return table;
}

StepLimits step_limits(const Model& model) {
    const double infinity = std::numeric_limits<double>::infinity();
    StepLimits limits{infinity, infinity};
    const std::size_t count = model.materials.size();
    const double warning = model.penalty.overlap_warning;
    const std::vector<LawParameters> table = law_table(model);
    std::vector<ShapeContact> contacts;
    contacts.reserve(model.shapes.size());
    for (const ConvexShape& shape : model.shapes) contacts.push_back(shape_contact(shape, warning));
    const std::vector<Extremes> extremes = extremes_of(model, contacts);
    std::vector<char> of_wall(count, 0);
    for (const Wall& wall : model.walls) of_wall[static_cast<std::size_t>(wall.material)] = 1;

    for (const Extremes& first : extremes) {
        // The largest body is tried too: a small heavy one against a large light one is less stiff than two of a size.
        for (const Ball& A : {first.smallest, first.largest}) {
            const LawParameters* row = &table[first.material * count];
            for (std::size_t b = 0; b < count; ++b)
                if (of_wall[b]) lower(limits, limits_of(model, laws_of(model, first.material, b), row[b], A, nullptr, warning * A.radius));
            for (const Extremes& second : extremes)
                for (const Ball& B : {second.smallest, second.largest})
                    lower(limits, limits_of(model, laws_of(model, first.material, second.material), row[second.material], A, &B,
                                            warning * std::min(A.radius, B.radius)));
        }
    }
    return limits;
}

}  // namespace scree
