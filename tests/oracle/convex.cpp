// Separating axis search against libccd's GJK and EPA on random pairs of convex polyhedra. Argument: --pairs N (default 1000000).
// Out: a table by how the pairs were placed; exit 1 where a verdict or depth of ours is wrong or libccd converges too seldom to be a judge.
// Where the two differ by more than rounding, a proof decides that needs neither: a pair is apart if all vertices of A lie behind all of B
// along some axis; it touches if some point lies in both; a depth is reached if the vertices along its axis overlap by it, and of two such
// the lesser is nearer the truth. libccd has converged where the depth it reports is that along its own direction, and no lesser depth is
// proven.
#include <ccd/ccd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "engine/convex_reference.hpp"
#include "engine/convex_shapes.hpp"
#include "engine/narrow/convex_axis.hpp"
#include "engine/narrow/convex_overlap.hpp"

using namespace scree;
using namespace scree::test;

namespace {

using Placed = PlacedConvex<double>;

constexpr int room = 128;
// Of the sum of the radii. Nearer to touching than this, verdicts are not compared: libccd compares squares of lengths with one rounding of
// double, and so takes bodies up to 1.5e-8 apart for touching.
constexpr double touching = 2e-8;
// Of the smaller radius.
constexpr double depth_tolerance = 1e-6;
constexpr double least_share = 0.99;

enum Way { Apart, FaceOnPoint, FaceOnFace, EdgeOnEdge, ParallelEdges, PointOnPoint, Flush, Deep, Coincident, ways };
const char* const way_name[ways] = {"random near touching", "face on lowest point", "face on face", "edges crossed", "parallel edges",
                                    "vertex on vertex",     "same turn, shifted",   "deep",         "coincident"};

struct Row {
    long pairs{0}, near{0};                  // all; within `touching`
    long touch{0};                           // of the rest, those that touch
    long verdicts{0};                        // that differ
    long refuted{0};                         // of these, where a proof is against libccd
    long wrong{0};                           // of these, where it is not
    long depths{0}, first{0}, converged{0};  // compared; where libccd converged from its usual first direction; from any
    long inconsistent{0};                    // our depth is not that along our axis
    long too_deep{0};                        // ours is more than libccd's proven one
    long beaten{0};                          // libccd's proven depth is more than ours, proven too
    double worst{0};                         // difference of depths over the smaller radius, where libccd converged
    void add(const Row& o) {
        pairs += o.pairs, near += o.near, touch += o.touch, verdicts += o.verdicts, refuted += o.refuted, wrong += o.wrong;
        depths += o.depths, first += o.first, converged += o.converged, inconsistent += o.inconsistent, too_deep += o.too_deep,
            beaten += o.beaten;
        worst = std::fmax(worst, o.worst);
    }
};

/// A body as libccd sees it. Its EPA knows no greatest number of steps and now and then takes no end: after `limit` calls both bodies give
/// the origin, which ends it at once with what it has.
struct Body {
    const Placed* placed;
    int start{0};  // which of the directions below its search starts with
    mutable long calls{0};
};
constexpr long limit = 1000;
// Its EPA replaces only the nearest face, so the polytope need not stay convex, and it may end at a face that is none of the difference: of
// deep pairs one in six, of equal bodies in one place one in four. From another first direction it mostly ends well.
constexpr int starts = 24;

void first_direction(const void* object, const void*, ccd_vec3_t* result) {
    const int start = static_cast<const Body*>(object)->start;
    const Vec3 d = start == 0 ? Vec3{1, 0, 0} : normalized(Vec3{std::cos(2.4 * start), std::sin(2.4 * start), std::cos(1.7 * start)});
    ccdVec3Set(result, d.x, d.y, d.z);
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
    const Body& body = *static_cast<const Body*>(object);
    const Placed& s = *body.placed;
    if (++body.calls > limit) {
        ccdVec3Set(result, 0, 0, 0);
        return;
    }
    const Vec3 d = transposed_times(s.turn, Vec3{direction->v[0], direction->v[1], direction->v[2]});
    std::int32_t best = 0;
    double most = dot(d, s.shape.vertex(0));
    for (std::int32_t k = 1; k < s.shape.vertices; ++k) {
        const double v = dot(d, s.shape.vertex(k));
        if (v > most) {
            most = v;
            best = k;
        }
    }
    const Vec3 p = s.vertex(best);
    ccdVec3Set(result, p.x, p.y, p.z);
}

struct Pool {
    std::vector<ConvexShape> shape;
    std::vector<ConvexTables<double>> tables;
    Pool() {
        Rng rng(11, 1);
        for (int k = 0; k < 60; ++k)
            shape.push_back(test_round(4 + k * 37 / 60, {1, rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.0)}, 0.5, rng));
        for (int k = 0; k < 40; ++k) shape.push_back(test_round(6 + k / 2, {1, 0.05, 0.05}, 0.4, rng));
        for (int k = 0; k < 40; ++k) shape.push_back(test_round(6 + k / 2, {1, 1, 0.05}, 0.4, rng));
        for (int k = 0; k < 30; ++k) shape.push_back(test_box(1, rng.uniform(0.05, 1.0), rng.uniform(0.05, 1.0)));
        for (int k = 3; k < 20; ++k) {
            shape.push_back(test_prism(k, 1, 0.1));
            shape.push_back(test_prism(k, 1, 1));
            shape.push_back(test_prism(k, 0.1, 2));
        }
        shape.push_back(test_box(1, 1, 1));
        shape.push_back(hull_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
        shape.push_back(hull_of({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
        const double g = 0.5 * (1 + std::sqrt(5.0));
        std::vector<Vec3> icosahedron, dodecahedron;
        for (int k = 0; k < 4; ++k) {
            const double s = k & 1 ? 1 : -1, t = k & 2 ? 1 : -1;
            for (const Vec3 p : {Vec3{0, s, t * g}, Vec3{s, t * g, 0}, Vec3{t * g, 0, s}}) icosahedron.push_back(p);
            for (const Vec3 p : {Vec3{0, s / g, t * g}, Vec3{s / g, t * g, 0}, Vec3{t * g, 0, s / g}}) dodecahedron.push_back(p);
            dodecahedron.push_back({s, t, 1});
            dodecahedron.push_back({s, t, -1});
        }
        shape.push_back(hull_of(icosahedron));
        shape.push_back(hull_of(dodecahedron));
        for (const ConvexShape& s : shape) tables.emplace_back(s);
    }
};

Vec3 random_direction(Rng& rng) {
    return normalized(Vec3{rng.normal(), rng.normal(), rng.normal()});
}
Mat3 random_turn(Rng& rng) {
    return rotation_matrix(normalized(Quat{rng.normal(), rng.normal(), rng.normal(), rng.normal()}));
}
std::int32_t pick(Rng& rng, std::int32_t n) {
    return static_cast<std::int32_t>(rng.uniform() * n);
}

/// The matrix that turns the frame (u, w) to (p, q); u and p unit, w and q anything across.
Mat3 turn_to(Vec3 u, Vec3 w, Vec3 p, Vec3 q) {
    w = normalized(w - dot(w, u) * u);
    q = normalized(q - dot(q, p) * p);
    const Vec3 x = cross(u, w), y = cross(p, q);
    const auto row = [&](double pk, double qk, double yk) { return pk * u + qk * w + yk * x; };
    return {{row(p.x, q.x, y.x), row(p.y, q.y, y.y), row(p.z, q.z, y.z)}};
}

Vec3 face_point(const Placed& s, std::int32_t f, Rng& rng) {
    Vec3 sum{};
    double weights = 0;
    for (std::int32_t k = s.shape.face_start[f]; k < s.shape.face_start[f + 1]; ++k) {
        const double w = rng.uniform(0.1, 1.0);
        sum += w * s.vertex(s.shape.face_vertex[k]);
        weights += w;
    }
    return sum / weights;
}
/// The first side of a face, in the shape's frame.
Vec3 side_of(const ConvexView<double>& s, std::int32_t f) {
    return s.vertex(s.face_vertex[s.face_start[f] + 1]) - s.vertex(s.face_vertex[s.face_start[f]]);
}
Vec3 edge_point(const Placed& s, std::int32_t e, Rng& rng) {
    return s.vertex(s.shape.edge[2 * e]) + rng.uniform(0.1, 0.9) * edge_way(s, e);
}
Vec3 edge_normal(const Placed& s, std::int32_t e) {
    return normalized(s.normal(s.shape.edge_face[2 * e]) + s.normal(s.shape.edge_face[2 * e + 1]));
}

std::int32_t lowest(const Placed& s, Vec3 n) {
    std::int32_t best = 0;
    for (std::int32_t k = 1; k < s.shape.vertices; ++k) best = dot(s.vertex(k), n) < dot(s.vertex(best), n) ? k : best;
    return best;
}

/// Sets B's turn and place so that the two meet as `way` says, by features chosen at random; returns the axis to move B along.
Vec3 set_in_contact(Way way, const Placed& a, Placed& b, Rng& rng) {
    const std::int32_t fa = pick(rng, a.shape.faces), fb = pick(rng, b.shape.faces), ea = pick(rng, a.shape.edges),
                       eb = pick(rng, b.shape.edges);
    Vec3 n = a.normal(fa), meet_a = face_point(a, fa, rng), meet_b;
    switch (way) {
        case FaceOnPoint:
            meet_b = b.vertex(lowest(b, n));
            break;
        case FaceOnFace:
            b.turn = turn_to(b.shape.normal(fb), side_of(b.shape, fb), -n,
                             pick(rng, 2) != 0 ? a.turn * side_of(a.shape, fa) : random_direction(rng));
            meet_b = face_point(b, fb, rng);
            break;
        case EdgeOnEdge:
        case ParallelEdges: {
            n = edge_normal(a, ea);
            const Placed local{b.shape, {}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 1};
            const Vec3 across = way == ParallelEdges ? edge_way(a, ea) : random_direction(rng);
            b.turn = turn_to(edge_normal(local, eb), edge_way(local, eb), -n, across);
            meet_a = edge_point(a, ea, rng);
            meet_b = edge_point(b, eb, rng);
            break;
        }
        case PointOnPoint: {
            const std::int32_t va = pick(rng, a.shape.vertices), vb = pick(rng, b.shape.vertices);
            n = normalized(a.vertex(va) - a.at);
            b.turn = turn_to(normalized(b.shape.vertex(vb)), random_direction(rng), -n, random_direction(rng));
            meet_a = a.vertex(va);
            meet_b = b.vertex(vb);
            break;
        }
        case Flush:
            b.turn = a.turn;
            meet_b = b.vertex(lowest(b, n));
            break;
        case Deep:
            return rng.uniform(0.0, 0.5) * std::fmin(a.scale, b.scale) * random_direction(rng);
        case Coincident:
            b = a;
            return {};
        default:
            n = random_direction(rng);
            meet_a = n * (gap_along(a, b, -n) * -0.5);
            meet_b = -meet_a;
            meet_a += rng.uniform(-0.2, 0.1) * std::fmin(a.scale, b.scale) * n;
    }
    b.at += meet_a - meet_b;
    return n;
}

struct Pair {
    Placed a, b;
    Way way;
};

Pair make_pair(const Pool& pool, std::uint64_t k) {
    Rng rng(11, 1000 + k);
    const auto any = [&] { return pool.tables[static_cast<std::size_t>(pick(rng, static_cast<std::int32_t>(pool.tables.size())))].view(); };
    Pair p{};
    p.way = static_cast<Way>(k % ways);
    const bool turned = pick(rng, 2) != 0;
    const Mat3 level{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double ratio = std::exp(rng.uniform(0.0, std::log(20.0)));
    p.a = {any(), {}, turned ? random_turn(rng) : level, pick(rng, 2) != 0 ? ratio : 1.0};
    p.b = {any(), {}, random_turn(rng), p.a.scale > 1 ? 1.0 : (pick(rng, 2) != 0 ? ratio : 1.0)};
    if (p.way == Flush && pick(rng, 2) != 0) p.b.shape = p.a.shape;
    const Vec3 n = set_in_contact(p.way, p.a, p.b, rng);
    const double size = std::fmin(p.a.scale, p.b.scale);
    // Exactly, or off by a little to either side, or in by up to a third of the smaller radius.
    const double off[8] = {0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3 * rng.uniform(-1.0, 1.0), -0.05 * rng.uniform(), -0.3 * rng.uniform()};
    if (p.way == Deep) {
        p.b.at += n;
    } else {
        p.b.at += off[p.way == Apart ? 0 : pick(rng, 8)] * size * n;
    }
    return p;
}

/// Whether a point of the region the two share, if our overlap finds one, lies in both by their planes.
bool proven_touching(const Placed& a, const Placed& b, Vec3 axis) {
    const Overlap<double> o = overlap<room>(a, b, axis);
    if (!(o.volume > 0)) return false;
    const Vec3 p = o.moment / o.volume;
    for (const Placed* s : {&a, &b}) {
        const Vec3 q = transposed_times(s->turn, p - s->at);
        for (std::int32_t f = 0; f < s->shape.faces; ++f) {
            if (dot(s->shape.normal(f), q) > s->scale * s->shape.h[f]) return false;
        }
    }
    return true;
}

/// libccd's depth, proven by the vertices along its own direction; negative where it did not converge.
double depth_of_libccd(const Pair& p, const ccd_t& ccd, double size, int start) {
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    const Body a{&p.a, start}, b{&p.b, start};
    if (ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) != 0) return -1;
    const Vec3 d{direction.v[0], direction.v[1], direction.v[2]};
    if (!(norm(d) > 0) || std::fabs(gap_along(p.a, p.b, normalized(d)) + depth) > 0.1 * depth_tolerance * size) return -1;
    return depth;
}

void compare_depths(const Pair& p, const Axis<double>& ours, const ccd_t& ccd, double size, Row& row) {
    ++row.depths;
    if (std::fabs(gap_along(p.a, p.b, ours.normal) - ours.gap) > depth_tolerance * size) ++row.inconsistent;
    bool beaten = false;
    for (int start = 0; start < starts; ++start) {
        const double depth = depth_of_libccd(p, ccd, size, start);
        if (depth < 0) continue;
        const double excess = (-ours.gap - depth) / size;
        if (excess > depth_tolerance) ++row.too_deep;
        beaten = excess < -depth_tolerance;
        if (beaten) continue;
        ++row.converged;
        row.first += start == 0;
        row.worst = std::fmax(row.worst, std::fabs(excess));
        return;
    }
    row.beaten += beaten;
}

void compare(const Pair& p, Row& row) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.first_dir = first_direction;
    ccd.max_iterations = 1000;
    const double size = std::fmin(p.a.scale, p.b.scale), sum = p.a.scale + p.b.scale;
    // Of squares of lengths: 1e-6 of the smaller radius at the least depth compared, but not below rounding.
    ccd.epa_tolerance = std::fmax(1e-14 * size * size, 2e-15 * sum * sum);
    const Axis<double> ours = separating_axis(p.a, p.b);
    ++row.pairs;
    if (std::fabs(ours.gap) < touching * sum) {
        ++row.near;
        return;
    }
    const Body a{&p.a}, b{&p.b};
    const bool apart = ours.gap > 0, ccd_apart = ccdGJKIntersect(&a, &b, &ccd) == 0;
    row.touch += !apart;
    if (apart != ccd_apart) {
        ++row.verdicts;
        const bool proven = apart ? gap_along(p.a, p.b, ours.normal) > 0 : proven_touching(p.a, p.b, ours.normal);
        ++(proven ? row.refuted : row.wrong);
    }
    if (!apart && !ccd_apart) compare_depths(p, ours, ccd, size, row);
}

bool report(const Row* rows) {
    std::printf("%-22s %9s %9s %9s %8s %8s %6s %9s %9s %10s %6s %6s %7s %9s\n", "placed", "pairs", "near", "touch", "differ", "refuted",
                "wrong", "depths", "at first", "converged", "incons", "deeper", "beaten", "worst");
    Row all;
    for (int w = 0; w <= ways; ++w) {
        const Row& r = w < ways ? rows[w] : all;
        const double depths = static_cast<double>(std::max(1L, r.depths));
        const double first = 100 * static_cast<double>(r.first) / depths, converged = 100 * static_cast<double>(r.converged) / depths;
        std::printf("%-22s %9ld %9ld %9ld %8ld %8ld %6ld %9ld %8.3f%% %9.4f%% %6ld %6ld %7ld %9.2e\n", w < ways ? way_name[w] : "all",
                    r.pairs, r.near, r.touch, r.verdicts, r.refuted, r.wrong, r.depths, first, converged, r.inconsistent, r.too_deep,
                    r.beaten, r.worst);
        if (w < ways) all.add(r);
    }
    const double share = static_cast<double>(all.converged) / static_cast<double>(std::max(1L, all.depths));
    const bool good = all.wrong == 0 && all.inconsistent == 0 && all.too_deep == 0 && share >= least_share;
    std::printf(
        "near: within %g of the radii from touching, not compared; refuted: a proof is against libccd's verdict; beaten: our lesser depth "
        "is\n"
        "proven against libccd's; worst: difference of depths over the smaller radius, allowed %g; converged: required %.0f %%\n%s\n",
        touching, depth_tolerance, 100 * least_share, good ? "passed" : "FAILED");
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    long pairs = 1000000;
    for (int k = 1; k + 1 < argc; ++k) {
        if (std::strcmp(argv[k], "--pairs") == 0) pairs = std::atol(argv[k + 1]);
    }
    const Pool pool;
    Row rows[ways];
#pragma omp parallel
    {
        Row mine[ways];
#pragma omp for schedule(dynamic, 1000)
        for (long k = 0; k < pairs; ++k) {
            const Pair p = make_pair(pool, static_cast<std::uint64_t>(k));
            compare(p, mine[p.way]);
        }
#pragma omp critical
        for (int w = 0; w < ways; ++w) rows[w].add(mine[w]);
    }
    return report(rows) ? 0 : 1;
}
