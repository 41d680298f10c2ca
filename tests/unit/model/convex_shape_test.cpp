// Templates of polyhedra against closed forms and an independent integration, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/mat3.hpp"
#include "base/rng.hpp"
#include "model/contact_parameters.hpp"
#include "model/convex_shape.hpp"
#include "model/shape_contact.hpp"

using namespace scree;

namespace {

using Faces = std::vector<std::vector<std::int32_t>>;

double volume_of(const ConvexShape& s) {
    return s.volume * std::pow(s.bounding_radius, 3);
}
/// Moments over the mass [m2].
Vec3 moments_of(const ConvexShape& s) {
    return s.bounding_radius * s.bounding_radius * s.inertia;
}
void check_near(Vec3 a, Vec3 b, double tolerance) {
    CHECK(std::fabs(a.x - b.x) <= tolerance);
    CHECK(std::fabs(a.y - b.y) <= tolerance);
    CHECK(std::fabs(a.z - b.z) <= tolerance);
}
/// Everything that holds for any template.
void check_sound(const ConvexShape& s) {
    CHECK(s.vertex.size() + s.faces() == s.edge.size() + 2);  // Euler
    double farthest = 0.0;
    for (const Vec3& p : s.vertex) farthest = std::max(farthest, norm(p));
    CHECK(farthest == doctest::Approx(1.0).epsilon(1e-14));
    double area = 0.0, volume = 0.0;
    Vec3 closed;
    for (std::size_t f = 0; f < s.faces(); ++f) {
        CHECK(s.offset[f] > 0.0);
        CHECK(s.offset[f] >= s.inradius);
        Vec3 twice;
        const auto at = [&](std::int32_t k) { return s.vertex[static_cast<std::size_t>(s.face_vertex[static_cast<std::size_t>(k)])]; };
        for (std::int32_t k = s.face_start[f]; k < s.face_start[f + 1]; ++k) {
            const Vec3 next = at(k + 1 < s.face_start[f + 1] ? k + 1 : s.face_start[f]);
            twice += cross(at(k), next);
            CHECK(dot(s.normal[f], at(k)) == doctest::Approx(s.offset[f]).epsilon(1e-6));
        }
        CHECK(dot(twice, s.normal[f]) > 0.0);  // counterclockwise from outside
        closed += 0.5 * twice;
        area += 0.5 * norm(twice);
        volume += s.offset[f] * 0.5 * norm(twice) / 3.0;
        for (const Vec3& p : s.vertex) CHECK(dot(s.normal[f], p) <= s.offset[f] + 1e-6);
    }
    CHECK(norm(closed) <= 1e-9 * area);
    CHECK(volume == doctest::Approx(s.volume).epsilon(1e-6));
    for (std::size_t e = 0; e < s.edge.size(); ++e) {
        CHECK(s.edge[e][0] < s.edge[e][1]);
        CHECK(s.edge_face[e][0] >= 0);
        CHECK(s.edge_face[e][1] >= 0);
        CHECK(s.edge_face[e][0] != s.edge_face[e][1]);
    }
}

std::string error_of(const std::vector<Vec3>& vertices, const Faces& faces) {
    try {
        make_convex_shape("s", vertices, faces);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::vector<Vec3> kCube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
const Faces kCubeFaces{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

/// A cube of n x n squares a side, each two triangles with corners of their own, wound at random.
void subdivided_cube(int n, std::vector<Vec3>& vertex, Faces& faces) {
    Rng rng(1, 1);
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {0.0, 1.0})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const std::int32_t first = static_cast<std::int32_t>(vertex.size());
                    for (const auto& [a, b] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}) {
                        // In single precision, in which mesh files come.
                        const double u = float(a) / float(n), v = float(b) / float(n);
                        vertex.push_back(axis == 0 ? Vec3{side, u, v} : axis == 1 ? Vec3{v, side, u} : Vec3{u, v, side});
                    }
                    faces.push_back({first, first + 1, first + 2});
                    faces.push_back({first, first + 2, first + 3});
                    if (rng.uniform() < 0.5) std::reverse(faces.back().begin(), faces.back().end());
                }
}

}  // namespace

