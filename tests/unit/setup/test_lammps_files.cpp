// Dumps and data files of LAMMPS and LIGGGHTS as bodies, and the messages for those that are damaged.
#include <algorithm>

#include "unit/setup/files_of_others.hpp"

using namespace scree;

namespace {

const std::string kDump =
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp ff\n0 1\n0 1\n0 1\n"
    "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius\n"
    "1 1 9 9 9 9 9 9 9 9 9 9\n"
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp ff\n0 1\n0 1\n0 1\n"
    "ITEM: ATOMS id type element x y z vx vy vz omegax omegay omegaz radius f_5[1] \n"
    "30 2 Si 0.3 0.1 0.2 3 -3 33 1 2 3 0.03 nan \n"
    "7 1 O 0.1 0.2 0.3 1 -1 11 4 5 6 0.01 1e400 \n"
    "12 2 Si 0.2 0.3 0.1 2 -2 22 7 8 9 0.02 0 \n";

const std::string kData =
    "LAMMPS data file via write_data, version 29 Sep 2021, timestep = 20\n\n"
    "3 atoms\n2 atom types # glass, steel\n\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n"
    "Masses\n\n1 1\n2 1\n\n"
    "Atoms # sphere\n\n"
    "3 2 0.06 7800 0.3 0.1 0.2 0 -1 0\n1 1 0.02 2500 0.1 0.2 0.3 0 0 0 # the first\n2 2 0.04 7850 0.2 0.3 0.1 1 0 0\n\n"
    "Velocities\n\n"
    "2 2 -2 22 7 8 9\n1 1 -1 11 4 5 6\n3 3 -3 33 1 2 3\n";

/// A dump of two bodies whose columns and rows are given.
std::string dump_of(const std::string& bounds, const std::string& columns, const std::string& rows) {
    return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS" + bounds + "\nITEM: ATOMS " + columns + "\n" + rows;
}

const Reading kTyped{.types = {"glass", "steel"}};

void check_three(const Placed& placed) {
    CHECK(placed.position == std::vector<Vec3>{{0.1, 0.2, 0.3}, {0.2, 0.3, 0.1}, {0.3, 0.1, 0.2}});
    CHECK(placed.radius == std::vector<double>{0.01, 0.02, 0.03});
    CHECK(placed.velocity == std::vector<Vec3>{{1, -1, 11}, {2, -2, 22}, {3, -3, 33}});
    CHECK(placed.angular_velocity == std::vector<Vec3>{{4, 5, 6}, {7, 8, 9}, {1, 2, 3}});
    CHECK(placed.orientation.empty());
    CHECK(placed.mass.empty());
}

}  // namespace

TEST_CASE("of a dump the last frame is read, in the order of ids; columns without a meaning may hold anything") {
    check_three(placed_from(kDump));
    CHECK(placed_from(kDump).material.empty());
    // A run that stopped as it wrote the next frame leaves its head.
    check_three(placed_from(kDump + "ITEM: TIME\n0.5\n"));
    // With \r\n, and with a name that stands twice, as scripts for LIGGGHTS have it.
    std::string text = with(with(kDump, "id type element", "id type type"), "30 2 Si", "30 2 2");
    text = with(with(text, "7 1 O", "7 1 1"), "12 2 Si", "12 2 2");
    std::string lines;
    for (const char c : text) lines += c == '\n' ? "\r\n" : std::string(1, c);
    check_three(placed_from(lines));
}

TEST_CASE("a data file of atom_style sphere is the same scene as a dump") {
    check_three(placed_from(kData, kTyped));
    check_three(placed_from(with(kData, "Atoms # sphere", "Atoms"), kTyped));
    check_three(placed_from(with(kData, "Atoms # sphere", "Atoms  # granular"), kTyped));
    check_three(placed_from(with(kData, "LAMMPS data file via write_data, version 29 Sep 2021, timestep = 20", "# a title"), kTyped));
    check_three(placed_from(with(kData, "LAMMPS data file via write_data, version 29 Sep 2021, timestep = 20", "3 4 5, a title"), kTyped));
    // Without velocities those of the group hold.
    const Placed still = placed_from(kData.substr(0, kData.find("Velocities")), kTyped);
    CHECK(still.velocity[2] == Vec3{7, 8, 9});
    CHECK(still.angular_velocity[2] == Vec3{4, 5, 6});
}

