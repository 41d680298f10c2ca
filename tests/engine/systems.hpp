// Models that the engine tests share: small, complete, in SI units. A test takes one and changes what it is about.
// Every model has one material "0" unless it says otherwise, no gravity unless asked, and dt set by the caller or by set_step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "engine/step/make_flavor.hpp"
#include "model/contact_parameters.hpp"
#include "model/model.hpp"

namespace scree::test {

inline constexpr bool mixed = sizeof(SCREE_REAL) == sizeof(float);
inline constexpr double density = 2500;  // of every sphere added here [kg/m3]
inline constexpr double pi = 3.14159265358979324;

/// A tolerance of each precision; the reason stands at the call.
inline constexpr double by_precision(double in_double, double in_mixed) {
    return mixed ? in_mixed : in_double;
}

inline std::unique_ptr<Engine> engine_of(const Model& model, int threads = 1, bool shuffle = false, bool track_energy = false) {
    EngineOptions options;
    options.threads = threads;
    options.shuffle = shuffle;
    options.track_energy = track_energy;
    return SCREE_FLAVOR::make_flavor(model, options);
}

/// One material, E = 1e7 Pa, nu = 0.25; the linear law has k_n = 1e4 N/m.
inline Model empty_model(Law law, double restitution, double friction) {
    Model m;
    m.gravity = {0, 0, 0};
    m.penalty.law = law;
    Material material;
    material.name = "0";
    material.density = density;
    m.materials = {material};
    m.pairs = PairTable(1);
    PairProperties p;
    p.restitution = restitution;
    p.friction = friction;
    p.stiffness = 1e4;
    m.pairs.set(0, 0, p);
    m.dt = 1e-5;
    return m;
}

inline void add_sphere(Model& m, Vec3 at, double radius, Vec3 velocity = {}, Vec3 spin = {}) {
    m.bodies.add_sphere(at, radius, 0, density, velocity, spin);
}

/// dt as a share of the automatic step.
inline void set_step(Model& m, double share) {
    m.dt = share * step_limits(m).automatic;
}

inline Wall plane_wall(const std::string& name, Vec3 point, Vec3 normal) {
    Wall w;
    w.name = name;
    w.planes = {{point, normal}};
    return w;
}

/// Six planes that hold bodies in.
inline Wall box_wall(const std::string& name, const Aabb& b) {
    Wall w;
    w.name = name;
    w.planes = {{b.min, {1, 0, 0}}, {b.min, {0, 1, 0}}, {b.min, {0, 0, 1}}, {b.max, {-1, 0, 0}}, {b.max, {0, -1, 0}}, {b.max, {0, 0, -1}}};
    return w;
}

inline Wall mesh_wall(const std::string& name, TriangleMesh mesh) {
    Wall w;
    w.name = name;
    w.mesh = std::move(mesh);
    return w;
}

/// The 12 triangles of a box, normals outward.
inline TriangleMesh box_mesh(const Aabb& b) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k) {
        m.vertices.push_back({(k & 1) != 0 ? b.max.x : b.min.x, (k & 2) != 0 ? b.max.y : b.min.y, (k & 4) != 0 ? b.max.z : b.min.z});
    }
    m.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return m;
}

/// Each triangle cut in four at its edges' middles, `times` times; vertices are not shared, so welding is tested too.
inline TriangleMesh subdivided(TriangleMesh mesh, int times) {
    for (; times > 0; --times) {
        TriangleMesh fine;
        for (const auto& t : mesh.triangles) {
            const Vec3 a = mesh.vertices[static_cast<std::size_t>(t[0])], b = mesh.vertices[static_cast<std::size_t>(t[1])];
            const Vec3 c = mesh.vertices[static_cast<std::size_t>(t[2])];
            const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
            const auto first = static_cast<std::int32_t>(fine.vertices.size());
            for (const Vec3 v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) fine.vertices.push_back(v);
            for (std::int32_t k = 0; k < 12; k += 3) fine.triangles.push_back({first + k, first + k + 1, first + k + 2});
        }
        mesh = std::move(fine);
    }
    return mesh;
}

