#include "setup/meshes/closed_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/surfaces/mesh_topology.hpp"
#include "setup/meshes/triangle_tree.hpp"

namespace scree {

namespace {

using Triangle = TriangleTree::Triangle;

/// Of the mesh's extent: what meshes in single precision know of where their vertices are.
constexpr double kSinglePrecision = 1e-7;

std::string text_of(Vec3 p) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z);
}

std::string text_of(const ClosedMesh& mesh, const Triangle& t) {
    const auto corner = [&](int k) { return text_of(mesh.vertex[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]); };
    return fmt::format("{} {} {} m", corner(0), corner(1), corner(2));
}

/// Every edge has two triangles.
void require_closed(const MeshTopology& topology, const std::string& label, const SourcePlace& place) {
    std::int64_t faults = 0;
    std::size_t worst = 0;
    for (std::size_t e = topology.edge.size(); e-- > 0;) {
        if (topology.edge_start[e + 1] - topology.edge_start[e] == 2) continue;
        ++faults;
        worst = e;
    }
    if (faults == 0) return;
    const auto end = [&](std::size_t k) { return text_of(topology.vertex[static_cast<std::size_t>(topology.edge[worst][k])]); };
    const std::int64_t triangles = topology.edge_start[worst + 1] - topology.edge_start[worst];
    throw Error(place,
                fmt::format("{} is not closed: the edge from {} to {} m has {} triangle{}, but every edge of a closed surface has two; {} "
                            "edge{} such{}. Close its holes and join its parts in a mesh program",
                            label, end(0), end(1), triangles, triangles == 1 ? "" : "s", faults, faults == 1 ? " is" : "s are",
                            topology.dropped > 0 ? fmt::format(" ({} triangles without area are left out)", topology.dropped) : ""));
}

/// Does the triangle go along its edge k in the edge's own direction?
bool goes_along(const MeshTopology& topology, std::size_t t, std::size_t k) {
    return topology.triangle[t][k] == topology.edge[static_cast<std::size_t>(topology.triangle_edge[t][k])][0];
}

/// Winds all triangles that are connected alike; returns the part that each is of.
std::vector<std::int32_t> wind_alike(const MeshTopology& topology, ClosedMesh& mesh, const std::string& label, const SourcePlace& place) {
    std::vector<std::int32_t> part(topology.triangle.size(), -1), open;
    std::vector<char> turned(topology.triangle.size(), 0);
    std::int32_t parts = 0;
    for (std::size_t seed = 0; seed < part.size(); ++seed) {
        if (part[seed] >= 0) continue;
        part[seed] = parts++;
        open.assign(1, static_cast<std::int32_t>(seed));
        while (!open.empty()) {
            const auto t = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (std::size_t k = 0; k < 3; ++k) {
                const auto e = static_cast<std::size_t>(topology.triangle_edge[t][k]);
                const auto at = static_cast<std::size_t>(topology.edge_start[e]);
                const std::int32_t first = topology.edge_triangle[at], second = topology.edge_triangle[at + 1];
                const auto other = static_cast<std::size_t>(first == static_cast<std::int32_t>(t) ? second : first);
                std::size_t same = 0;
                while (topology.triangle_edge[other][same] != static_cast<std::int32_t>(e)) ++same;
                const bool alike = goes_along(topology, t, k) != goes_along(topology, other, same);
                const char wanted = static_cast<char>(alike ? turned[t] : 1 - turned[t]);
                if (part[other] < 0) {
                    part[other] = part[t];
                    turned[other] = wanted;
                    open.push_back(static_cast<std::int32_t>(other));
                } else if (turned[other] != wanted) {
                    throw Error(place, fmt::format("{} has no inside: its surface has one side only, by triangle {}", label,
                                                   text_of(mesh, mesh.triangle[other])));
                }
            }
        }
    }
    for (std::size_t t = 0; t < part.size(); ++t)
        if (turned[t] != 0) std::swap(mesh.triangle[t][1], mesh.triangle[t][2]);
    return part;
}

/// Solid angle of a triangle as seen from p (van Oosterom & Strackee 1983, IEEE Trans. Biomed. Eng. 30:125).
double solid_angle(const ClosedMesh& mesh, const Triangle& t, Vec3 p) {
    const Vec3 a = mesh.vertex[static_cast<std::size_t>(t[0])] - p, b = mesh.vertex[static_cast<std::size_t>(t[1])] - p,
               c = mesh.vertex[static_cast<std::size_t>(t[2])] - p;
    const double A = norm(a), B = norm(b), C = norm(c);
    return 2 * std::atan2(dot(a, cross(b, c)), A * B * C + dot(a, b) * C + dot(b, c) * A + dot(c, a) * B);
}

double six_volumes(const ClosedMesh& mesh, const Triangle& t, Vec3 from) {
    const auto at = [&](std::size_t k) { return mesh.vertex[static_cast<std::size_t>(t[k])] - from; };
    return dot(at(0), cross(at(1), at(2)));
}