TEST_CASE("numbers of types choose materials where the scene names them") {
    for (const std::string& text : {kDump, kData}) {
        CHECK(placed_from(text, {.types = {"glass", "steel"}}).material == std::vector<std::int32_t>{0, 1, 1});
        CHECK(contains(refusal(text, {.types = {"glass"}}), "type 2 has no material: types names those of 1 to 1; add a name to it"));
    }
    CHECK(placed_from(kDump, {.types = {"steel", "glass"}}).material == std::vector<std::int32_t>{1, 0, 0});
    CHECK(contains(refusal(with(kDump, "7 1 O", "7 1.5 O"), {.types = {"glass", "steel"}}), "bodies:21: type 1.5 has no material"));
    CHECK(contains(refusal(with(kDump, "7 1 O", "7 0 O"), {.types = {"glass", "steel"}}), "bodies:21: type 0 has no material"));
    CHECK(contains(refusal(dump_of(" ff ff ff\n0 1\n0 1\n0 1", "x y z radius", "0 0 0 1\n0 0 3 1\n"), {.types = {"glass"}}),
                   "bodies:9: the file has no types of bodies: leave out types"));
    CHECK(contains(refusal("x,y,z,r\n1,2,3,4\n", {.types = {"glass"}}), "bodies:1: the file has no types of bodies"));
}

TEST_CASE("densities of a data file are those of the materials, to a percent") {
    // 7850 of the second body is within a percent of steel's 7800.
    CHECK(refusal(kData, {.types = {"glass", "steel"}}).empty());
    CHECK(contains(refusal(kData, {.types = {"glass", "glass"}}),
                   "bodies:19: the density 7850 kg/m^3 of type 2 is not that of material \"glass\", 2500 kg/m^3, which bodies have: change "
                   "that, or name another material"));
}

TEST_CASE("without names of types the group's material has the density of all") {
    // The group is of glass: data of one type pass, those of steel do not.
    std::string glass = kData;
    for (const char* was : {"7800", "7850"}) glass = with(glass, was, "2500");
    check_three(placed_from(glass));
    CHECK(contains(refusal(kData), "the density 7850 kg/m^3 of type 2 is not that of material \"glass\""));
}

TEST_CASE("scale takes lengths and velocities from the file's unit; densities are in that unit and not compared") {
    const Placed placed = placed_from(with(kData, "2500", "2.5e-6"), {.types = {"glass", "steel"}, .scale = 0.001});
    CHECK(placed.position[0].x == doctest::Approx(0.1e-3).epsilon(1e-15));
    CHECK(placed.radius[0] == doctest::Approx(0.01e-3).epsilon(1e-15));
    CHECK(placed.velocity[2].z == doctest::Approx(33e-3).epsilon(1e-15));
    CHECK(placed.angular_velocity[0] == Vec3{4, 5, 6});
    CHECK(placed_from("x,y,z,d\n1,2,3,4\n", {.scale = 0.5}).radius == std::vector<double>{1.0});
    CHECK(contains(refusal("x,y,z,r,mass\n1,2,3,4,5\n", {.scale = 0.5}), "a frame that scree exported is in SI units; leave scale out"));
}

