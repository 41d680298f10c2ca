// The table shape: what spheres, polyhedra, clumps and compounds are, and their sizes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "scene/checks.hpp"
#include "scene/tables.hpp"

namespace scree {
namespace {

constexpr double kMostVertices = 1e6;

const std::vector<std::string> kRegular{"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
const std::vector<std::string> kOfOwnSize{"box",   "polyhedron", "mesh",      "prism",        "cylinder", "capsule",
                                          "clump", "compound",   "ellipsoid", "superquadric", "spheres",  "decomposition"};
const std::vector<std::string> kOfMesh{"mesh", "packed", "spheres", "decomposition"};
const std::vector<std::string> kPlanar{"disk", "polygon"};
const std::vector<std::string> kSizeKeys{"radius", "diameter", "classes", "distribution"};

/// One entry of `classes`.
struct SizeClass {
    double radius{0}, share{0};
};

TablePtr class_table() {
    TableOf<SizeClass> t("classes", "One size class.");
    t.number("radius", &SizeClass::radius, Dimension::Length, "Radius of the class.").required().above(0);
    t.number("share", &SizeClass::share, Dimension::Number, "Share of the class; shares are relative and need not add up to 1.")
        .required()
        .above(0);
    return t.build();
}

using Kind = SizeDistribution::Kind;

const std::map<Kind, std::string> kDistributions{{Kind::Uniform, "uniform"},
                                                 {Kind::Normal, "normal"},
                                                 {Kind::LogNormal, "lognormal"},
                                                 {Kind::RosinRammler, "rosin_rammler"},
                                                 {Kind::Sieve, "sieve"}};

std::string distribution_name(const SizeDistribution& size) {
    const auto found = kDistributions.find(size.kind);
    return found == kDistributions.end() ? "uniform" : found->second;
}

/// One entry of `sieves`.
struct SieveStep {
    double aperture{0}, passing{0};
};

TablePtr sieve_table() {
    TableOf<SieveStep> t("sieves", "One sieve.");
    t.number("aperture", &SieveStep::aperture, Dimension::Length, "Its opening, which balls of this diameter just pass.")
        .required()
        .above(0);
    t.number("passing", &SieveStep::passing, Dimension::Number, "Share of all that passes it.").required().from(0).to(1);
    return t.build();
}

void append_sieve(SizeDistribution& size, const SieveStep& step) {
    size.sieve_radius.push_back(0.5 * step.aperture);
    size.passing.push_back(step.passing);
}

std::vector<SieveStep> all_sieves(const SizeDistribution& size) {
    std::vector<SieveStep> steps;
    for (std::size_t i = 0; i < size.sieve_radius.size(); ++i) steps.push_back({2 * size.sieve_radius[i], size.passing[i]});
    return steps;
}

/// Does it say nothing unless it is told what is counted?
bool needs_word(const SizeDistribution& size) {
    return size.kind == Kind::Sieve || size.kind == Kind::RosinRammler;
}

void check_distribution(SizeDistribution& size, const TableReading& reading) {
    size.file_place = reading.at("file");
    if (size.kind == Kind::Sieve) {
        if (reading.has("sieves") == reading.has("file"))
            reading.fail(reading.has("file") ? "file" : "kind", "needs either sieves or a file of them");
        if (const std::string fault = problem_of_sieves(size); !fault.empty() && reading.has("sieves")) reading.fail("sieves", fault);
    }
    if (needs_word(size) && !reading.has("share_by"))
        reading.fail("kind",
                     fmt::format("\"{}\" says not what its shares count: give share_by = \"mass\" or \"number\"", distribution_name(size)));
    if (size.kind == Kind::Uniform)
        for (const char* key : {"min", "max"})
            if (!reading.has(key)) reading.fail(key, "a uniform distribution needs both min and max");
    if (size.kind == Kind::Uniform && size.min <= 0) reading.fail("min", "must be above 0");
    if (!(size.min < size.max)) reading.fail("max", fmt::format("must be above min: min {} m, max {} m", size.min, size.max));
    const bool has_mean = size.kind == Kind::Normal || size.kind == Kind::LogNormal;
    if (has_mean && (size.mean < size.min || size.mean > size.max))
        reading.fail("mean", fmt::format("must lie between min and max: mean {} m, min {} m, max {} m", size.mean, size.min, size.max));
    if (size.kind == Kind::Normal && size.min <= 0) {
        // Of mean / deviation = 4.75 one in a million is below 0.
        const double below = 0.5 * std::erfc(size.mean / (size.deviation * std::numbers::sqrt2));
        if (below > 1e-6)
            reading.fail("deviation",
                         fmt::format("leaves {:.2g} % of a normal distribution below radius 0: give min above 0, a deviation of at most "
                                     "{:.4g} m, or kind = \"lognormal\"",
                                     100 * below, size.mean / 4.76));
    }
    if (size.share_by_mass && size.min <= 0 && (size.kind == Kind::Normal || size.kind == Kind::RosinRammler))
        reading.fail("share_by", "of mass, such a distribution has bodies without number near radius 0: give min above 0");
}

TablePtr distribution_table() {
    TableOf<SizeDistribution> t("distribution", "Radii drawn from a continuous distribution.");
    std::vector<std::string> kinds;
    kinds.reserve(std::size(kDistributions));
    for (const auto& [kind, word] : kDistributions) kinds.push_back(word);
    t.key(
         "kind", Type::Word,
         [](SizeDistribution& size, const Value& value) {
             for (const auto& [kind, word] : kDistributions)
                 if (word == std::get<std::string>(value)) size.kind = kind;
         },
         [](const SizeDistribution& size) -> std::optional<Value> { return written(distribution_name(size)); },
         "Uniform between `min` and `max`, normal, log-normal, of Rosin and Rammler (Weibull), or between sieves.")
        .required()
        .words = kinds;
    t.number("mean", &SizeDistribution::mean, Dimension::Length, "Mean radius (of the radius itself, also for lognormal).")
        .required()
        .above(0)
        .only_for({"normal", "lognormal"});
    t.number("deviation", &SizeDistribution::deviation, Dimension::Length,
             "Standard deviation of the radius itself. A normal distribution may have no more than a millionth below 0, or needs `min`.")
        .required()
        .above(0)
        .only_for({"normal", "lognormal"});
    t.number("scale", &SizeDistribution::scale, Dimension::Length,
             "Radius below which 1 − 1/e = 63.2 % are: of r, 1 − exp(−(r / scale)^exponent).")
        .required()
        .above(0)
        .only_for({"rosin_rammler"});
    t.number("exponent", &SizeDistribution::exponent, Dimension::Number, "Its exponent: the higher, the narrower.")
        .required()
        .from(0.1)
        .to(1000)
        .only_for({"rosin_rammler"});
    t.list<SieveStep>(
         "sieves", append_sieve, all_sieves, sieve_table(),
         "Sieves by rising apertures, and the share that passes each: 0 of the first, 1 of the last; between two the shares rise "
         "evenly with size.")
        .from(2)
        .to(1e5)
        .only_for({"sieve"});
    t.key("file", Type::Path, &SizeDistribution::file,
          "Text file with a line per sieve in place of `sieves`: columns aperture [m] and passing, which the first line names.")
        .only_for({"sieve"});
    t.number("min", &SizeDistribution::min, Dimension::Length, "Smallest radius; the distribution has nothing below.")
        .from(0)
        .only_for({"uniform", "normal", "lognormal", "rosin_rammler"});
    t.number("max", &SizeDistribution::max, Dimension::Length, "Largest radius; the distribution has nothing above.")
        .above(0)
        .infinite()
        .only_for({"uniform", "normal", "lognormal", "rosin_rammler"});
    t.key(
         "share_by", Type::Word,
         [](SizeDistribution& size, const Value& value) { size.share_by_mass = std::get<std::string>(value) == "mass"; },
         [](const SizeDistribution& size) -> std::optional<Value> {
             if (!size.share_by_mass && !needs_word(size)) return std::nullopt;
             return written(std::string(size.share_by_mass ? "mass" : "number"));
         },
         "Whether the distribution, and the mean and deviation given, is that of bodies counted, or of their mass. Required of "
         "`rosin_rammler` and `sieve`.")
        .otherwise("`\"number\"`")
        .words = {"number", "mass"};
    t.select_by("kind", distribution_name);
    t.check(check_distribution);
    return t.build();
}

void append_class(SceneShape& shape, const SizeClass& entry) {
    shape.size.kind = Kind::Classes;
    shape.size.class_radius.push_back(entry.radius);
    shape.size.class_share.push_back(entry.share);
}

std::vector<SizeClass> all_classes(const SceneShape& shape) {
    std::vector<SizeClass> classes;
    for (std::size_t i = 0; i < shape.size.class_radius.size(); ++i)
        classes.push_back({shape.size.class_radius[i], shape.size.class_share[i]});
    return classes;
}

bool is_continuous(const SceneShape& shape) {
    return shape.size.kind != Kind::Single && shape.size.kind != Kind::Classes;
}

/// Which keys give the size: exactly one where nothing else does, at most one otherwise.
void check_sizes(const SceneShape& shape, const TableReading& reading) {
    std::vector<std::string> keys = kSizeKeys;
    const bool polygon = shape.kind == "polygon", regular = polygon && reading.has("sides");
    if (regular || std::find(kRegular.begin(), kRegular.end(), shape.kind) != kRegular.end()) keys.insert(keys.begin(), "edge");
    std::vector<std::string> given;
    for (const std::string& key : keys)
        if (reading.has(key)) given.push_back(key);
    const bool has_lengths = (polygon && !regular) || std::find(kOfOwnSize.begin(), kOfOwnSize.end(), shape.kind) != kOfOwnSize.end();
    if (given.empty() && !has_lengths) throw Error(reading.place, fmt::format("{} needs one of {}", reading.label, fmt::join(keys, ", ")));
    if (given.size() > 1)
        throw Error(reading.at(given[1]),
                    fmt::format("{}: give only one of {}, not both {} and {}", reading.label, fmt::join(keys, ", "), given[0], given[1]));
    if (reading.has("share_by") && shape.size.kind != Kind::Classes) reading.fail("share_by", "does not apply without \"classes\"");
}

/// Fails where a shape is not one of the scene's space, or a polygon is given by halves.
void check_space(const SceneShape& shape, const TableReading& reading) {
    const bool planar = std::find(kPlanar.begin(), kPlanar.end(), shape.kind) != kPlanar.end();
    if (reading.scene.dimensions == 2 && !planar)
        reading.fail("kind", fmt::format("\"{}\" has three dimensions, but the scene two; use disk or polygon", shape.kind));
    if (reading.scene.dimensions == 3 && planar)
        reading.fail("kind", fmt::format("\"{}\" needs dimensions = 2; in three dimensions use sphere or prism", shape.kind));
    if (shape.kind == "prism" && !reading.has("sides"))
        throw Error(reading.place, fmt::format("{} with kind = \"prism\" needs \"sides\"", reading.label));
    if (shape.kind != "polygon") return;
    if (reading.has("corners") == reading.has("sides"))
        throw Error(reading.has("sides") ? reading.at("sides") : reading.place,
                    fmt::format("{}: a polygon needs either corners = [[x, y], …] or sides, of a regular one", reading.label));
    if (reading.has("edge") && !reading.has("sides")) reading.fail("edge", "does not apply to a polygon given by its corners");
}

/// A lattice has spheres of one size.
void check_packed(const SceneShape& shape, const TableReading& reading) {
    if (shape.fill == "random") return;
    for (const char* key : {"classes", "distribution"})
        if (reading.has(key)) reading.fail(key, "is of fill = \"random\"; a lattice has spheres of one radius");
    if (reading.has("seed")) reading.fail("seed", "is of fill = \"random\"; a lattice has nothing to draw");
}

void check_shape(SceneShape& shape, const TableReading& reading) {
    check_space(shape, reading);
    shape.file_place = reading.at("file");
    shape.tolerance_place = reading.at("tolerance");
    if (std::find(kOfMesh.begin(), kOfMesh.end(), shape.kind) != kOfMesh.end() && shape.file.empty())
        throw Error(reading.place, fmt::format("{} with kind = \"{}\" needs \"file\"", reading.label, shape.kind));
    if (shape.kind == "packed") check_packed(shape, reading);
    if (shape.kind == "clump" && shape.file.empty() == shape.spheres.empty())
        throw Error(reading.has("file") ? reading.at("file") : reading.place,
                    fmt::format("{}: a clump needs either spheres = [[x, y, z, r], …] or a file of them", reading.label));
    check_sizes(shape, reading);
    if (shape.kind == "box" && !(shape.edges.x > 0 && shape.edges.y > 0 && shape.edges.z > 0))
        reading.fail("edges", "all three must be above 0");
    if (shape.kind == "capsule" && !(shape.height > 2 * shape.base_radius))
        reading.fail("height", fmt::format("of a capsule is its whole length: it must be above twice its base_radius, {} m; "
                                           "a ball is kind = \"sphere\"",
                                           2 * shape.base_radius));
    if (shape.kind == "capsule" && shape.height > 40 * shape.base_radius)
        reading.fail("height", "is more than 40 times its base_radius: make the body of several parts");
    const bool regular = std::find(kRegular.begin(), kRegular.end(), shape.kind) != kRegular.end();
    if (regular && reading.has("rounding") && !reading.has("edge"))
        reading.fail("rounding", "needs \"edge\" beside it: a share of a radius that varies is no length");
    if (reading.has("bevels") && !reading.has("rounding")) reading.fail("bevels", "does not apply without \"rounding\"");
    if (shape.kind == "ellipsoid" || shape.kind == "superquadric") {
        const auto [least, most] = std::minmax({shape.semi_axes.x, shape.semi_axes.y, shape.semi_axes.z});
        if (!(least > 0)) reading.fail("semi_axes", "all three must be above 0");
        if (most > 20 * least) reading.fail("semi_axes", "are in a ratio above 20: make the body of several parts, or a polyhedron");
    }
    if (shape.kind == "geodesic" && shape.faces != 20 && shape.faces != 80 && shape.faces != 320)
        reading.fail("faces",
                     fmt::format("must be 20, 80 or 320 (20 triangles, each cut in four as often as wanted), not {}", shape.faces));
}

void add_size_keys(TableOf<SceneShape>& t) {
    const auto radius = [](double factor) {
        return [factor](SceneShape& shape, const Value& value) {
            shape.size.kind = Kind::Single;
            shape.size.radius = factor * std::get<double>(value);
        };
    };
    const auto radius_again = [](const SceneShape& shape) -> std::optional<Value> {
        if (shape.size.kind != Kind::Single || shape.size.radius == 0) return std::nullopt;
        return written(shape.size.radius);
    };
    const auto never = [](const SceneShape&) -> std::optional<Value> { return std::nullopt; };
    t.key("radius", Type::Number, radius(1), radius_again,
          "Radius of every body; of all but spheres that of the smallest sphere about the centre of mass that holds it; of `packed` "
          "that of the spheres that fill it.")
        .above(0)
        .dimension = Dimension::Length;
    t.key("diameter", Type::Number, radius(0.5), never, "The same by diameter.").above(0).dimension = Dimension::Length;
    t.list<SizeClass>("classes", append_class, all_classes, class_table(), "Radii of several classes.").from(1);
    t.key(
         "share_by", Type::Word,
         [](SceneShape& shape, const Value& value) { shape.size.share_by_mass = std::get<std::string>(value) == "mass"; },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.size.kind != Kind::Classes) return std::nullopt;
             return written(std::string(shape.size.share_by_mass ? "mass" : "number"));
         },
         "Whether a class's `share` counts bodies or mass. Only with `classes`.")
        .otherwise("`\"number\"`")
        .words = {"number", "mass"};
    t.table_if("distribution", is_continuous, &SceneShape::size, distribution_table(), "Radii from a continuous distribution.");
}

TablePtr part_table() {
    TableOf<ScenePart> t("parts", "One part of a compound.");
    t.key("shape", Type::Name, &ScenePart::shape, "Name of a shape of one size that is no compound itself.").required().reference("shape");
    t.vector("at", &ScenePart::at, Dimension::Length, "Where the origin of the part's frame is in that of the compound.");
    add_turn_keys(t, &ScenePart::orientation, &ScenePart::rotation_axis, &ScenePart::rotation_angle,
                  "Quaternion that turns the part's frame into that of the compound, of any length but 0.");
    t.place(&ScenePart::place);
    t.check([](ScenePart& part, const TableReading& reading) {
        part.orientation = settled_orientation(part.orientation, part.rotation_axis, part.rotation_angle, reading);
    });
    return t.build();
}

void add_approximation_keys(TableOf<SceneShape>& t) {
    const std::vector<std::string> kinds{"spheres", "decomposition"};
    t.key(
         "most", Type::Integer, [](SceneShape& shape, const Value& value) { shape.most_parts = std::get<std::int64_t>(value); },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.most_parts == 0) return std::nullopt;
             return written(shape.most_parts);
         },
         "Most spheres or convex parts that stand for the mesh. Contacts cost as much as there are of them; `scree shape` says how the "
         "error "
         "falls with their number.")
        .from(1)
        .to(10000)
        .only_for(kinds)
        .otherwise("50 spheres, 16 convex parts");
    t.key(
         "tolerance", Type::Number, [](SceneShape& shape, const Value& value) { shape.tolerance = std::get<double>(value); },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.tolerance == 0) return std::nullopt;
             return written(shape.tolerance);
         },
         "Share of the mesh's volume by which spheres or convex parts may differ from it, what they miss and what they have too much taken "
         "together: no more of them are made than it takes. A tolerance that is given and not reached is an error.")
        .above(0)
        .to(1)
        .only_for(kinds)
        .otherwise("0.02, or what `most` reaches");
}