TEST_CASE("convex shape: a box") {
    const Vec3 e{1.0, 2.0, 3.0};
    const ConvexShape s = box_shape("box", e);
    check_sound(s);
    CHECK(s.vertex.size() == 8);
    CHECK(s.faces() == 6);
    CHECK(s.edge.size() == 12);
    CHECK(volume_of(s) == doctest::Approx(6.0).epsilon(1e-14));
    CHECK(s.bounding_radius == doctest::Approx(0.5 * norm(e)).epsilon(1e-14));
    check_near(moments_of(s), {13.0 / 12.0, 10.0 / 12.0, 5.0 / 12.0}, 1e-14);
    CHECK(s.to_given == Quat{});
    check_near(s.centre, {}, 1e-15);
    CHECK(s.inradius * s.bounding_radius == doctest::Approx(0.5).epsilon(1e-14));
    check_near(s.bounding_radius * s.box_max, 0.5 * e, 1e-14);
}

TEST_CASE("convex shape: a tetrahedron and a prism") {
    // Corners on the axes: V = 1/6, centre (1, 1, 1)/4, I_xx/m = 3/40, I_xy/m = 1/80.
    const ConvexShape t =
        make_convex_shape("t", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}});
    check_sound(t);
    CHECK(volume_of(t) == doctest::Approx(1.0 / 6.0).epsilon(1e-14));
    check_near(t.centre, {0.25, 0.25, 0.25}, 1e-15);
    const Vec3 m = moments_of(t);
    double moment[3] = {m.x, m.y, m.z};
    std::sort(moment, moment + 3);
    CHECK(moment[0] == doctest::Approx(0.0625).epsilon(1e-13));
    CHECK(moment[1] == doctest::Approx(0.0625).epsilon(1e-13));
    CHECK(moment[2] == doctest::Approx(0.1).epsilon(1e-13));  // about (1, 1, 1)
    // to_given maps the template back onto the corners.
    for (const Vec3& p : t.vertex) {
        const Vec3 given = t.bounding_radius * rotate(t.to_given, p) + t.centre;
        double nearest = 1e300;
        for (const Vec3& c : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) nearest = std::min(nearest, norm(given - c));
        CHECK(nearest < 1e-14);
    }

    const int n = 7;
    const double r = 0.3, h = 2.0, pi = std::numbers::pi;
    std::vector<Vec3> vertex;
    Faces faces(2);
    for (int k = 0; k < n; ++k) {
        for (const double z : {0.0, h}) vertex.push_back({r * std::cos(2 * pi * k / n), r * std::sin(2 * pi * k / n), z});
        faces[0].push_back(2 * k);
        faces[1].push_back(2 * k + 1);
        faces.push_back({2 * k, 2 * ((k + 1) % n), 2 * ((k + 1) % n) + 1, 2 * k + 1});
    }
    const ConvexShape prism = make_convex_shape("prism", vertex, faces);
    check_sound(prism);
    const double area = 0.5 * n * r * r * std::sin(2 * pi / n);
    const double polar = r * r / 6.0 * (2.0 + std::cos(2 * pi / n));  // of a regular polygon, over its area
    CHECK(volume_of(prism) == doctest::Approx(area * h).epsilon(1e-13));
    check_near(moments_of(prism), {polar / 2 + h * h / 12, polar / 2 + h * h / 12, polar}, 1e-13);
    CHECK(prism.to_given == Quat{});  // equal moments: the frame as given is kept
    check_near(prism.centre, {0, 0, 0.5 * h}, 1e-14);
}

TEST_CASE("convex shape: coplanar faces merge, whatever their winding") {
    std::vector<Vec3> vertex;
    Faces faces;
    subdivided_cube(5, vertex, faces);
    // Somewhere in space, with the rounding of single precision there.
    for (Vec3& p : vertex) p.x = float(p.x) + 10.0F;
    const ConvexShape s = make_convex_shape("cube", vertex, faces);
    check_sound(s);
    CHECK(s.faces() == 6);
    CHECK(s.edge.size() == 12);
    CHECK(s.vertex.size() == 8);
    CHECK(volume_of(s) == doctest::Approx(1.0).epsilon(1e-6));
    check_near(moments_of(s), {1.0 / 6, 1.0 / 6, 1.0 / 6}, 1e-6);
    check_near(s.centre, {10.5, 0.5, 0.5}, 1e-6);
}

