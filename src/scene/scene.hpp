// The Scene: what a scene file says, in SI, every value checked on its own, nothing placed or computed yet.
// In: scene/parse.hpp fills it from TOML. Out: setup/ turns it into a Model, sim/ reads schedule, output and measures.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "base/error.hpp"
#include "base/quat.hpp"
#include "base/vec3.hpp"

namespace scree {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A step for each method; empty: chosen by it [s].
struct SceneSteps {
    std::optional<double> cone, fluid, hard, penalty;
};

struct SceneTime {
    std::optional<double> step;  // [s]; empty: chosen by the method
    double end{0};               // [s]
    SourcePlace step_place;
    std::optional<SceneSteps> steps;  // where the file gives one for each method; `step` is then that of the scene's method
};

/// Lees and Edwards' boundaries.
struct SceneFunction {
    double constant{0}, amplitude{0}, frequency{0}, phase{0};
    std::string table;  // file
    SourcePlace place;
    SourcePlace table_place{};
};

/// A component of a driven cell.
struct SceneDrive {
    std::string by;  // "rate" [1/s] | "stress" [Pa]
    SceneFunction value;
    double gain{0};           // [1/(s Pa)]
    double integral_time{0};  // [s]
    SourcePlace place;
};

struct SceneShear {
    std::string along, across;  // "x" | "y" | "z"
    std::string by;             // as that of SceneDrive
    SceneFunction value;
    double gain{0}, integral_time{0};
    SourcePlace place;
};

struct SceneStage {
    double to{kInfinity};  // [s]
    std::optional<SceneDrive> x, y, z;
    std::optional<SceneShear> shear;
    double max_rate{0};  // [1/s]
    SourcePlace place;
};

/// A vector over time.
struct SceneAlongAxes {
    SceneFunction x, y, z;
    SourcePlace place;
};

struct SceneDomain {
    Vec3 gravity{0, 0, -9.81};
    Vec3 min{-kInfinity, -kInfinity, -kInfinity};
    Vec3 max{kInfinity, kInfinity, kInfinity};
    std::string leave{"stop"};     // "stop" | "remove"
    std::int64_t check_every{50};  // steps
    std::string periodic{"none"};  // "none" | "x" | "y" | "z" | "xy" | "xz" | "yz" | "xyz"
    SourcePlace place;
    std::optional<SceneShear> shear;
    std::vector<SceneStage> stages;
    std::string gravity_table{};  // file: gravity over time, in place of `gravity`
    SourcePlace gravity_table_place{};
    std::optional<SceneAlongAxes> acceleration{};  // beside gravity [m/s2]
};

struct SceneMethod {
    std::string kind{"penalty"};   // "penalty" | "cone" | "hard" | "fluid"
    std::string law{"hertz"};      // "hertz" | "linear" | "volume" | "power" or one of laws/normal.hpp
    std::string rolling{"none"};   // "none" | "constant" | "epsd"
    std::string cohesion{"none"};  // "none" or the name of a law (laws/cohesion.hpp)
    std::string twisting{"none"};  // "none" | "marshall" | "epsd"
    double stiffness{0};           // linear: k_n [N/m]; power: K_r [N/m^1.5]
    double tangential_ratio{2.0 / 7.0};
    double damping{0};             // power: K_D [N s/m^1.5]
    double tangential_damping{0};  // power: K_T [N s/m]
    std::string patch{"overlap"};  // "overlap" | "vertices"
    double overlap_warning{0.05};
    double overlap_limit{0.30};
    std::optional<double> skin;  // [m]
    std::string search{"auto"};  // "auto" | "brute" | "grid" | "levels"
    // The cone method. Empty values are chosen by it.
    std::string solver{"auto"};       // "auto" | "jacobi" | "gauss_seidel" | "apgd" | "barzilai_borwein" | "interior_point"
    std::string friction{"coulomb"};  // "coulomb" | "ccp"
    std::int64_t iterations{1000};
    std::optional<double> tolerance;                // [m/s]
    std::optional<double> residual_limit;           // [m/s]
    std::optional<double> omega, lambda;            // relaxation and blending
    std::optional<double> recovery_speed;           // [m/s]
    std::optional<double> restitution_threshold{};  // [m/s]
    std::optional<double> envelope;                 // [m]
    bool warm_start{true};
    std::string joints{"direct"};  // "direct" | "iterate"
    double joint_tolerance{1e-10};
    std::int64_t joint_substeps{8};
    std::int64_t coulomb_iterations{20};
    // Hard particles.
    std::string stepping{"events"};  // "events" | "steps"
    double elastic_below{0};         // [m/s]
    // Fluids.
    double support_radius{2.0};  // in spacings
    std::int64_t density_iterations{4};
    double relaxation{0.5};
    double artificial_pressure{0};
    std::int64_t artificial_pressure_power{4};
    double artificial_pressure_at{0.2};  // in support radii
    double xsph_viscosity{0.01};
    double vorticity_confinement{0};  // [m/s]
    SourcePlace place;
    SourcePlace rolling_place{};
    SourcePlace cohesion_place{};
    SourcePlace twisting_place{};
    SourcePlace solver_place;
    std::string dashpot{"restitution"};  // one of damping_parts (laws/friction.hpp)
    std::string tangential{"spring"};    // one of tangential_parts
    SourcePlace law_place{}, dashpot_place{}, tangential_place{};
};

struct SceneMaterial {
    std::string name;
    double density{2500}, young{1e7}, poisson{0.25}, restitution{0.5}, friction{0.5};
    SourcePlace place;
    double rolling_friction{0}, spinning_friction{0};
    double cohesion{0};                          // [N], cone method
    std::map<std::string, SourcePlace> given{};  // keys that the file gives
    double rolling_damping{0.3};                 // of the penalty method's rolling springs
    std::map<std::string, double> law_values{};  // parameters of declared laws, by name (laws/kinds.hpp)
};

struct SceneMaterialPair {
    std::string first, second;
    std::optional<double> restitution, friction, stiffness, tangential_ratio;
    SourcePlace place;
    std::optional<double> damping, tangential_damping;
    std::optional<double> rolling_friction{}, spinning_friction{}, cohesion{};
    std::map<std::string, SourcePlace> given{};  // keys that the file gives
    std::optional<double> rolling_damping{};
    std::map<std::string, double> law_values{};  // as those of a material
    std::map<std::string, std::string> laws{};   // words in place of those of the method, by key (laws/kinds.hpp)
};

/// Radii of a shape: of spheres, or of the spheres that bound polyhedra. Exactly one way is used.
struct SizeDistribution {
    enum class Kind { Single, Classes, Uniform, Normal, LogNormal, RosinRammler, Sieve } kind{Kind::Single};
    double radius{0};                           // Single [m]; 0: a polyhedron of the size its own lengths give
    std::vector<double> class_radius;           // Classes [m]
    std::vector<double> class_share;            // share of each class, by number or by mass
    bool share_by_mass{false};                  // what any distribution says is of mass, not of number
    double mean{0}, deviation{0};               // Normal: of r. LogNormal: mean and standard deviation of r itself [m]
    double min{0}, max{kInfinity};              // bounds: nothing comes past them [m]
    double scale{0}, exponent{0};               // RosinRammler: the share 1 - exp(-(r / scale)^exponent) is below r [m], [-]
    std::vector<double> sieve_radius, passing;  // Sieve: the share of each that is below the radius [m]
    std::string file;                           // Sieve: of these in its place
    SourcePlace file_place{};
};

/// A shape as a part of a compound.
struct ScenePart {
    std::string shape;
    Vec3 at;           // of the part's frame in that of the compound [m]
    Quat orientation;  // the part's frame -> that of the compound; any length but 0
    Vec3 rotation_axis{0, 0, 1};
    double rotation_angle{0};  // [rad]
    SourcePlace place;
};

struct SceneShape {
    std::string name;
    std::string kind{"sphere"};  // sphere | box | polyhedron | mesh | tetrahedron … icosahedron | prism | cylinder | capsule | geodesic |
                                 // clump | compound | packed | spheres | …
    SizeDistribution size;
    SourcePlace place;
    // Lengths [m] of polyhedra; only proportions where `size` says more.
    Vec3 edges;                                  // box
    std::vector<Vec3> vertices;                  // polyhedron, polygon: their convex hull
    std::string file;                            // mesh, packed, spheres, decomposition; clump: x, y, z, r
    double scale{1};                             // the same but clump
    bool hull{false};                            // mesh: take the convex hull
    std::optional<double> edge;                  // the five regular solids
    std::int64_t sides{0};                       // prism
    double base_radius{0}, height{0};            // prism, cylinder, capsule
    std::int64_t faces{320};                     // geodesic
    std::vector<std::array<double, 4>> spheres;  // clump: x, y, z, r
    std::vector<ScenePart> parts;                // compound
    // Packed: spheres, of the sizes `size`, that fill the mesh of a file.
    bool rigid{true};             // one body; otherwise one for each sphere
    std::string fill{"regular"};  // "regular" | "random"
    double surface{0.1};          // share of its radius by which a sphere may stick out of the mesh
    std::uint64_t seed{0};        // of a random fill
    SourcePlace file_place{};
    Vec3 semi_axes;       // ellipsoid, superquadric [m]
    double n1{2}, n2{2};  // superquadric: exponents
    // Spheres and decomposition of a mesh: as many parts at most, and the share of its volume that they may miss or have too much; 0: as
    // the kind has it.
    std::int64_t most_parts{0};
    double tolerance{0};
    SourcePlace tolerance_place{};
    double rounding{0};      // of edges and corners of polyhedra [m]; 0: sharp
    std::int64_t bevels{2};  // of a rounded edge
};

struct ScenePlacement {
    enum class Kind { Single, Lattice, Random, File } kind{Kind::Single};
    std::vector<Vec3> at;  // Single: explicit centres
    // Lattice
    std::string lattice{"sc"};       // "sc" | "fcc" | "hcp"
    std::int64_t count[3]{0, 0, 0};  // cells along x, y, z (0: fill the region)
    double spacing{0};               // nearest-neighbour distance [m]
    double jitter{0};                // share of the free gap (spacing - largest diameter), 0 … 1
    std::optional<Vec3> origin;      // centre of the first sphere
    // Random, and the clip region of a lattice: one of box | cylinder | sphere
    std::string region;  // "" | "box" | "cylinder" | "sphere" | "circle"
    Vec3 box_min, box_max;
    Vec3 centre;  // sphere; cylinder: the bottom end of the axis
    Vec3 axis{0, 0, 1};
    double radius{0}, length{0};
    std::optional<double> fraction;      // wanted solid volume fraction
    std::optional<std::int64_t> bodies;  // or wanted number (also a cap for a lattice)
    // File
    std::string file;
    std::vector<std::string> types;  // names of materials by the file's numbers of types, from 1; empty: types are not read
    double scale{1};                 // the file's unit of length [m]
    SourcePlace place;
    SourcePlace file_place{};
};

/// A part of a stream of several shapes or materials.
struct SceneMixturePart {
    std::string shape, material;
    double share{0};  // over the sum of all
};

/// What of a group comes while the run goes on.
struct SceneStream {
    std::string name;                         // empty: insert1, …
    std::optional<double> rate;               // bodies [1/s]
    std::optional<double> mass_rate;          // [kg/s]; with neither as many as there is room for
    std::optional<std::int64_t> count;        // in all
    std::optional<double> mass;               // in all [kg]
    double from{0}, to{kInfinity};            // [s]
    double every{0};                          // between two looks for room [s]; 0: chosen
    std::int64_t tries{100};                  // of places for a body at each
    std::vector<SceneMixturePart> mixture{};  // empty: all of the group's shape and material
    std::string shares_of{"mass"};            // "mass" | "number"
    bool on_call{false};                      // a program that steps the simulation puts them in; nothing else does
};

struct SceneBodies {
    std::string shape;  // may be empty where the file gives radii
    std::string material;
    Vec3 velocity, angular_velocity;
    double velocity_deviation{0};  // of each component, body by body [m/s]
    Quat orientation;              // frame in which the shape is given -> world; any length but 0
    bool random_orientation{false};
    Vec3 rotation_axis{0, 0, 1};  // of `rotation`, which becomes the orientation
    double rotation_angle{0};     // [rad]
    std::uint64_t seed{1};
    ScenePlacement placement;
    SourcePlace place;
    SceneStream stream{};  // of [[insert]]; its region is that of `placement`
    std::map<std::string, SourcePlace> given{};
};

/// Where what was taken out comes back.
struct SceneRecycling {
    ScenePlacement region;
    Vec3 velocity, angular_velocity;
    std::string orientation{"kept"};  // "kept" | "random"
    std::int64_t tries{100};          // of places for a body at each look
    std::uint64_t seed{1};
    SourcePlace place;
    std::map<std::string, SourcePlace> given{};
};

/// Takes bodies out of a part of space.
struct SceneRemoval {
    std::string name;                  // empty: remove1, …
    ScenePlacement region;             // "plane": all on the side to which `axis` points from `centre`
    std::string material;              // of what is taken; empty: any
    std::vector<std::string> shape{};  // of what is taken; empty: any
    std::optional<double> at;          // once [s]
    std::optional<double> every{};     // or between two looks [s]
    double from{0}, to{kInfinity};     // [s]
    SourcePlace place;
    std::optional<SceneRecycling> recycle{};
};

/// A medium that slows bodies down.
struct SceneDrag {
    std::string name;                 // empty: drag1, …
    std::string law{"damping"};       // "damping" | "stokes" | "schiller_naumann" | "quadratic"
    double rate{0};                   // damping [1/s]
    std::optional<double> spin_rate;  // damping; empty: as `rate` [1/s]
    double viscosity{0};              // [Pa s]
    std::optional<double> density;    // of the medium [kg/m3]
    double coefficient{0};            // quadratic
    bool buoyancy{false};
    std::optional<SceneAlongAxes> velocity;  // of the medium [m/s]
    std::optional<ScenePlacement> region;    // empty: everywhere
    double from{0}, to{kInfinity};           // [s]
    SourcePlace place;
};

/// Bonds between bodies.
struct SceneBond {
    std::string name;             // empty: bond1, …
    std::string law{"parallel"};  // laws/bonds.hpp
    std::optional<double> gap;    // [m]
    std::vector<double> pairs;    // ids, two by two
    std::string file;             // the same
    SourcePlace file_place;
    std::vector<std::string> materials;
    double radius_share{1};
    std::map<std::string, double> values;                             // of the law's parameters, those given
    double tensile{kInfinity}, shear{kInfinity}, bending{kInfinity};  // strengths [Pa]
    double friction_angle{0};                                         // [rad]
    double moment_share{1};
    std::optional<double> weibull;
    std::uint64_t seed{0};
    double damping{0};
    std::string contact{"skip"};  // "skip" | "keep"
    std::optional<bool> within;   // bodies of one agglomerate alone; not given: where both are of agglomerates
    // Made while the run goes on: at a time, or as bodies touch, looked at every so many seconds.
    double at{0};  // [s]
    bool on_touch{false};
    std::optional<double> every, from, until;  // [s]
    std::string wall;                          // to which bodies are bonded; empty: to each other
    SourcePlace place;
};

/// Breaks bonds in a part of space.
struct SceneBreak {
    std::string name;                              // empty: break1, …
    ScenePlacement region;                         // as of SceneRemoval
    std::vector<std::string> bonds;                // names of their tables; empty: all
    std::optional<double> at, every, from, until;  // once, or between two looks [s]
    SourcePlace place, bonds_place;
};

/// One rigid body with a name.
struct SceneBody {
    std::string name;
    std::string shape;     // empty: none
    std::string material;  // empty: none
    Vec3 position;         // of the shape's frame; without a shape of the centre of mass [m]
    Quat orientation;      // the shape's frame -> world; any length but 0
    Vec3 rotation_axis{0, 0, 1};
    double rotation_angle{0};         // [rad]
    Vec3 velocity, angular_velocity;  // of the centre of mass, world
    std::optional<double> mass;       // [kg]
    std::vector<double> inertia;      // empty, or xx yy zz, or xx yy zz xy xz yz: about the centre of mass, in the shape's frame [kg m2]
    std::optional<Vec3> centre;       // of mass, in the shape's frame [m]
    bool collide{true};
    SourcePlace place;
};

/// A value over time (model/joint.hpp).
struct SceneMotor {
    std::string drive;  // angle | speed | torque | travel | velocity | force
    SceneFunction value;
    double most{kInfinity};  // [N m] or [N]
    SourcePlace place;
};

struct SceneSpring {
    double stiffness{0}, damping{0}, preload{0};
    std::optional<double> rest;
    double stiffening{0};
};

struct SceneJoint {
    std::string name;
    std::string kind;                                       // spherical | revolute | … | gear | rack
    std::string a, b;                                       // names of bodies, or "ground"
    Vec3 point;                                             // of A; of both where B has none of its own [m]
    std::optional<Vec3> point_b;                            // [m]
    std::optional<Vec3> axis, axis_b;                       // of any length but 0
    std::optional<double> length;                           // [m]
    double angle_low{-kInfinity}, angle_high{kInfinity};    // [rad]
    double travel_low{-kInfinity}, travel_high{kInfinity};  // [m]
    std::optional<SceneMotor> motor;
    std::optional<SceneSpring> spring, torsion;
    std::string first, second;  // joints that a gear or rack couples
    double ratio{1};            // gear: [-]; rack: [m]
    bool collide{false};
    SourcePlace place;
};

struct SceneOscillation {
    Vec3 amplitude;   // [m]
    double angle{0};  // [rad]
    double frequency{0}, phase{0};
};

/// A wall that presses.
struct SceneServo {
    std::string by;                                  // "force" [N] | "pressure" [Pa] | "torque" [N m]
    SceneFunction target;                            // since the motion began
    std::optional<double> area;                      // [m2]
    Vec3 direction;                                  // of a force
    double gain{0}, integral_time{0}, max_speed{0};  // 0: from the contacts
    SourcePlace place;
};

/// How a wall moves (model/wall.hpp).
struct SceneMotion {
    Vec3 velocity;
    double rate{0};                   // about the axis [rad/s]
    std::optional<Vec3> axis, point;  // empty: the cylinder's own
    bool surface{false};              // the wall itself stays
    std::optional<SceneOscillation> oscillation;
    std::string table;  // file
    double from{0}, to{kInfinity};
    SourcePlace place;
    SourcePlace table_place{};
    std::optional<SceneServo> servo;
    std::vector<SceneOscillation> harmonics{};  // beside `oscillation`
};

struct SceneWall {
    std::string name;
    std::string kind;  // plane | quad | box | cylinder | mesh | segment | arc
    std::string material;
    Vec3 point, normal{0, 0, 1};  // plane
    std::vector<Vec3> corners;    // quad: four coplanar corners in order
    Vec3 min, max;                // box; the ends of a segment
    Vec3 axis{0, 0, 1};           // cylinder
    double radius{0};
    double length{kInfinity};
    double angle_from{0}, angle_to{2 * std::numbers::pi};  // arc: counterclockwise [rad]
    std::string side{"inside"};                            // cylinder, box: where bodies are, "inside" | "outside"
    std::string file;                                      // mesh
    double scale{1};                                       // mesh
    Vec3 offset;                                           // mesh
    double active_from{0}, active_to{kInfinity};
    std::optional<SceneMotion> motion;
    std::string body;             // that carries it; empty: none
    std::optional<double> mass;   // of a body of its own [kg]
    std::vector<double> inertia;  // as that of SceneBody, world axes
    std::optional<Vec3> centre;   // of mass, in the world at the start; of an arc [m]
    SourcePlace place;
    SourcePlace file_place{};
};

struct SceneEvent {
    std::string name;
    std::string measure;  // a column of the series
    std::optional<double> above, below;
    double from{0};      // [s]
    std::string action;  // "stop" | "add" | "remove" | "move" | "halt" | "next_stage"
    std::string wall;    // of all but stop and next_stage
    bool on{true};       // of these
    SourcePlace place;
};

struct SceneMeasure {
    std::string kind;  // energy | momentum | mass_in | count | coordination | max_overlap | wall_load | body | joint | solver |
                       // pressure | density | extent | stress | wall_place | streams
    std::string name;
    double every{0};     // [s]; 0: with every output frame
    std::string region;  // mass_in: "box" | "cylinder"; stress: "box", or empty: all of a periodic domain
    Vec3 box_min, box_max;
    Vec3 point, axis{0, 0, 1};
    double radius{0}, length{0};
    std::string wall;   // wall_load, wall_place: a wall's name; empty: all walls
    std::string body;   // body: its name
    std::string joint;  // joint: its name
    SourcePlace place;
    std::string material{};                       // mass_in: of bodies that count; empty: of all
    double min_radius{0}, max_radius{kInfinity};  // mass_in: of bodies that count [m]
};

struct SceneOutput {
    double every{0};               // frames [s]; 0: only the first and last
    bool contacts{false};          // write touching contacts into each frame
    bool bonds{false};             // and bonds that hold
    bool orientation{false};       // integrate and write orientations
    double checkpoint_every{600};  // wall seconds; 0: only at the end and when interrupted
    SourcePlace place;
    std::string precision{"double"};     // of what frames hold: double, single
    bool compress{false};                // all arrays of frames
    std::vector<std::string> leave_out;  // of frames: velocity, angular_velocity, surface
};

struct Scene {
    std::string file;    // as given
    std::string folder;  // where relative paths start
    std::string title;
    std::int64_t dimensions{3};
    SceneTime time;
    SceneDomain domain;
    SceneMethod method;
    std::vector<SceneMaterial> materials;
    std::vector<SceneMaterialPair> material_pairs;
    std::vector<SceneShape> shapes;
    std::vector<SceneBodies> bodies;
    std::vector<SceneBodies> inserts;
    std::vector<SceneBody> named_bodies;
    std::vector<SceneWall> walls;
    std::vector<SceneJoint> joints;
    std::vector<SceneMeasure> measures;
    SceneOutput output;
    std::string resolved;  // the scene as TOML text with overrides applied and every default written out
    std::vector<SceneEvent> events;
    std::vector<SceneRemoval> removals{};
    std::vector<SceneDrag> drags{};
    std::vector<SceneBond> bonds{};
    std::vector<SceneBreak> breaks{};
};

}  // namespace scree