void add_kind_keys(TableOf<SceneShape>& t) {
    t.vector("edges", &SceneShape::edges, Dimension::Length, "Lengths of the edges along x, y and z.").required().only_for({"box"});
    t.key("vertices", Type::Points, &SceneShape::vertices, "Points whose convex hull is the body; where they lie in space does not count.")
        .required()
        .from(4)
        .to(kMostVertices)
        .only_for({"polyhedron"})
        .dimension = Dimension::Length;
    t.key("file", Type::Path, &SceneShape::file,
          "Mesh file of a closed body, convex for `mesh`, of any form for `packed`, `spheres` and `decomposition`: STL, OBJ, PLY, glTF and "
          "others; of a clump a text file with columns x, y, z, r in metres.")
        .only_for({"mesh", "clump", "packed", "spheres", "decomposition"});
    t.number("scale", &SceneShape::scale, Dimension::Number, "Factor from the file's unit to metres (0.001 for millimetres).")
        .above(0)
        .only_for(kOfMesh);
    t.key("hull", Type::Flag, &SceneShape::hull,
          "Take the convex hull of the file's vertices; otherwise the mesh must be closed and convex.")
        .only_for({"mesh"});
    t.key("corners", Type::Points, &SceneShape::vertices,
          "Corners whose convex hull is the body; where they lie in the plane does not count.")
        .from(3)
        .to(kMostVertices)
        .only_in(2)
        .only_for({"polygon"})
        .dimension = Dimension::Length;
    std::vector<std::string> with_edge = kRegular;
    with_edge.push_back("polygon");
    t.number("edge", &SceneShape::edge, Dimension::Length, "Length of the edges, of a polygon with `sides`.").above(0).only_for(with_edge);
    t.key(
         "sides", Type::Integer, [](SceneShape& shape, const Value& value) { shape.sides = std::get<std::int64_t>(value); },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.sides == 0) return std::nullopt;
             return written(shape.sides);
         },
         "Sides of a regular polygon, of the one that is the base of a prism, or of the one that stands for the base of a cylinder and has "
         "its area.")
        .from(3)
        .to(200)
        .only_for({"prism", "cylinder", "polygon"})
        .otherwise("24 for a cylinder; required for a prism");
    t.number("base_radius", &SceneShape::base_radius, Dimension::Length,
             "Distance of the corners of a prism's base from the axis, which is z; radius of a cylinder or capsule.")
        .required()
        .above(0)
        .only_for({"prism", "cylinder", "capsule"});
    t.number("height", &SceneShape::height, Dimension::Length, "Whole length along the axis, with the caps of a capsule.")
        .required()
        .above(0)
        .only_for({"prism", "cylinder", "capsule"});
    std::vector<std::string> with_edges = kRegular;
    with_edges.insert(with_edges.end(), {"box", "polyhedron", "mesh", "prism", "cylinder"});
    t.key(
         "rounding", Type::Number, [](SceneShape& shape, const Value& value) { shape.rounding = std::get<double>(value); },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.rounding == 0) return std::nullopt;
             return written(shape.rounding);
         },
         "Radius by which edges and corners are rounded off within the size given, by bevels whose corners lie on the round ones. Below "
         "the "
         "radius of the largest ball within. Mass and inertia are those of what is left.")
        .above(0)
        .only_for(with_edges)
        .otherwise("sharp")
        .dimension = Dimension::Length;
    t.key(
         "bevels", Type::Integer, [](SceneShape& shape, const Value& value) { shape.bevels = std::get<std::int64_t>(value); },
         [](const SceneShape& shape) -> std::optional<Value> {
             if (shape.rounding == 0) return std::nullopt;
             return written(shape.bevels);
         },
         "Bevels of a rounded edge, 1 or 2. A cube has 26 faces with one and 78 with two, and costs accordingly.")
        .from(1)
        .to(2)
        .only_for(with_edges)
        .otherwise("2");
    t.vector("semi_axes", &SceneShape::semi_axes, Dimension::Length, "Half the lengths along x, y and z.")
        .required()
        .only_for({"ellipsoid", "superquadric"});
    t.number("n1", &SceneShape::n1, Dimension::Number,
             "Exponent along z, as in (abs(x/a)^n2 + abs(y/b)^n2)^(n1/n2) + abs(z/c)^n1 = 1: 2 is an ellipsoid, the larger, the flatter "
             "the ends.")
        .from(2)
        .to(20)
        .only_for({"superquadric"});
    t.number("n2", &SceneShape::n2, Dimension::Number, "Exponent across z: 2 is an ellipse, the larger, the closer to a rectangle.")
        .from(2)
        .to(20)
        .only_for({"superquadric"});
    t.key("faces", Type::Integer, &SceneShape::faces, "Triangles of the ball: 20, 80 or 320.").from(20).to(320).only_for({"geodesic"});
    t.key("spheres", Type::Spheres, &SceneShape::spheres, "Spheres of the clump; where they overlap, mass counts once.")
        .only_for({"clump"})
        .dimension = Dimension::Length;
    t.tables("parts", &SceneShape::parts, part_table(), "Shapes that make up the compound; where they overlap, mass counts twice.")
        .required()
        .from(1)
        .only_for({"compound"});
    t.key("rigid", Type::Flag, &SceneShape::rigid,
          "Whether the spheres are one rigid body, of exactly the mesh's mass, centre of mass and moments of inertia; otherwise each is a "
          "body, which `[[bond]]` may hold together, and their masses are scaled alike so that they add up to the mesh's.")
        .only_for({"packed"});
    t.word("fill", &SceneShape::fill, {"regular", "random"},
           "How spheres fill the mesh: on a hexagonal close-packed lattice, placed so that it has the most of them, or at random without "
           "overlap, of one size or several.")
        .only_for({"packed"});
    t.number("surface", &SceneShape::surface, Dimension::Number,
             "Share of its radius by which a sphere may stick out of the mesh: 0: it lies wholly inside; 1: its centre does.")
        .from(0)
        .to(1)
        .only_for({"packed", "spheres"});
    t.key("seed", Type::Integer, &SceneShape::seed, "Seed of a random fill.").from(0).only_for({"packed"});
    add_approximation_keys(t);
}

}  // namespace