TEST_CASE("convex shape: principal axes of a turned box") {
    const Quat q = normalized(Quat{0.3, -0.5, 0.7, 0.2});
    const ConvexShape straight = box_shape("box", {1, 2, 3});
    std::vector<Vec3> vertex;
    for (const Vec3& p : straight.vertex) vertex.push_back(rotate(q, straight.bounding_radius * p) + Vec3{5, 6, 7});
    Faces faces(straight.faces());
    for (std::size_t f = 0; f < straight.faces(); ++f)
        for (std::int32_t k = straight.face_start[f]; k < straight.face_start[f + 1]; ++k)
            faces[f].push_back(straight.face_vertex[static_cast<std::size_t>(k)]);
    const ConvexShape s = make_convex_shape("box", vertex, faces);
    check_sound(s);
    check_near(s.centre, {5, 6, 7}, 1e-14);
    Vec3 found = moments_of(s);
    double moment[3] = {found.x, found.y, found.z};
    std::sort(moment, moment + 3);
    check_near({moment[0], moment[1], moment[2]}, {5.0 / 12, 10.0 / 12, 13.0 / 12}, 1e-13);
    // Faces lie along the axes of the template, and to_given brings them back onto those of the turned box.
    for (const Vec3& n : s.normal) {
        CHECK(std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)}) == doctest::Approx(1.0).epsilon(1e-12));
        const Vec3 back = rotate(conjugate(q), rotate(s.to_given, n));
        CHECK(std::max({std::fabs(back.x), std::fabs(back.y), std::fabs(back.z)}) == doctest::Approx(1.0).epsilon(1e-12));
    }
    for (const Vec3& p : s.vertex) check_near({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}, s.box_max, 1e-12);
}

TEST_CASE("convex shape: a frustum cut askew, against Monte Carlo") {
    const std::vector<Vec3> vertex{{0, 0, 0},      {2, 0, 0},        {2, 1, 0},        {0, 1, 0},
                                   {0.5, 0.25, 1}, {1.5, 0.25, 1.5}, {1.5, 0.75, 1.5}, {0.5, 0.75, 1}};
    const ConvexShape s = make_convex_shape(
        "askew", vertex, {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6, 5}, {2, 3, 6}, {3, 7, 6}, {3, 0, 4, 7}});
    check_sound(s);
    const int n = 400000;
    Rng rng(3, 3);
    std::int64_t inside = 0;
    Vec3 sum, square;
    const Vec3 size = s.box_max - s.box_min;
    for (int i = 0; i < n; ++i) {
        const double x = rng.uniform(), y = rng.uniform();
        const Vec3 p = s.box_min + Vec3{size.x * x, size.y * y, size.z * rng.uniform()};
        bool in = true;
        for (std::size_t f = 0; f < s.faces() && in; ++f) in = dot(s.normal[f], p) < s.offset[f];
        if (!in) continue;
        ++inside;
        sum += p;
        square += Vec3{p.y * p.y + p.z * p.z, p.x * p.x + p.z * p.z, p.x * p.x + p.y * p.y};
    }
    // Four standard deviations of 400,000 draws: about 1 %.
    const double count = static_cast<double>(inside);
    CHECK(count / n * size.x * size.y * size.z == doctest::Approx(s.volume).epsilon(0.01));
    check_near(sum / count, {}, 0.005);
    check_near(square / count, s.inertia, 0.01 * std::max({s.inertia.x, s.inertia.y, s.inertia.z}));
}

