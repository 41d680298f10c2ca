#include "setup/fluid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace scree {

namespace {

constexpr double kShareOfSpacing = 0.1;  // that a particle may move in a step: density errors fall with its square
constexpr double kPlainStep = 1e-3;      // [s]

void settle_bodies(const std::vector<Origin>& origins, Model& model) {
    BodyTable& bodies = model.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto refuse = [&](const std::string& text) { throw Error(origin_of(origins, i).place, text); };
        if (bodies.shape[i] != BodyTable::sphere_shape || bodies.owner_of(i) >= 0)
            refuse(fmt::format("a fluid is made of particles: use shapes of kind = \"{}\", or another method.kind",
                               model.dimensions == 2 ? "disk" : "sphere"));
        const double first = bodies.radius.front();
        if (std::fabs(bodies.radius[i] - first) > 1e-9 * first)
            refuse(
                fmt::format("the particles of a fluid are all equal, but body 0 has a radius of {:.6g} m and body {} one of {:.6g} m: "
                            "give them one radius, half of the spacing",
                            first, i, bodies.radius[i]));
        if (norm2(bodies.angular_velocity[i]) > 0) refuse("the particles of a fluid do not turn: leave angular_velocity out");
        const double density = model.materials[static_cast<std::size_t>(bodies.material[i])].density;
        bodies.mass[i] = density * std::pow(2 * bodies.radius[i], model.dimensions);
    }
}

/// A particle may touch a plane, which is half a spacing away, and not be beyond it: 1e-6 for rounding.
void check_planes(const std::vector<Origin>& origins, const Model& model) {
    for (const Wall& wall : model.walls) {
        if (wall.active_from > 0) continue;
        for (const Plane& plane : wall.planes)
            for (std::size_t i = 0; i < model.bodies.size(); ++i) {
                const double r = model.bodies.radius[i], gap = dot(plane.normal, model.bodies.position[i] - plane.point) - r;
                if (gap >= -1e-6 * r) continue;
                throw Error(
                    origin_of(origins, i).place,
                    fmt::format("body {} ({}) reaches {:.3g} m into wall \"{}\": a particle's centre is at least its radius, half a "
                                "spacing, from a wall",
                                i, origin_of(origins, i).label, -gap, wall.name));
            }
    }
}

/// Bound of the speed of a wall's surface where bodies are [m/s].
double wall_speed(const Model& model, const Motion& motion) {
    if (!motion.moves) return 0;
    double far = 0;
    for (const Vec3& x : model.bodies.position) far = std::max(far, norm(cross(motion.axis, x - motion.point)));
    double fastest = norm(motion.velocity) + std::fabs(motion.rate) * far;
    for (const Harmonic& h : motion.harmonics)
        fastest += 2 * std::numbers::pi * h.frequency * (norm(h.amplitude) + std::fabs(h.angle) * far);
    double steepest = 0;
    for (std::size_t k = 1; k < motion.time.size(); ++k) {
        const double span = motion.time[k] - motion.time[k - 1];
        if (span > 0)
            steepest = std::max(
                steepest, (norm(motion.shift[k] - motion.shift[k - 1]) + std::fabs(motion.angle[k] - motion.angle[k - 1]) * far) / span);
    }
    return fastest + steepest;
}

/// How far particles may fall [m]: from the highest one to the lowest, or to the lowest point of a wall that could catch them.
double height_of_fall(const Model& model) {
    const double g = norm(model.gravity);
    if (!(g > 0) || model.bodies.size() == 0) return 0;
    const Vec3 up = -model.gravity / g;
    double high = -1e300, low = 1e300;
    Vec3 centre;
    for (const Vec3& x : model.bodies.position) {
        high = std::max(high, dot(up, x));
        low = std::min(low, dot(up, x));
        centre += x / static_cast<double>(model.bodies.size());
    }
    for (const Wall& wall : model.walls) {
        for (const Plane& p : wall.planes) {
            const double rise = dot(p.normal, up);
            // Steeper than 60 degrees counts as a side.
            if (rise > 0.5) low = std::min(low, dot(up, centre) - dot(p.normal, centre - p.point) / rise);
        }
        for (const Cylinder& c : wall.cylinders) {
            const double across = std::sqrt(std::max(0.0, 1 - dot(c.axis, up) * dot(c.axis, up)));
            if (!c.inside) continue;
            low = std::min(low, dot(up, c.point) - c.radius * across);
            if (std::isfinite(c.length)) low = std::min(low, dot(up, c.point + c.length * c.axis) - c.radius * across);
        }
        for (const Vec3& v : wall.mesh.vertices) low = std::min(low, dot(up, v));
    }
    return high - low;
}

}  // namespace

FluidSettings build_fluid(const SceneMethod& given) {
    FluidSettings fluid;
    fluid.support = given.support_radius;
    fluid.iterations = given.density_iterations;
    fluid.relaxation = given.relaxation;
    fluid.artificial_pressure = given.artificial_pressure;
    fluid.pressure_power = given.artificial_pressure_power;
    fluid.pressure_at = given.artificial_pressure_at;
    fluid.viscosity = given.xsph_viscosity;
    fluid.vorticity = given.vorticity_confinement;
    return fluid;
}

void check_fluid(const Scene& scene) {
    if (!scene.joints.empty())
        throw Error(scene.joints.front().place, "a fluid has no bodies to join: leave the joint out, or use another method.kind");
    if (!scene.named_bodies.empty())
        throw Error(scene.named_bodies.front().place,
                    "[[body]] makes a rigid body, and a fluid is made of the particles of [[bodies]]: use that, or another method.kind");
    for (const SceneWall& wall : scene.walls)
        if (wall.mass || !wall.body.empty())
            throw Error(wall.place, "walls of a fluid are at rest or move as prescribed: leave mass and body out, or use motion");
    constexpr std::array<std::string_view, 6> contacts{"coordination", "max_overlap", "contact_kinds", "solver", "pressure", "stress"};
    for (const SceneMeasure& measure : scene.measures)
        if (std::find(contacts.begin(), contacts.end(), measure.kind) != contacts.end())
            throw Error(
                measure.place,
                fmt::format("a fluid has no contacts, so there is no \"{}\": use kind = \"density\", or leave it out", measure.kind));
}

void settle_fluid(const std::vector<Origin>& origins, Model& model) {
    settle_bodies(origins, model);
    check_planes(origins, model);
}

double fluid_speed(const Model& model) {
    double fastest = 0, walls = 0;
    for (const Vec3& v : model.bodies.velocity) fastest = std::max(fastest, norm(v));
    for (const Wall& wall : model.walls) walls = std::max(walls, wall_speed(model, wall.motion));
    return std::max(fastest + std::sqrt(2 * norm(model.gravity) * height_of_fall(model)), walls);
}

double fluid_step(const Model& model) {
    const double speed = fluid_speed(model);
    if (!(speed > 0) || model.bodies.size() == 0) return kPlainStep;
    return kShareOfSpacing * 2 * model.bodies.radius.front() / speed;
}

}  // namespace scree