TablePtr shape_table() {
    TableOf<SceneShape> t(
        "[shape.NAME]",
        "Shape and sizes of bodies. A sphere or disk has exactly one of `radius`, `diameter`, `classes` and `distribution`. All "
        "others may have one too: their own lengths are then proportions, and the radius is that of the sphere that bounds "
        "them; without, their own lengths hold. `packed` has one of the four for the spheres that fill it. A regular solid or polygon has "
        "either `edge` or one of the four, `geodesic` one of the "
        "four. "
        "The position of a body is its centre of mass.");
    std::vector<std::string> kinds{"sphere",  "box",      "polyhedron",    "mesh",         "prism",  "cylinder",
                                   "capsule", "geodesic", "ellipsoid",     "superquadric", "clump",  "compound",
                                   "packed",  "spheres",  "decomposition", "disk",         "polygon"};
    kinds.insert(kinds.end(), kRegular.begin(), kRegular.end());
    t.word(
         "kind", &SceneShape::kind, kinds,
         "Shape. A clump is made of spheres, a compound of other shapes, `packed` of spheres that fill a mesh, `spheres` of few that "
         "overlap "
         "and are about a mesh, `decomposition` of convex polyhedra that are; these three have exactly the mesh's mass, centre of mass and "
         "moments of inertia. `ellipsoid`, "
         "`superquadric` and `capsule` are smooth; all others but `sphere` are convex polyhedra. `disk` and "
         "`polygon` "
         "belong to two dimensions, all others to three.")
        .required();
    add_kind_keys(t);
    add_size_keys(t);
    t.place(&SceneShape::place);
    t.select_by("kind", [](const SceneShape& shape) { return shape.kind; });
    t.check(check_shape);
    return t.build();
}

}  // namespace scree