TEST_CASE("convex shape: what is refused") {
    CHECK(error_of(kCube, kCubeFaces).empty());
    Faces open = kCubeFaces;
    open.pop_back();
    CHECK(contains(error_of(kCube, open), "is not closed"));
    CHECK(contains(error_of(kCube, {}), "0 faces"));
    CHECK(contains(error_of({}, {}), "no extent"));
    CHECK(contains(error_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}, {0, 2, 1}, {1, 2, 3}}), "\"s\" "));
    // A cube with a dent in its top.
    std::vector<Vec3> dented = kCube;
    dented.push_back({0.5, 0.5, 0.8});
    Faces faces(kCubeFaces);
    faces.erase(faces.begin() + 1);
    for (const auto& [a, b] : {std::pair{4, 5}, {5, 7}, {7, 6}, {6, 4}}) faces.push_back({a, b, 8});
    CHECK(contains(error_of(dented, faces), "is not convex"));
    CHECK(contains(error_of(dented, faces), "hull = true"));
    // Two cubes apart.
    std::vector<Vec3> two = kCube;
    Faces both = kCubeFaces;
    for (const Vec3& p : kCube) two.push_back(p + Vec3{3, 0, 0});
    for (auto loop : kCubeFaces) {
        for (auto& v : loop) v += 8;
        both.push_back(loop);
    }
    CHECK(contains(error_of(two, both), "several pieces"));
    std::vector<Vec3> wild = kCube;
    wild[3].x = std::nan("");
    CHECK(contains(error_of(wild, kCubeFaces), "not finite"));
    Faces beyond = kCubeFaces;
    beyond[0][0] = 9;
    CHECK(contains(error_of(kCube, beyond), "does not exist"));
}

TEST_CASE("convex shape: contact levers and steps") {
    const ShapeContact cube = shape_contact(box_shape("cube", {1, 1, 1}), 0.05);
    CHECK(cube.face_area == doctest::Approx(4.0 / 3.0).epsilon(1e-12));
    CHECK(cube.wide == doctest::Approx(1.0).epsilon(1e-12));         // no part of a face is worse than the whole
    CHECK(cube.point == doctest::Approx(1.0 + 4.5).epsilon(1e-12));  // R^2 m / I = (3/4) · 6
    CHECK(cube.face_turn == doctest::Approx(0.5).epsilon(1e-12));    // (1/12) · 6
    CHECK(cube.face_slide == doctest::Approx(1.5).epsilon(1e-12));   // (1/4) · 6
    for (const Vec3& edges : {Vec3{10, 1, 1}, Vec3{10, 10, 1}}) {
        const ShapeContact thin = shape_contact(box_shape("thin", edges), 0.05);
        CHECK(thin.wide > 1.2);
        CHECK(thin.wide < 1.5);
        CHECK(thin.point < 8.0);
        CHECK(thin.face_turn < 1.0);
    }
}

TEST_CASE("convex shape: the automatic step of cubes, needles and plates") {
    const auto steps = [](Law law, Vec3 edges) {
        Model model;
        model.penalty.law = law;
        model.materials.push_back({"m", 2500.0, 1e7, 0.25, 0.5, 0.5});
        model.pairs = PairTable(1);
        model.pairs.set(0, 0, {.restitution = 0.5, .friction = 0.5, .stiffness = law == Law::Power ? 1e6 : 1e4});
        model.shapes.push_back(box_shape("box", edges));
        for (int i = 0; i < 2; ++i) model.bodies.add_convex({}, {}, 0, model.shapes[0], model.shapes[0].bounding_radius, 0, 2500.0);
        return step_limits(model);
    };
    const double L = 0.01, E_eff = 1e7 / (2.0 * (1.0 - 0.0625)), m_eff = 0.5 * 2500.0 * L * L * L;
    // Face on face: S_n = 2 E_eff a, a = L / sqrt(pi).
    const double omega = std::sqrt(2.0 * E_eff * L / std::sqrt(std::numbers::pi) / m_eff);
    CHECK(steps(Law::Hertz, {L, L, L}).automatic == doctest::Approx(0.15 / omega).epsilon(1e-9));
    CHECK(steps(Law::Volume, {L, L, L}).automatic ==
          doctest::Approx(0.15 / std::sqrt(E_eff * L * L * L * L / (0.5 * L * L * L) / m_eff)).epsilon(0.3));
    for (const Law law : {Law::Linear, Law::Hertz, Law::Volume, Law::Power})
        for (const Vec3& edges : {Vec3{L, L, L}, Vec3{10 * L, L, L}, Vec3{10 * L, 10 * L, L}}) {
            const StepLimits s = steps(law, edges);
            CHECK(s.automatic > 0.0);
            CHECK(s.automatic <= 0.5 * s.stable);
            CHECK(s.automatic > 0.05 * s.stable);
        }
}