/// A height field over [0, nx * step] × [0, ny * step] in two triangles a cell; height(x, y) gives z.
template <class Height>
TriangleMesh terrain_mesh(int nx, int ny, double step, Height height) {
    TriangleMesh m;
    for (int j = 0; j <= ny; ++j) {
        for (int i = 0; i <= nx; ++i) m.vertices.push_back({i * step, j * step, height(i, j)});
    }
    const auto at = [nx](int i, int j) { return static_cast<std::int32_t>(j * (nx + 1) + i); };
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return m;
}

/// n spheres at random in a box, radii uniform in [low, high], none closer than touching; velocities and spins up to the given sizes.
inline void add_cloud(Model& m, int n, const Aabb& box, double low, double high, double speed, double spin, std::uint64_t seed) {
    Rng rng(seed, 1);
    const auto in = [&rng](double size) { return Vec3{rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)}; };
    for (int placed = 0, tries = 0; placed < n && tries < 1000 * n; ++tries) {
        const double r = rng.uniform(low, high);
        const Vec3 x{rng.uniform(box.min.x + r, box.max.x - r), rng.uniform(box.min.y + r, box.max.y - r),
                     rng.uniform(box.min.z + r, box.max.z - r)};
        bool clear = true;
        for (std::size_t k = 0; k < m.bodies.size() && clear; ++k) {
            const double reach = r + m.bodies.radius[k];
            clear = norm2(x - m.bodies.position[k]) > reach * reach;
        }
        if (!clear) continue;
        const Vec3 v = in(speed), w = in(spin);
        add_sphere(m, x, r, v, w);
        ++placed;
    }
}

/// Contacts with walls only.
inline std::vector<ContactRecord> wall_contacts(Engine& engine) {
    std::vector<ContactRecord> out;
    for (const ContactRecord& r : engine.contacts()) {
        if (r.wall >= 0) out.push_back(r);
    }
    return out;
}

/// Wall contacts of test spheres at rest, per centre; the spheres may overlap each other.
inline std::vector<std::vector<ContactRecord>> probe(const Wall& wall, const std::vector<Vec3>& centres, double radius) {
    Model m = empty_model(Law::Linear, 1, 0);
    m.walls = {wall};
    for (const Vec3 c : centres) add_sphere(m, c, radius);
    const auto engine = engine_of(m);
    std::vector<std::vector<ContactRecord>> out(centres.size());
    for (const ContactRecord& r : wall_contacts(*engine)) out[r.a].push_back(r);
    return out;
}

/// Leaves out the bodies that touch a wall at the start.
inline void keep_clear(Model& m) {
    std::vector<bool> at_wall(m.bodies.size(), false);
    for (const ContactRecord& r : wall_contacts(*engine_of(m))) at_wall[r.a] = true;
    BodyTable clear;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        if (at_wall[i]) continue;
        clear.add_sphere(m.bodies.position[i], m.bodies.radius[i], 0, density, m.bodies.velocity[i], m.bodies.angular_velocity[i]);
    }
    m.bodies = clear;
}

/// Duration of a head-on elastic collision of two spheres under Hertz's law (Chung & Ooi 2011, eq. 6).
inline double hertz_contact_time(double m_eff, double R_eff, double E_eff, double v) {
    return 2.868 * std::pow(m_eff * m_eff / (R_eff * E_eff * E_eff * v), 0.2);
}
/// The same under the linear law: half a period.
inline double linear_contact_time(double m_eff, double k_n) {
    return pi / std::sqrt(k_n / m_eff);
}
/// Duration for the pair (0, 0) of a model, by its law.
inline double contact_time(const Model& m, double m_eff, double R_eff, double v) {
    const LawParameters p = law_table(m).front();
    return m.penalty.law == Law::Linear ? linear_contact_time(m_eff, p.k_n) : hertz_contact_time(m_eff, R_eff, 0.75 * p.k_n, v);
}

}  // namespace scree::test
