// A user's mistakes: each gives one message with its place and what to change.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scene/parse.hpp"
#include "scene/plain_file.hpp"
#include "unit/scene/example.hpp"

using namespace scree;
using namespace scree_test;

namespace {

struct Case {
    std::string text;     // after kHead, so its first line is line 12
    const char* message;  // how the message starts
};

void check_all(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        const std::string message = error_of(kHead + c.text);
        CHECK_MESSAGE(message.starts_with(c.message), c.text, "\ngave:     ", message, "\nexpected: ", c.message);
    }
}

const std::string kBodies = "[[bodies]]\nshape = \"grain\"\nmaterial = \"glass\"\n";
const std::string kRegion = "region = { box = [[0, 0, 0], [1, 1, 1]] }";
std::string wall(const std::string& rest) {
    return "[[wall]]\nmaterial = \"glass\"\n" + rest;
}

std::string error_of_file(const std::string& path) {
    try {
        (void)parse_scene(path, {});
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("errors: TOML itself") {
    CHECK(error_of("[time]\nend = \n").starts_with("scene.toml:2:"));
    CHECK(error_of("[time\nend = 1").starts_with("scene.toml:1:"));
    CHECK(error_of("[time]\nend = 1\nend = 2").starts_with("scene.toml:3:"));
    CHECK(error_of("[time]\nend = \"\xff\"").starts_with("scene.toml:2:"));
}

TEST_CASE("errors: tables and lists that nest deeper than a parser's stack bears") {
    const auto repeated = [](const std::string& part, int times) {
        std::string text;
        for (int k = 0; k < times; ++k) text += part;
        return text;
    };
    constexpr int deep = 100000;
    const std::string dots = repeated("a.", deep);
    const std::string told = "tables and lists within each other go deeper than 64 levels here";
    // The place is that of the 65th level: of "a.a.a" the dots stand in columns 2, 4, 6, ...
    CHECK(error_of(dots + "a = 1\n").starts_with("scene.toml:1:130: " + told));
    CHECK(error_of("x = 1\n[" + dots + "a]\n").starts_with("scene.toml:2:129: " + told));
    CHECK(error_of("[[" + dots + "a]]\n").starts_with("scene.toml:1:128: " + told));
    CHECK(error_of("x = " + repeated("[", deep)).starts_with("scene.toml:1:69: " + told));
    CHECK(error_of("x = " + repeated("{ a.b = ", deep)).find(told) != std::string::npos);
    CHECK(error_of("x = { " + dots + "a = 1 }\n").find(told) != std::string::npos);
    // Neither strings nor comments nest, nor do many short keys, and what is closed counts no more.
    const std::string flat = "# " + dots + "\ntitle = \"" + dots + repeated("[", 100) + "\\\"\" # " + dots + "\n";
    for (const std::string& text :
         {flat, "title = '''\n" + dots + "\"'''\n", "title = \"\"\"\n" + dots + "'\\\"\"\"\"\n", repeated("a.b.c = [1.5, 2.5]\n", 100)})
        CHECK(error_of(text).find(told) == std::string::npos);
}

TEST_CASE("errors: what is no file of data is refused before it is read") {
    CHECK(error_of_file("/dev/zero") == "cannot read \"/dev/zero\": it is a device; give a file");
    const std::string folder = std::filesystem::temp_directory_path() / ("scree_kinds_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string pipe = folder + "/pipe.toml", large = folder + "/large.toml";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(error_of_file(pipe) == "cannot read \"" + pipe + "\": it is a pipe; give a file");
    std::ofstream(large).put('\n');
    std::filesystem::resize_file(large, kMostSceneBytes + 1);  // sparse
    CHECK(error_of_file(large).find("has more than 67108864 bytes") != std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST_CASE("errors: top level, time, domain, method, output") {
    CHECK(error_of("title = \"a\"\n") == "scene.toml:1:1: the scene needs a [time] table");
    CHECK(error_of("[time]\nstep = 1\n") == "scene.toml:1:1: [time] needs \"end\"");
    CHECK(error_of("dimensions = 4\n[time]\nend = 1\n") == "scene.toml:1:14: dimensions: must be at least 2 and at most 3, not 4");
    CHECK(error_of("dimensions = 1\n[time]\nend = 1\n") == "scene.toml:1:14: dimensions: must be at least 2 and at most 3, not 1");
    CHECK(error_of("time = 3\n") == "scene.toml:1:8: [time]: expected a table; write [time] on a line of its own");
    CHECK(error_of("[time]\nend = nan\n") == "scene.toml:2:7: [time] end: must be a number, not nan");
    CHECK(error_of("[time]\nend = inf\n") == "scene.toml:2:7: [time] end: must be finite");
    CHECK(error_of("[time]\nend = \"3 m\"\n") == "scene.toml:2:7: [time] end: expected a time, such as \"20 ms\"; \"3 m\" is a length");
    CHECK(error_of("[time]\nend = 2020-01-01\n").starts_with("scene.toml:2:7: [time] end: expected a time"));
    CHECK(error_of("[time]\nend = 1\nstep = 2\n").starts_with("scene.toml:3:8: [time] step: must not be longer than the run"));
    CHECK(error_of("[time]\nend = 1\nstep = \"automatic\"\n").starts_with("scene.toml:3:8: [time] step: expected a time"));
    check_all({
        {"[outptu]\n", "scene.toml:12:2: unknown key \"outptu\"; did you mean \"output\"?"},
        {"[output]\nevrey = 1\n", "scene.toml:13:1: unknown key \"evrey\" in [output]; did you mean \"every\"?"},
        {"[output]\nevery = -1\n", "scene.toml:13:9: [output] every: must be at least 0, not -1"},
        {"[output]\ncontacts = 1\n", "scene.toml:13:12: [output] contacts: expected true or false, not 1"},
        {"[domain]\ngravity = [0, 0]\n", "scene.toml:13:11: [domain] gravity: expected three numbers [x, y, z]"},
        {"[domain]\ngravity = [0, true, 0]\n", "scene.toml:13:15: [domain] gravity: expected an acceleration (a number in m/s2"},
        {"[domain]\nmin = [0, 2, 0]\nmax = [1, 1, 1]\n",
         "scene.toml:14:7: [domain] max: min must be below max in every direction; along y they are 2 and 1"},
        {"[domain]\ncheck_every = 0\n", "scene.toml:13:15: [domain] check_every: must be at least 1"},
        {"[domain]\ncheck_every = 1.5\n", "scene.toml:13:15: [domain] check_every: expected a whole number, not 1.5"},
        {"[domain]\nleave = \"removed\"\n",
         "scene.toml:13:9: [domain] leave: \"removed\" is not one of stop, remove; did you mean \"remove\"?"},
        {"[method]\nkind = \"soft\"\n", "scene.toml:13:8: [method] kind: \"soft\" is not one of penalty, cone, hard"},
        {"[method]\nkind = \"hard\"\nstepping = \"step\"\n", "scene.toml:14:12: [method] stepping: \"step\" is not one of events, steps"},
        {"[method]\nelastic_below = -1\n", "scene.toml:13:17: [method] elastic_below: must be at least 0, not -1"},
        {"[method]\nsupport_radius = 1.4\n", "scene.toml:13:18: [method] support_radius: must be at least 1.5 and at most 4, not 1.4"},
        {"[method]\nsupport_radius = 4.1\n", "scene.toml:13:18: [method] support_radius: must be at least 1.5 and at most 4, not 4.1"},
        {"[method]\ndensity_iterations = 0\n", "scene.toml:13:22: [method] density_iterations: must be at least 1 and at most 1000, not 0"},
        {"[method]\nrelaxation = 0.05\n", "scene.toml:13:14: [method] relaxation: must be at least 0.1 and at most 100, not 0.05"},
        {"[method]\nartificial_pressure = -0.1\n",
         "scene.toml:13:23: [method] artificial_pressure: must be at least 0 and at most 1, not -0.1"},
        {"[method]\nartificial_pressure_power = 0\n",
         "scene.toml:13:29: [method] artificial_pressure_power: must be at least 1 and at most 16, not 0"},
        {"[method]\nartificial_pressure_at = 1\n",
         "scene.toml:13:26: [method] artificial_pressure_at: must be at least 0 and at most 0.9, not 1"},
        {"[method]\nxsph_viscosity = 0.6\n", "scene.toml:13:18: [method] xsph_viscosity: must be at least 0 and at most 0.5, not 0.6"},
        {"[method]\nvorticity_confinement = \"1 m\"\n", "scene.toml:13:25: [method] vorticity_confinement:"},
        {"[domain]\nperiodic = \"yx\"\n", "scene.toml:13:12: [domain] periodic: \"yx\" is not one of none, x, y, z, xy, xz, yz, xyz"},
        {"[method]\nlaw = \"linear\"\n", "scene.toml:12:1: [method] with law = \"linear\" needs \"stiffness\""},
        {"[method]\nstiffness = 1\n",
         "scene.toml:13:13: [method] stiffness: does not apply to law = \"hertz\"; it belongs to law = \"linear\""},
        {"[method]\noverlap_warning = 0.5\n",
         "scene.toml:13:19: [method] overlap_warning: the limit (0.3) must not be below the warning (0.5)"},
    });
}

TEST_CASE("errors: materials, pairs and shapes") {
    CHECK(error_of("[time]\nend = 1\n[[material]]\ndensity = 1\n") == "scene.toml:3:1: material tables have names; write [material.NAME]");
    CHECK(error_of("[time]\nend = 1\n[material]\ndensity = 1\n") ==
          "scene.toml:4:11: material tables have names; write [material.NAME] above \"density\"");
    const std::string material = "[material.a]\ndensity = 1\nyoung = 1\nfriction = 0\n";
    check_all({
        {"[material.a]\nyoung = 1\npoisson = 0\nrestitution = 1\nfriction = 0\n", "scene.toml:12:1: [material.a] needs \"density\""},
        {material + "poisson = 0.6\nrestitution = 1\n",
         "scene.toml:16:11: [material.a] poisson: must be above -1 and at most 0.5, not 0.6"},
        {material + "poisson = 0\nrestitution = 1.5\n",
         "scene.toml:17:15: [material.a] restitution: must be at least 0 and at most 1, not 1.5"},
        {"[material.\"a b\"]\ndensity = 1\n", "scene.toml:12:1: \"a b\" is not a name"},
        {"[[material_pair]]\nbetween = [\"glass\", \"stel\"]\n",
         "scene.toml:13:21: [[material_pair]] between: there is no material \"stel\""},
        {"[[material_pair]]\nbetween = [\"glass\"]\n", "scene.toml:13:11: [[material_pair]] between: expected two names"},
        {"[[material_pair]]\nbetween = [\"glass\", \"glass\"]\nstiffness = 3\n",
         "scene.toml:14:13: [[material_pair]] stiffness: belongs to law = \"linear\""},
        {"[[material_pair]]\nbetween = [\"glass\", \"glass\"]\n[[material_pair]]\nbetween = [\"glass\", \"glass\"]\n",
         "scene.toml:14:1: the material pair \"glass\", \"glass\" is listed twice"},
        {"[shape.a]\nkind = \"sphere\"\n", "scene.toml:12:1: [shape.a] needs one of radius, diameter, classes, distribution"},
        {"[shape.a]\nkind = \"sphere\"\nradius = 1\ndiameter = 2\n",
         "scene.toml:15:12: [shape.a]: give only one of radius, diameter, classes, distribution, not both radius and diameter"},
        {"[shape.a]\nkind = \"egg\"\nradius = 1\n", "scene.toml:13:8: [shape.a] kind: \"egg\" is not one of sphere, box"},
        {"[shape.a]\nkind = \"clump\"\nradius = 1\n", "scene.toml:12:1: [shape.a]: a clump needs either spheres"},
        {"[shape.a]\nkind = \"sphere\"\nradius = \"2 kg\"\n",
         "scene.toml:14:10: [shape.a] radius: expected a length, such as \"2 mm\"; \"2 kg\" is a mass"},
        {"[shape.a]\nkind = \"sphere\"\nradius = 0\n", "scene.toml:14:10: [shape.a] radius: must be above 0, not 0"},
        {"[shape.a]\nkind = \"sphere\"\nraduis = 1\n", "scene.toml:14:1: unknown key \"raduis\" in [shape.a]; did you mean \"radius\"?"},
        {"[shape.a]\nkind = \"sphere\"\nclasses = []\n", "scene.toml:14:11: [shape.a] classes: must not be empty"},
        {"[shape.a]\nkind = \"sphere\"\nclasses = [{ radius = 1 }]\n", "scene.toml:14:12: [shape.a] classes needs \"share\""},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"normal\", mean = 1 }\n",
         "scene.toml:14:16: [shape.a] distribution with kind = \"normal\" needs \"deviation\""},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"uniform\", min = 1 }\n",
         "scene.toml:14:16: [shape.a] distribution max: a uniform distribution needs both"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"uniform\", min = 2, max = 1 }\n",
         "scene.toml:14:51: [shape.a] distribution max: must be above min"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"normal\", mean = 2, deviation = 1 }\n",
         "scene.toml:14:57: [shape.a] distribution deviation: leaves 2.3 % of a normal distribution below radius 0: give min above 0, a "
         "deviation of at most 0.4202 m, or kind = \"lognormal\""},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"normal\", mean = 2, deviation = 0.1, share_by = \"mass\" }\n",
         "scene.toml:14:73: [shape.a] distribution share_by: of mass, such a distribution has bodies without number near radius 0: give "
         "min above 0"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"rosin_rammler\", scale = 2, exponent = 3 }\n",
         "scene.toml:14:25: [shape.a] distribution kind: \"rosin_rammler\" says not what its shares count: give share_by"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"sieve\", share_by = \"mass\" }\n",
         "scene.toml:14:25: [shape.a] distribution kind: needs either sieves or a file of them"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"sieve\", share_by = \"mass\", sieves = [] }\n",
         "scene.toml:14:62: [shape.a] distribution sieves: must not be empty"},
        {"[shape.a]\nkind = \"sphere\"\ndistribution = { kind = \"sieve\", share_by = \"mass\", sieves = [{ aperture = 1, passing = 0.5 }, "
         "{ "
         "aperture = 2, passing = 1 }] }\n",
         "scene.toml:14:62: [shape.a] distribution sieves: 0.5 passes the finest sieve: begin with a finer one"},
    });
}

TEST_CASE("errors: bodies and placements") {
    check_all({
        {"[[bodies]]\nmaterial = \"glass\"\nplace.at = [0, 0, 0]\n", "scene.toml:12:1: [[bodies]] needs \"shape\""},
        {"[[bodies]]\nshape = \"grian\"\nmaterial = \"glass\"\nplace.at = [0, 0, 0]\n",
         "scene.toml:13:9: [[bodies]] shape: there is no shape \"grian\"; did you mean \"grain\"?"},
        {kBodies, "scene.toml:12:1: [[bodies]] needs \"place\""},
        {"[bodies]\nshape = \"grain\"\n", "scene.toml:12:1: bodies is a list of tables; write [[bodies]]"},
        {kBodies + "place = \"a.csv\"\n", "scene.toml:15:9: [[bodies]] place: expected a table { … }"},
        {kBodies + "place = { spacing = 1 }\n", "scene.toml:15:9: [[bodies]] place needs one of at, lattice, random, file"},
        {kBodies + "place = { at = [] }\n", "scene.toml:15:16: [[bodies]] place at: expected a list of points"},
        {kBodies + "place = { at = [[0, 0, \"x\"]] }\n", "scene.toml:15:24: [[bodies]] place at: expected a length"},
        {kBodies + "place = { at = [0, 0, 0], spacing = 1 }\n",
         "scene.toml:15:37: [[bodies]] place spacing: does not apply to \"at\"; it belongs to \"lattice\""},
        {kBodies + "place = { file = \"a\", types = 1 }\n",
         "scene.toml:15:31: [[bodies]] place types: expected a name, or a list of names [\"a\", \"b\", …], not 1"},
        {kBodies + "place = { file = \"a\", types = \"glas\" }\n",
         "scene.toml:15:31: [[bodies]] place types: there is no material \"glas\"; did you mean \"glass\"?"},
        {kBodies + "place = { file = \"a\", types = [] }\n",
         "scene.toml:15:31: [[bodies]] place types: expected a name, or a list of names"},
        {kBodies + "place = { file = \"a\", types = [\"glass\", 1] }\n",
         "scene.toml:15:41: [[bodies]] place types: expected a name in quotes"},
        {kBodies + "place = { file = \"a\", types = [\"glass\", \"glas\"] }\n",
         "scene.toml:15:41: [[bodies]] place types: there is no material \"glas\"; did you mean \"glass\"?"},
        {kBodies + "place = { at = [0, 0, 0], types = [\"glass\"] }\n",
         "scene.toml:15:35: [[bodies]] place types: does not apply to \"at\"; it belongs to \"file\""},
        {kBodies + "place = { file = \"a\", scale = 0 }\n", "scene.toml:15:31: [[bodies]] place scale: must be above 0, not 0"},
        {kBodies + "place = { lattice = [1, 1, 1] }\n", "scene.toml:15:9: [[bodies]] place with lattice needs \"spacing\""},
        {kBodies + "place = { lattice = [1, 0, 1], spacing = 1 }\n", "scene.toml:15:25: [[bodies]] place lattice: must be at least 1"},
        {kBodies + "place = { lattice = [2000, 2000, 2000], spacing = 1 }\n",
         "scene.toml:15:21: [[bodies]] place lattice: 8e+09 bodies are more"},
        {kBodies + "place = { lattice = \"fill\", spacing = 1 }\n", "scene.toml:15:21: [[bodies]] place lattice: \"fill\" needs a region"},
        {kBodies + "place = { lattice = \"full\", spacing = 1 }\n",
         "scene.toml:15:21: [[bodies]] place lattice: expected three whole numbers [nx, ny, nz] or \"fill\", not \"full\""},
        {kBodies + "place = { random = true, fraction = 0.3 }\n", "scene.toml:15:20: [[bodies]] place random: needs a region"},
        {kBodies + "place = { random = false }\n", "scene.toml:15:20: [[bodies]] place random: can only be true"},
        {kBodies + "place = { random = true, " + kRegion + " }\n", "scene.toml:15:20: [[bodies]] place random: needs fraction"},
        {kBodies + "place = { random = true, fraction = 0.9, " + kRegion + " }\n",
         "scene.toml:15:37: [[bodies]] place fraction: must be above 0 and at most 0.74, not 0.9 (equal spheres"},
        {kBodies + "place = { random = true, bodies = 3, fraction = 0.1, " + kRegion + " }\n",
         "scene.toml:15:35: [[bodies]] place bodies: give either fraction or bodies"},
        {kBodies + "place = { random = true, bodies = 3, region = { box = [[0, 0, 0], [1, 0, 1]] } }\n",
         "scene.toml:15:55: [[bodies]] place region box: min must be below max in every direction; along y they are 0 and 0"},
        {kBodies + "place = { random = true, bodies = 3, region = { sphere = { radius = 1 } } }\n",
         "scene.toml:15:58: [[bodies]] place region sphere needs \"centre\""},
        {kBodies + "place = { random = true, bodies = 3, region = {} }\n",
         "scene.toml:15:47: [[bodies]] place region needs one of box, cylinder, sphere"},
        {kBodies + "place.at = [0, 0, 0]\nseed = -1\n", "scene.toml:16:8: [[bodies]] seed: must be at least 0"},
        {kBodies + "place.at = [0, 0, 0]\nangular_velocity = [0, 0, \"2 Hz\"]\n",
         "scene.toml:16:27: [[bodies]] angular_velocity: expected an angular velocity, such as \"30 rpm\"; \"2 Hz\" is a frequency"},
    });
}

TEST_CASE("errors: walls and measures") {
    check_all({
        {wall("kind = \"plan\"\n"),
         "scene.toml:14:8: [[wall]] kind: \"plan\" is not one of plane, quad, box, cylinder, mesh, segment, arc; did you mean \"plane\"?"},
        {wall("kind = \"plane\"\npoint = [0, 0, 0]\n"), "scene.toml:12:1: [[wall]] with kind = \"plane\" needs \"normal\""},
        {wall("kind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 0]\n"),
         "scene.toml:16:10: [[wall]] normal: gives a direction, so its length must be above 0"},
        {wall("kind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 0]\n"), "scene.toml:16:7: [[wall]] max: min must be below max"},
        {wall("kind = \"quad\"\ncorners = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\n"),
         "scene.toml:15:11: [[wall]] corners: expected a list of 4 points"},
        {wall("kind = \"quad\"\ncorners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.1]]\n"),
         "scene.toml:15:11: [[wall]] corners: the four corners must lie in one plane"},
        {wall("kind = \"quad\"\ncorners = [[0, 0, 0], [1, 0, 0], [0.2, 0.2, 0], [0, 1, 0]]\n"),
         "scene.toml:15:11: [[wall]] corners: the quad must be convex"},
        {wall("kind = \"quad\"\ncorners = [[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]]\n"), "scene.toml:15:11: [[wall]] corners: the quad"},
        {wall("kind = \"quad\"\ncorners = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]\n"),
         "scene.toml:15:11: [[wall]] corners: the quad has no area"},
        {wall("kind = \"mesh\"\nfile = \"\"\n"), "scene.toml:15:8: [[wall]] file: needs a file name"},
        {wall("kind = \"mesh\"\nfile = \"a.stl\"\nactive = [2, 1]\n"),
         "scene.toml:16:10: [[wall]] active: must be [from, to] with from below to"},
        {wall("kind = \"mesh\"\nfile = \"a.stl\"\nname = \"a.b\"\n"), "scene.toml:16:8: [[wall]] name: \"a.b\" is not a name"},
        {wall("kind = \"mesh\"\nfile = \"a\"\nname = \"x\"\n") + wall("kind = \"mesh\"\nfile = \"a\"\nname = \"x\"\n"),
         "scene.toml:17:1: two walls are called \"x\""},
        {"[[wall]]\nkind = \"mesh\"\nfile = \"a\"\nmaterial = \"glas\"\n",
         "scene.toml:15:12: [[wall]] material: there is no material \"glas\"; did you mean \"glass\"?"},
        {"[[measure]]\nkind = \"enrgy\"\n", "scene.toml:13:8: [[measure]] kind: \"enrgy\" is not one of"},
        {"[[measure]]\nkind = \"mass_in\"\n", "scene.toml:13:8: [[measure]] kind: \"mass_in\" needs one region: box or cylinder"},
        {"[[measure]]\nkind = \"count\"\nwall = \"a\"\n",
         "scene.toml:14:8: [[measure]] wall: does not apply to kind = \"count\"; it belongs to kind = \"wall_load\""},
        {"[[measure]]\nkind = \"wall_load\"\nwall = \"a\"\n",
         "scene.toml:14:8: [[measure]] wall: there is no wall \"a\"; add a [[wall]] table"},
        {"[[measure]]\nkind = \"energy\"\n[[measure]]\nkind = \"energy\"\n", "scene.toml:14:1: two measures are called \"energy\""},
    });
}
