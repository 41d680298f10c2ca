// The Model: everything about a system that stays constant while it runs, and the bodies as they start. Plain types, SI units, world frame.
// In: filled by setup/ from a scene, or by a test directly. Out: read by the engine, which copies what it needs.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/aabb.hpp"
#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "laws/cohesion.hpp"
#include "laws/friction.hpp"
#include "model/bonds.hpp"
#include "model/cell_stage.hpp"
#include "model/cone_settings.hpp"
#include "model/convex_shape.hpp"
#include "model/fields.hpp"
#include "model/fluid_settings.hpp"
#include "model/hard_settings.hpp"
#include "model/joint.hpp"
#include "model/material.hpp"
#include "model/wall.hpp"

namespace scree {

/// The bodies at the start; index = id. All vectors have the same length n.
struct BodyTable {
    std::vector<Vec3> position;          // centre of mass [m]
    std::vector<Vec3> velocity;          // [m/s]
    std::vector<Vec3> angular_velocity;  // world frame [rad/s]
    std::vector<double> radius;          // of a sphere, or of the sphere about its centre that bounds a polyhedron [m]
    std::vector<double> mass;            // [kg]
    std::vector<std::int32_t> material;  // index into Model::materials
    std::vector<std::int32_t> shape;     // sphere_shape, or index into Model::shapes
    std::vector<Quat> orientation;       // principal frame to world
    // Compounds: bodies made of several colliders, or of none. A compound is an entry whose shape has no faces (ConvexShape::compound());
    // its colliders are entries of their own, its members, that it carries along. Empty where the model has none, else n entries.
    std::vector<std::int32_t> owner;  // id of the compound that carries this entry, or no_owner
    std::vector<Vec3> offset;         // of a member's centre in its owner's principal frame [m]; its start position agrees
    std::vector<Quat> offset_turn;    // member's principal frame -> owner's principal frame
    std::vector<std::string> name;    // of bodies that joints and measures name, else empty; may be shorter than n
    // Index into the scene's shapes, -1 where the radius alone was given. Filled where [[remove]] asks for shapes, else empty; may be
    // shorter than n.
    std::vector<std::int32_t> scene_shape;
    // comes_later: not there at the start, but put in while the run goes on (Engine::insert); its position counts for nothing.
    // comes_back: there, and put in again where it was taken out. Empty where all are there, and gone once they are, else n entries.
    std::vector<std::uint8_t> later;
    static constexpr std::uint8_t comes_later = 1, comes_back = 2;

    bool is_later(std::size_t i) const { return i < later.size() && later[i] == comes_later; }
    static constexpr std::int32_t no_owner = -1;
    std::int32_t owner_of(std::size_t i) const { return i < owner.size() ? owner[i] : no_owner; }

    static constexpr std::int32_t sphere_shape = -1;