TEST_CASE("positions across borders and diameters") {
    const Placed placed = placed_from(dump_of("\n0 1\n0 1\n0 1", "id xu yu zu diameter", "2 4 5 6 0.5\n1 1 2 3 0.25\n"));
    CHECK(placed.position == std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
    CHECK(placed.radius == std::vector<double>{0.125, 0.25});
    CHECK(placed.velocity[0] == Vec3{7, 8, 9});
    // Without ids bodies come as they stand; sizes may be the shape's.
    const Placed unnumbered = placed_from(dump_of("\n0 1\n0 1\n0 1", "x y z", "4 5 6\n1 2 3\n"), {.radius = 0.25});
    CHECK(unnumbered.position == std::vector<Vec3>{{4, 5, 6}, {1, 2, 3}});
    CHECK(unnumbered.radius == std::vector<double>{0.25, 0.25});
}

TEST_CASE("scaled positions go through the bounds of the box, tilted or not") {
    const std::string rows = "1 0 0 0 0.1\n2 0.25 0.5 0.75 0.1\n";
    const Placed straight = placed_from(dump_of(" pp pp pp\n1 5\n2 7\n3 9", "id xs ys zs radius", rows));
    CHECK(straight.position == std::vector<Vec3>{{1, 2, 3}, {2, 4.5, 7.5}});
    // A box from (1, 2, 3) along (4, 0, 0), (xy, 5, 0) and (xz, yz, 6). Bounds as LAMMPS gives them: those of the box around it. Numbers
    // are sums of powers of two, so that nothing is rounded.
    const double tilts[4][3] = {{1, -2, 0.5}, {-1, -2, -0.5}, {1, 2, 0.5}, {0, 0, 0}};
    for (const auto& tilt : tilts) {
        const double xy = tilt[0], xz = tilt[1], yz = tilt[2];
        CAPTURE(xy);
        const double low_x = 1 + std::min({0.0, xy, xz, xy + xz}), high_x = 5 + std::max({0.0, xy, xz, xy + xz});
        const double low_y = 2 + std::min(0.0, yz), high_y = 7 + std::max(0.0, yz);
        const auto row = [](double low, double high, double own) {
            return "\n" + std::to_string(low) + " " + std::to_string(high) + " " + std::to_string(own);
        };
        const std::string bounds = " xy xz yz pp pp pp" + row(low_x, high_x, xy) + row(low_y, high_y, xz) + row(3, 9, yz);
        for (const char* names : {"id xs ys zs radius", "id xsu ysu zsu radius"}) {
            const Placed tilted = placed_from(dump_of(bounds, names, rows));
            CHECK(tilted.position[0] == Vec3{1, 2, 3});
            CHECK(tilted.position[1] == Vec3{2 + 0.5 * xy + 0.75 * xz, 4.5 + 0.75 * yz, 7.5});
        }
    }
    const std::string general = dump_of(" abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0", "id xs ys zs radius", rows);
    CHECK(contains(refusal(general), "bodies:9: scaled positions need ITEM: BOX BOUNDS above, of a box along x, y and z or with a tilt"));
    CHECK(placed_from(with(general, "xs ys zs", "x y z")).position[1] == Vec3{0.25, 0.5, 0.75});
}

TEST_CASE("orientations turn shapes, and say nothing about spheres") {
    const std::string dump = dump_of("\n0 1\n0 1\n0 1", "id x y z quatw quati quatj quatk", "2 4 5 6 1 2 3 4\n1 1 2 3 1 0 0 0\n");
    CHECK(placed_from(dump, {.radius = 0.25}).orientation.empty());
    const Placed placed = placed_from(dump, {.radius = 0.25, .round = false});
    CHECK(placed.orientation == std::vector<Quat>{{1, 0, 0, 0}, {1, 2, 3, 4}});
    CHECK_FALSE(placed.principal);
    CHECK(contains(refusal(with(dump, "2 4 5 6 1 2 3 4", "2 4 5 6 0 0 0 0"), {.radius = 0.25, .round = false}),
                   "bodies:10: the quaternion has no length"));
    CHECK(contains(refusal(with(dump, "quatk", "other"), {.radius = 0.25, .round = false}), "an orientation needs all of quatw"));
}

TEST_CASE("in two dimensions x, y and the spin about z count") {
    const Placed placed = placed_from(kDump, {.dimensions = 2});
    CHECK(placed.position == std::vector<Vec3>{{0.1, 0.2, 0}, {0.2, 0.3, 0}, {0.3, 0.1, 0}});
    CHECK(placed.velocity[0] == Vec3{1, -1, 9});
    CHECK(placed.angular_velocity[1] == Vec3{4, 5, 9});
    CHECK(placed_from(kData, {.types = {"glass", "steel"}, .dimensions = 2}).position == placed.position);
    const std::string flat = dump_of("\n0 2\n0 4\n0 1", "id xs ys radius", "1 0.5 0.25 0.1\n2 1 1 0.1\n");
    CHECK(placed_from(flat, {.dimensions = 2}).position == std::vector<Vec3>{{1, 1, 0}, {2, 4, 0}});
    const std::string turned = dump_of("\n0 1\n0 1\n0 1", "x y quatw quati quatj quatk", "4 5 1 0 0 1\n1 2 1 0 0 0\n");
    const Reading polygons{.dimensions = 2, .radius = 0.25, .round = false};
    CHECK(placed_from(turned, polygons).orientation[0] == Quat{1, 0, 0, 1});
    CHECK(contains(refusal(with(turned, "1 0 0 1", "1 1 0 1"), polygons), "bodies:10: the quaternion turns the body out of the plane"));
}

TEST_CASE("damaged dumps are refused") {
    CHECK(contains(refusal("ITEM: TIME\n0\n"), "bodies: a dump has a line \"ITEM: TIMESTEP\" at the begin of each frame"));
    CHECK(contains(refusal("ITEM: TIMESTEP\n0\n"), "bodies: the last frame has no ITEM: ATOMS"));
    CHECK(contains(refusal("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n1\nITEM: ENTRIES index c_1\n1 2\n"), "has no ITEM: ATOMS"));
    CHECK(contains(refusal("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n"), "bodies:3: the number of bodies is missing"));
    CHECK(contains(refusal("ITEM: TIMESTEP\n0\nITEM: ATOMS x y z radius\n1 2 3 4\n"), "bodies:3: ITEM: NUMBER OF ATOMS is missing above"));
    CHECK(contains(refusal(with(kDump, "ATOMS\n3", "ATOMS\n-3")), "bodies:14:1: \"-3\" is not a number of bodies"));
    CHECK(contains(refusal(with(kDump, "ATOMS\n3", "ATOMS\n1e18")), "bodies:14:1: \"1e18\" is not a number of bodies"));
    CHECK(contains(refusal(with(kDump, "ATOMS\n3", "ATOMS\n1000000000000000000")),
                   "bodies:22: 3 of 1000000000000000000 bodies of the last frame are there: the file seems to be cut off"));
    CHECK(contains(refusal(with(kDump, "ATOMS\n3", "ATOMS\n2")), "bodies:22: there are more rows than the 2 bodies"));
    CHECK(contains(refusal(with(kDump, "ATOMS\n3", "ATOMS\n0")), "there are more rows than the 0 bodies"));
    CHECK(contains(refusal(kDump.substr(0, kDump.find("12 2"))), "bodies:21: 2 of 3 bodies"));
    CHECK(contains(refusal(kDump.substr(0, kDump.find("7 8 9"))), "bodies:22: 9 fields where 14 are named"));
    CHECK(contains(refusal(with(kDump, "0.1 0.2 0.3", "0.1 0.2 nan")), "bodies:21:15: \"nan\" is not a finite number"));
    CHECK(contains(refusal(with(kDump, "7 1 O", "12 1 O")), "bodies:22: id 12 stands twice: first in line 21"));
    CHECK(contains(refusal(with(kDump, "element x y z", "element a y z")),
                   "bodies:19: positions are needed: columns x y z, xu yu zu or xs ys zs; named are id, type, element, a, y, z"));
    CHECK(contains(refusal(with(kDump, "omegaz radius f", "omegaz size f")),
                   "bodies:19: a column radius or diameter is needed, or a shape, in [[bodies]], that gives the sizes"));
    CHECK(contains(refusal(kDump, {.radius = 0.1}), "leave one out"));
    CHECK(contains(refusal(with(kDump, "0.01 1e400", "0 1e400")), "bodies:21: radius 0 m must be positive"));
    CHECK(contains(refusal(dump_of("\n0 1\n0 1\n", "xs ys zs radius", "0 0 0 1\n")), "bodies:9: 6 numbers where bounds of the box have 2"));
    CHECK(contains(refusal(dump_of("\n0 1e308\n0 1\n0 1", "xs ys zs radius", "0 0 0 1\n1e9 0 0 1\n")),
                   "bodies:11: place or velocity is too large for a number"));
    CHECK(contains(refusal("ITEM: TIMESTEP\n0\nITEM: BOX BOUNDS\n0 1\n"), "bodies:4: the bounds of the box end early"));
    CHECK(contains(refusal(with(kDump, "O 0.1", std::string("O \0", 3))), "a byte 0x00 is not text"));
}

TEST_CASE("damaged data files are refused") {
    CHECK(contains(refusal(with(kData, "3 atoms", "")), "bodies:15: the header has no line \"N atoms\""));
    CHECK(contains(refusal(with(kData, "3 atoms", "x atoms")), "bodies:3:1: \"x\" is not a number of bodies"));
    CHECK(contains(refusal(with(kData, "3 atoms", "1e18 atoms")), "bodies:3:1: \"1e18\" is not a number of bodies"));
    CHECK(contains(refusal(with(kData, "3 atoms", "1000000000000000000 atoms")),
                   "bodies:21: 3 of 1000000000000000000 rows of section Atoms are there: the file seems to be cut off"));
    CHECK(contains(refusal(with(kData, "3 atoms", "2 atoms")), "bodies:19: section Atoms has more rows than the 2 atoms of the header"));
    CHECK(contains(refusal(kData.substr(0, kData.find("Atoms"))), "bodies: the data file has no section Atoms"));
    CHECK(contains(refusal(kData.substr(0, kData.find("3 3 -3"))), "2 of 3 rows of section Velocities are there"));
    CHECK(
        contains(refusal(with(kData, "Atoms # sphere", "Atoms # atomic")),
                 "bodies:15: the atoms are of style \"atomic\": only those of atom_style sphere are read: id type diameter density x y z"));
    CHECK(contains(refusal(with(kData, "Atoms # sphere", "Atoms #hybrid sphere charge")), "of style \"hybrid sphere charge\""));
    CHECK(contains(refusal(with(kData, "3 2 0.06 7800 0.3 0.1 0.2 0 -1 0", "3 2 0.3 0.1 0.2")),
                   "bodies:17: 5 fields where rows have 7, or 10"));
    CHECK(contains(refusal(with(kData, "1 1 0.02", "1 1 0")), "bodies:18: diameter 0 is that of a point particle"));
    CHECK(contains(refusal(with(kData, "1 1 0.02", "1 1 -1"), {.types = {"glass", "steel"}}), "bodies:18: radius -0.5 m must be positive"));
    CHECK(contains(refusal(with(kData, "1 1 0.02", "1 1 inf")), "bodies:18:5: \"inf\" is not a finite number"));
    CHECK(contains(refusal(with(kData, "1 1 0.02", "2 1 0.02")), "bodies:19: id 2 stands twice: first in line 18"));
    CHECK(contains(refusal(with(kData, "3 3 -3 33", "0 3 -3 33")), "bodies:25: section Atoms has no id 0"));
    CHECK(contains(refusal(with(kData, "1 1 -1 11", "4 1 -1 11")), "bodies:18: section Velocities has no id 1"));
    CHECK(contains(refusal(with(kData, "3 3 -3 33 1 2 3", "3 3 -3 33")), "bodies:25: 4 fields where rows have 7: id vx vy vz wx wy wz"));
    CHECK(contains(refusal(with(kData, "Velocities", "Atoms")), "bodies:21: section Atoms stands twice"));
    CHECK(contains(refusal("LAMMPS data file\n0 atoms\n\nAtoms # sphere\n"), "holds no bodies"));
    CHECK(contains(refusal("LAMMPS data file\n"), "bodies: the data file has no section Atoms"));
    // Quotation marks leave empty fields, and fields that are comments.
    CHECK(contains(refusal("LAMMPS data file\n1 atoms\n\"#\"\n\"\"\nAtoms\n\"\"\n"), "bodies:6: 1 fields where rows have 7"));
}