/// Winds each part outwards, or inwards where it lies inside an odd number of others: a hollow.
void wind_outwards(ClosedMesh& mesh, const std::vector<std::int32_t>& part) {
    const auto parts = static_cast<std::size_t>(*std::max_element(part.begin(), part.end()) + 1);
    std::vector<double> volume(parts, 0.0);
    std::vector<std::size_t> first(parts, part.size());
    for (std::size_t t = part.size(); t-- > 0;) {
        const auto own = static_cast<std::size_t>(part[t]);
        volume[own] += six_volumes(mesh, mesh.triangle[t], mesh.vertex[0]);
        first[own] = t;
    }
    std::vector<std::int32_t> around(parts, 0);  // parts that hold it
    for (std::size_t own = 0; own < parts && parts > 1; ++own) {
        const Vec3 p = mesh.vertex[static_cast<std::size_t>(mesh.triangle[first[own]][0])];
        std::vector<double> angle(parts, 0.0);
        for (std::size_t t = 0; t < part.size(); ++t)
            if (static_cast<std::size_t>(part[t]) != own)
                angle[static_cast<std::size_t>(part[t])] += solid_angle(mesh, mesh.triangle[t], p);
        for (const double a : angle) around[own] += std::fabs(a) > 2 * std::numbers::pi ? 1 : 0;  // half of all round
    }
    for (std::size_t t = 0; t < part.size(); ++t) {
        const auto own = static_cast<std::size_t>(part[t]);
        if ((volume[own] < 0) != (around[own] % 2 == 1)) std::swap(mesh.triangle[t][1], mesh.triangle[t][2]);
    }
}

/// Does the segment from p to q, which shares no corner with the triangle, go through it? Ends nearer to its plane than `rounding` count as
/// on it.
bool pierces(Vec3 p, Vec3 q, Vec3 a, Vec3 b, Vec3 c, double rounding) {
    const Vec3 normal = cross(b - a, c - a);
    const double length = norm(normal), at_p = dot(normal, p - a), at_q = dot(normal, q - a);
    if (!(std::min(std::fabs(at_p), std::fabs(at_q)) > rounding * length) || (at_p > 0) == (at_q > 0)) return false;
    const Vec3 d = q - p;
    const double u = dot(d, cross(a - p, b - p)), v = dot(d, cross(b - p, c - p)), w = dot(d, cross(c - p, a - p));
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/// Does an edge of one triangle that has no corner in common with the other go through that?
bool crosses(const ClosedMesh& mesh, const Triangle& one, const Triangle& other, double rounding) {
    const auto at = [&](std::int32_t v) { return mesh.vertex[static_cast<std::size_t>(v)]; };
    const auto has = [&](std::int32_t v) { return std::find(other.begin(), other.end(), v) != other.end(); };
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t p = one[k], q = one[(k + 1) % 3];
        if (!has(p) && !has(q) && pierces(at(p), at(q), at(other[0]), at(other[1]), at(other[2]), rounding)) return true;
    }
    return false;
}

void require_no_crossing(const ClosedMesh& mesh, const std::string& label, const SourcePlace& place) {
    const TriangleTree tree(mesh.vertex, mesh.triangle);
    const Aabb bounds = bounds_of(mesh);
    const double rounding = kSinglePrecision * norm(bounds.max - bounds.min);
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.triangle.size()); ++t) {
        const Triangle& own = mesh.triangle[static_cast<std::size_t>(t)];
        tree.meeting(tree.box_of(t), [&](std::int32_t u) {
            const Triangle& other = mesh.triangle[static_cast<std::size_t>(u)];
            if (u > t && (crosses(mesh, own, other, rounding) || crosses(mesh, other, own, rounding)))
                throw Error(place, fmt::format("{} crosses itself: triangle {} goes through triangle {}. Unite its parts in a mesh program",
                                               label, text_of(mesh, own), text_of(mesh, other)));
            return true;
        });
    }
}

}  // namespace

ClosedMesh closed_mesh(const TriangleMesh& given, const std::string& label, const SourcePlace& place) {
    MeshTopology topology = mesh_topology(given);
    if (topology.triangle.empty()) throw Error(place, fmt::format("{} has no triangle with an area", label));
    require_closed(topology, label, place);
    ClosedMesh mesh{topology.vertex, topology.triangle};
    const std::vector<std::int32_t> part = wind_alike(topology, mesh, label, place);
    require_no_crossing(mesh, label, place);
    wind_outwards(mesh, part);
    const double volume = moments_of(mesh).volume;
    if (!(volume > 0.0 && std::isfinite(volume))) throw Error(place, fmt::format("{} has a volume of {:.3g} m3", label, volume));
    return mesh;
}

Moments moments_of(const ClosedMesh& mesh) {
    const Aabb bounds = bounds_of(mesh);
    const Vec3 middle = 0.5 * (bounds.min + bounds.max);  // the origin of the sums, or digits would be lost far from it
    Moments sum;
    for (const Triangle& t : mesh.triangle) {
        const double six = six_volumes(mesh, t, middle);
        Vec3 v[4] = {};
        for (std::size_t k = 0; k < 3; ++k) {
            v[k] = mesh.vertex[static_cast<std::size_t>(t[k])] - middle;
            v[3] += v[k];
        }
        sum.volume += six / 6;
        sum.first += six / 24 * v[3];
        for (const Vec3& x : v) {
            sum.second.row[0] += six / 120 * x.x * x;
            sum.second.row[1] += six / 120 * x.y * x;
            sum.second.row[2] += six / 120 * x.z * x;
        }
    }
    const double m[3] = {middle.x, middle.y, middle.z}, f[3] = {sum.first.x, sum.first.y, sum.first.z};
    for (int k = 0; k < 3; ++k) sum.second.row[k] += m[k] * sum.first + f[k] * middle + sum.volume * m[k] * middle;
    sum.first += sum.volume * middle;
    return sum;
}

double area_of(const ClosedMesh& mesh) {
    double sum = 0.0;
    const auto at = [&](std::int32_t v) { return mesh.vertex[static_cast<std::size_t>(v)]; };
    for (const Triangle& t : mesh.triangle) sum += 0.5 * norm(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    return sum;
}

Aabb bounds_of(const ClosedMesh& mesh) {
    Aabb box;
    for (const Vec3& v : mesh.vertex) box.include(v);
    return box;
}

}  // namespace scree
