#include "setup/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/compounds.hpp"
#include "model/contact_parameters.hpp"
#include "model/symmetric3.hpp"
#include "model/weight.hpp"
#include "setup/fluid.hpp"

namespace scree {

namespace {

constexpr double kPlainStep = 1e-3;    // [s]
constexpr double kHopeless = 5;        // stable limits; what overlaps by a ten thousandth of its radius diverges under Hertz's law
constexpr double kShareOfFall = 0.05;  // of the time scale sqrt(r / g)

double cone_step(const Model& model) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        if (!is_compound(model, i)) smallest = std::min(smallest, model.bodies.radius[i]);
    const double g = norm(strongest_gravity(model));
    return g > 0.0 ? std::min(kPlainStep, kShareOfFall * std::sqrt(smallest / g)) : kPlainStep;
}

/// What a body of mean speed needs for 0.02 of the smallest radius: collisions are far apart on that scale unless bodies are packed.
double hard_step(const Model& model) {
    double smallest = std::numeric_limits<double>::infinity(), sum2 = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        smallest = std::min(smallest, model.bodies.radius[i]);
        sum2 += norm2(model.bodies.velocity[i]);
    }
    if (!(sum2 > 0)) return kPlainStep;
    return 0.02 * smallest / std::sqrt(sum2 / static_cast<double>(model.bodies.size()));
}

constexpr double kShareOfStable = 0.15;  // of the stable step of bonds that "auto" takes
/// That many times further the cone method goes: compliant rows are stable at any step, but a step of w dt = 6 is one in which a stiff bond
/// hands on a load to few others.
constexpr double kFurther = 20;

/// Bonds, too: dt w <= 2 without dashpots; with them, which look half a step behind, dt <= 2 / (c / 2 + sqrt(c^2 / 4 + w^2)) for the rate c
/// of the strongest. A step of 0.15 of that follows an oscillation within 1 % of its frequency.
StepLimits with_bonds(const Model& model, StepLimits limits) {
    const BondRates rates = rates_of_bonds(model);
    if (!(rates.frequency > 0)) return limits;
    if (model.method == Method::Cone) {
        limits.automatic = std::min(limits.automatic, kFurther * kShareOfStable * 2 / rates.frequency);
        return limits;
    }
    const double half = 0.5 * rates.damping, stable = 2 / (half + std::hypot(half, rates.frequency));
    limits.stable = std::min(limits.stable, stable);
    limits.automatic = std::min(limits.automatic, kShareOfStable * stable);
    return limits;
}

StepLimits limits_of(const Model& model) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (model.method == Method::Cone) return with_bonds(model, {cone_step(model), infinity});
    if (model.method == Method::Hard) return {hard_step(model), infinity};
    if (model.method == Method::Fluid) return {fluid_step(model), infinity};
    if (model.bodies.owner.empty()) return with_bonds(model, step_limits(model));
    Model contacts;
    contacts.penalty = model.penalty;
    contacts.materials = model.materials;
    contacts.pairs = model.pairs;
    contacts.shapes = model.shapes;
    contacts.walls = model.walls;
    contacts.bodies = bodies_of_contacts(model);
    StepLimits limits = step_limits(contacts);
    if (!std::isfinite(limits.automatic)) limits.automatic = kPlainStep;  // a mechanism that touches nothing
    return with_bonds(model, limits);
}

/// Largest (p x n) . I^-1 (p x n) over unit vectors n; I: principal moments.
double turn_at(Vec3 p, Vec3 I) {
    Mat3 sum{};
    const Vec3 arms[3] = {cross(Vec3{1, 0, 0}, p) / std::sqrt(I.x), cross(Vec3{0, 1, 0}, p) / std::sqrt(I.y),
                          cross(Vec3{0, 0, 1}, p) / std::sqrt(I.z)};
    for (const Vec3& a : arms) {
        sum.row[0] += a.x * a;
        sum.row[1] += a.y * a;
        sum.row[2] += a.z * a;
    }
    return std::max(0.0, largest_eigenvalue(sum));
}

/// What turning adds to the inverse mass of member i where it is pushed, over 1/m; I: moments of its owner over mass [m2].
double worst_turn(const Model& model, std::size_t i, Vec3 I) {
    const BodyTable& all = model.bodies;
    if (all.shape[i] == BodyTable::sphere_shape) {
        const double root = std::sqrt(turn_at(all.offset[i], I)) + all.radius[i] / std::sqrt(std::min({I.x, I.y, I.z}));
        return root * root;
    }
    double worst = 0.0;
    for (const Vec3& v : model.shapes[static_cast<std::size_t>(all.shape[i])].vertex)
        worst = std::max(worst, turn_at(all.offset[i] + all.radius[i] * rotate(all.offset_turn[i], v), I));
    return worst;
}

}  // namespace

BodyTable bodies_of_contacts(const Model& model) {
    const BodyTable& all = model.bodies;
    BodyTable found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_compound(model, i)) continue;
        double mass = all.mass[i];
        if (const std::int32_t owner = all.owner_of(i); owner >= 0) {
            const std::size_t o = static_cast<std::size_t>(owner);
            mass /=
                1.0 + worst_turn(model, i, all.radius[o] * all.radius[o] * model.shapes[static_cast<std::size_t>(all.shape[o])].inertia);
        }
        found.position.push_back(all.position[i]);
        found.velocity.push_back(all.velocity[i]);
        found.angular_velocity.push_back(all.angular_velocity[i]);
        found.radius.push_back(all.radius[i]);
        found.mass.push_back(mass);
        found.material.push_back(all.material[i]);
        found.shape.push_back(all.shape[i]);
        found.orientation.push_back(all.orientation[i]);
    }
    return found;
}