    std::size_t size() const { return position.size(); }
    /// Gives back what only the start needs: velocities, orientations, and where members are in their compounds.
    void forget_start() {
        const auto give_back = [](auto& vector) { std::remove_reference_t<decltype(vector)>().swap(vector); };
        give_back(velocity);
        give_back(angular_velocity);
        give_back(orientation);
        give_back(offset);
        give_back(offset_turn);
    }
    /// Appends a solid sphere at rest; mass from density [kg/m3].
    void add_sphere(Vec3 at, double sphere_radius, std::int32_t sphere_material, double density, Vec3 v = {}, Vec3 omega = {}) {
        position.push_back(at);
        velocity.push_back(v);
        angular_velocity.push_back(omega);
        radius.push_back(sphere_radius);
        mass.push_back(density * 4.18879020478639098 * sphere_radius * sphere_radius * sphere_radius);
        material.push_back(sphere_material);
        shape.push_back(sphere_shape);
        orientation.push_back({});
    }
    /// Appends a solid disk of unit thickness at rest, in a plane model; mass from density [kg/m3].
    void add_disk(Vec3 at, double disk_radius, std::int32_t disk_material, double density, Vec3 v = {}, Vec3 omega = {}) {
        add_sphere(at, disk_radius, disk_material, density, v, omega);
        mass.back() = density * 3.14159265358979324 * disk_radius * disk_radius;
    }
    /// Appends a solid polyhedron of this bounding radius; mass from density [kg/m3].
    void add_convex(Vec3 at, Quat q, std::int32_t index, const ConvexShape& s, double bounding_radius, std::int32_t body_material,
                    double density, Vec3 v = {}, Vec3 omega = {}) {
        position.push_back(at);
        velocity.push_back(v);
        angular_velocity.push_back(omega);
        radius.push_back(bounding_radius);
        mass.push_back(density * s.volume * bounding_radius * bounding_radius * bounding_radius);
        material.push_back(body_material);
        shape.push_back(index);
        orientation.push_back(q);
    }
    /// Appends a solid polygon of unit thickness, in a plane model (model/planar_shape.hpp); mass from density [kg/m3].
    void add_polygon(Vec3 at, Quat q, std::int32_t index, const ConvexShape& s, double bounding_radius, std::int32_t body_material,
                     double density, Vec3 v = {}, Vec3 omega = {}) {
        add_convex(at, q, index, s, bounding_radius, body_material, density, v, omega);
        mass.back() = density * s.volume * bounding_radius * bounding_radius;
    }
};

/// How contacts become motion.
enum class Method { Penalty, Cone, Hard, Fluid };

enum class Leave { Remove, Stop };

/// The region bodies may be in; checked every `check_every` steps, so that a result never depends on the pair list.
struct Domain {
    Aabb box{{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()},
             {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}};
    Leave leave{Leave::Stop};
    std::int64_t check_every{50};  // steps between two checks, >= 1
    bool periodic[3]{};            // along x, y, z: the box repeats itself (model/cell.hpp, model/hard_box.hpp)
    // The periodic cell: what drives it one after the other, the last for good; none: it rests.
    std::vector<CellStage> stages;
    struct Shear {
        bool on{false};
        int along{0}, across{1};  // axes: images one period up `across` move along `along`
        bool at_once{false};      // from the start, past bodies that have their velocities for it
    } shear;
};
/// What bodies may not leave: the box, open along periodic axes.
Aabb open_box(const Domain& domain);

enum class Search { Auto, BruteForce, Grid, Levels };

/// How the contact of polyhedra is reduced to one wrench.
/// Overlap: moments of the volume they share, continuous across faces, edges and vertices.
/// Vertices: mean of the penetrating vertices and of their depths (Govender, Wilke & Kok 2015), for comparison with that paper.
enum class Patch { Overlap, Vertices };

/// Settings of the penalty method (method.kind = "penalty").
/// Its laws are those of every two materials but those whose PairProperties have their own; rolling and twisting are those of any pair, and
/// cohesion is CohesionByPair::number where pairs have different laws.
struct PenaltySettings : ContactLaws {
    bool by_pair{false};           // normal law, dashpot or friction of some pairs are others
    double overlap_warning{0.05};  // of the smaller radius
    double overlap_limit{0.30};    // of the smaller radius: the run stops
    double skin{0};                // [m]; 0 chooses and adapts it
    Search search{Search::Auto};
    Patch patch{Patch::Overlap};
};

/// Are contacts of round bodies those of engine/laws/general.hpp?
inline bool is_general(const PenaltySettings& penalty) {
    return penalty.by_pair || penalty.law == Law::Plastic || penalty.damping != Damping::Restitution ||
           penalty.tangential != Tangential::Spring;
}

/// Two dimensions: bodies move in the plane z = 0 and turn about z. A disk is a sphere there with the mass and inertia of a disk of unit
/// thickness; a polygon is a prism with planar_shape()'s template. Walls are planes across z = 0, meshes extruded along z, and arcs.
struct Model {
    int dimensions{3};          // of space, 2 or 3
    Vec3 gravity{0, 0, -9.81};  // [m/s2]
    Domain domain;
    Method method{Method::Penalty};
    PenaltySettings penalty;  // its skin, search and overlap limits hold for both methods
    ConeSettings cone;
    HardSettings hard;
    FluidSettings fluid;
    std::vector<Material> materials;
    PairTable pairs;  // restitution, friction, … for every two materials
    BodyTable bodies;
    std::vector<ConvexShape> shapes;  // templates of polyhedra, shared by bodies
    std::vector<Wall> walls;
    std::vector<Joint> joints;
    Fields fields;
    std::vector<BondKind> bond_kinds;
    std::vector<Bond> bonds;        // of two bodies at most one
    double dt{0};                   // step [s], > 0
    bool track_orientation{false};  // integrate the quaternions of spheres too (they need none to move); polyhedra always
};

/// Of contacts of materials a and b.
inline const ContactLaws& laws_of(const Model& model, std::size_t a, std::size_t b) {
    const std::optional<ContactLaws>& own = model.pairs(a, b).laws;
    return own ? *own : model.penalty;
}

}  // namespace scree