void require_reachable(double end, double dt, const SourcePlace& place) {
    constexpr double most = 1e15;
    if (!(end / dt <= most))
        throw Error(place, fmt::format("steps of {} s would be {:.3g} to the end at {} s, {:.0e} are the most: raise time.step or lower "
                                       "time.end",
                                       dt, end / dt, end, most));
}

void choose_step(const Scene& scene, BuiltModel& built) {
    const StepLimits limits = limits_of(built.model);
    built.stable_step = limits.stable;
    if (!scene.time.step) {
        if (built.model.bodies.size() == 0 && !std::isfinite(limits.automatic))
            throw Error(scene.time.step_place, "without bodies a step cannot be chosen: give time.step a number");
        if (!std::isnormal(limits.automatic))
            throw Error(scene.time.step_place,
                        fmt::format("the automatic step would be {} s: check radii, densities and Young's moduli, or "
                                    "give time.step a number",
                                    limits.automatic));
        built.model.dt = limits.automatic;
        // A hard particle that hardly moves needs none: the step is the grain of the schedule, which shows the run in a hundred parts.
        if (built.model.method == Method::Hard && scene.time.end > 0) built.model.dt = std::min(built.model.dt, 0.01 * scene.time.end);
        require_reachable(scene.time.end, built.model.dt, scene.time.step_place);
        return;
    }
    built.model.dt = *scene.time.step;
    if (!(std::isfinite(built.model.dt) && built.model.dt > 0.0))
        throw Error(scene.time.step_place, fmt::format("time.step {} must be positive", built.model.dt));
    require_reachable(scene.time.end, built.model.dt, scene.time.step_place);
    if (!(built.model.dt > limits.stable)) return;
    const std::string text = fmt::format("time.step = {:.3g} s is past the stable limit {:.3g} s; \"auto\" would take {:.3g} s",
                                         built.model.dt, limits.stable, limits.automatic);
    // The power law's limit is that of its deepest permitted overlap: nothing diverges before bodies are pressed that far.
    if (built.model.penalty.law != Law::Power && built.model.dt > kHopeless * limits.stable)
        throw Error(scene.time.step_place, text + ": contacts would gain energy at every step until the run stops");
    built.warnings.push_back(text);
}

namespace {

/// Largest speed of a fall from the highest body to the lowest body or wall, or to the domain's edge [m/s].
double fall_speed(const Model& model) {
    const Vec3 pull = strongest_gravity(model);
    const double g = norm(pull);
    if (!(g > 0)) return 0;
    const Vec3 up = -1 / g * pull;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double top = -infinity, bottom = infinity;
    for (const Vec3& x : model.bodies.position) {
        top = std::max(top, dot(x, up));
        bottom = std::min(bottom, dot(x, up));
    }
    for (const Wall& wall : model.walls) {
        for (const Plane& plane : wall.planes) bottom = std::min(bottom, dot(plane.point, up));
        for (const Vec3& x : wall.mesh.vertices) bottom = std::min(bottom, dot(x, up));
    }
    const auto low = [](double along, double from, double to) { return along == 0 ? 0.0 : std::min(along * from, along * to); };
    const auto& box = model.domain.box;
    const double lowest = low(up.x, box.min.x, box.max.x) + low(up.y, box.min.y, box.max.y) + low(up.z, box.min.z, box.max.z);
    if (std::isfinite(lowest)) bottom = std::max(bottom, lowest);
    return top > bottom ? std::sqrt(2 * g * (top - bottom)) : 0.0;
}

/// Of a wall that goes its way by itself, as far as its motion bounds it [m/s].
double wall_speed(const Wall& wall) {
    const Motion& m = wall.motion;
    if (!m.moves) return 0;
    double arm = 0;
    for (const Vec3& x : wall.mesh.vertices) arm = std::max(arm, norm(cross(m.axis, x - m.point)));
    for (const Cylinder& c : wall.cylinders) arm = std::max(arm, c.radius);
    double fastest = norm(m.velocity) + arm * std::fabs(m.rate);
    for (const Harmonic& h : m.harmonics) fastest += 2 * std::numbers::pi * h.frequency * (norm(h.amplitude) + arm * std::fabs(h.angle));
    return fastest;
}

}  // namespace

void choose_envelope(Model& model) {
    if (model.method != Method::Cone || model.cone.envelope > 0 || model.bodies.size() == 0) return;
    double smallest = std::numeric_limits<double>::infinity(), fastest = fall_speed(model);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        if (is_compound(model, i)) continue;
        if (model.bodies.shape[i] >= 0) return;
        smallest = std::min(smallest, model.bodies.radius[i]);
        fastest = std::max(fastest, norm(model.bodies.velocity[i]));
    }
    for (const Wall& wall : model.walls) fastest = std::max(fastest, wall_speed(wall));
    const double wanted = std::min(0.5 * model.dt * fastest, 0.3 * smallest);
    if (std::isfinite(smallest) && wanted > 0.05 * smallest) model.cone.envelope = wanted;
}

}  // namespace scree
