// A sphere against a triangle mesh. A contact is a local minimum of the distance to the surface: one per patch at most, and none twice.
// In: joint mesh tables, a centre, the triangles of one patch near it. Out: direction and distance to the patch, and whether the point
// found is such a minimum.
// Invariant: rounding can not lose a contact. A point is refused only where a triangle sharing its edge or vertex is nearer by more than
// a relative 1e-12 of the squared distance; points nearer to each other than that allows (1e-6 of the distance along the surface) are one,
// and keep_one_of_equals drops the others.
#pragma once

#include "engine/contacts/lists.hpp"
#include "engine/state/walls.hpp"

namespace scree::SCREE_FLAVOR {

struct PatchGap {
    Vec3 normal;      // unit, from the sphere to the patch
    double distance;  // [m]
    bool owns;        // no neighbouring patch is nearer there
};

SCREE_HD Vec3 mesh_vertex(const MeshView& m, std::int32_t v) {
    return m.vertex[v];
}

/// Side of c against edge k of triangle t, in the triangle's plane: >= 0 on the triangle's side.
SCREE_HD double edge_side(const MeshView& m, std::int32_t t, int k, Vec3 c) {
    return dot(c - mesh_vertex(m, m.triangle[3 * t + k]), m.edge_normal[3 * t + k]);
}

/// Where c falls along an edge from its low to its high vertex: < 0 before it, > 1 past it.
enum class AlongEdge { Low, Within, High };
SCREE_HD AlongEdge along_edge(const MeshView& m, std::int32_t e, Vec3 c) {
    const Vec3 low = mesh_vertex(m, m.edge[2 * e]);
    const Vec3 way = mesh_vertex(m, m.edge[2 * e + 1]) - low;
    const double s = dot(c - low, way);
    if (s <= 0) return AlongEdge::Low;
    return s >= norm2(way) ? AlongEdge::High : AlongEdge::Within;
}

/// The nearest point of an edge to c.
SCREE_HD Vec3 nearest_on_edge(const MeshView& m, std::int32_t e, Vec3 c) {
    const Vec3 low = mesh_vertex(m, m.edge[2 * e]);
    const Vec3 high = mesh_vertex(m, m.edge[2 * e + 1]);
    switch (along_edge(m, e, c)) {
        case AlongEdge::Low:
            return low;
        case AlongEdge::High:
            return high;
        default:
            break;
    }
    const Vec3 way = high - low;
    return low + (dot(c - low, way) / norm2(way)) * way;
}

/// What of a triangle is nearest to c: nothing (-1, -1) means its face.
struct NearFeature {
    double distance2;
    std::int32_t edge;
    std::int32_t vertex;
};
SCREE_HD NearFeature nearest_feature(const MeshView& m, std::int32_t t, Vec3 c) {
    NearFeature best{1e300, -1, -1};
    bool outside = false;
    for (int k = 0; k < 3; ++k) {
        if (edge_side(m, t, k, c) >= 0) continue;
        outside = true;
        const std::int32_t e = m.triangle_edge[3 * t + k];
        const double d2 = norm2(c - nearest_on_edge(m, e, c));
        if (d2 >= best.distance2) continue;
        const AlongEdge where = along_edge(m, e, c);
        best = {d2, where == AlongEdge::Within ? e : -1,
                where == AlongEdge::Within ? -1 : (where == AlongEdge::Low ? m.edge[2 * e] : m.edge[2 * e + 1])};
    }
    if (!outside) {
        const std::int32_t patch = m.triangle_patch[t];
        const double height = dot(c - m.patch_point[patch], m.patch_normal[patch]);
        best = {height * height, -1, -1};
    }
    return best;
}

/// Does a triangle at edge e come nearer to c than the point at squared distance d2 on it?
SCREE_HD bool nearer_at_edge(const MeshView& m, std::int32_t e, Vec3 c, double d2) {
    const double bound = d2 * (1 - 1e-12);
    for (Index k = m.edge_start[e]; k < m.edge_start[e + 1]; ++k) {
        if (nearest_feature(m, m.edge_triangle[k], c).distance2 < bound) return true;
    }
    return false;
}

SCREE_HD bool nearer_at_vertex(const MeshView& m, std::int32_t v, Vec3 c, double d2) {
    for (Index k = m.vertex_start[v]; k < m.vertex_start[v + 1]; ++k) {
        if (nearer_at_edge(m, m.vertex_edge[k], c, d2)) return true;
    }
    return false;
}

/// The patch as one face: nearest point among its triangles first … last - 1 of `candidates`; inner edges and vertices count as face.
/// Where the plane alone is `radius` away or more, nothing nearer is looked for.
SCREE_HD PatchGap patch_gap(const MeshView& m, std::int32_t patch, const std::int32_t* candidates, Index first, Index last, Vec3 c,
                            double radius) {
    const Vec3 normal = m.patch_normal[patch];
    const double height = dot(c - m.patch_point[patch], normal);
    const PatchGap face{height > 0 ? -normal : normal, height > 0 ? height : -height, true};
    if (face.distance >= radius) return face;
    NearFeature best{1e300, -1, -1};
    for (Index k = first; k < last; ++k) {
        const NearFeature here = nearest_feature(m, candidates[k], c);
        if (here.distance2 < best.distance2) best = here;
    }
    const bool on_edge = best.edge >= 0 && m.edge_inner[best.edge] == 0;
    const bool on_vertex = best.vertex >= 0 && m.vertex_inner[best.vertex] == 0;
    if (!on_edge && !on_vertex) return {face.normal, face.distance, best.distance2 < 1e300};
    const Vec3 point = on_edge ? nearest_on_edge(m, best.edge, c) : mesh_vertex(m, best.vertex);
    const Vec3 to = point - c;
    const double distance = norm(to);
    if (distance >= radius) return {to / distance, distance, true};
    const bool passed_on = on_edge ? nearer_at_edge(m, best.edge, c, norm2(to)) : nearer_at_vertex(m, best.vertex, c, norm2(to));
    return {distance > 0 ? to / distance : normal, distance, !passed_on};
}

/// Of patches of one wall whose points (centre + distance * normal) are one within 1e-6 radius, the nearest keeps the contact, among
/// equals the first. Pairs first … last - 1 belong to one body.
SCREE_HD void keep_one_of_equals(const MeshView& m, const std::int32_t* patch, Vec3View<double> normal, double* distance, Index first,
                                 Index last, double radius) {
    const double same2 = 1e-12 * radius * radius;
    for (Index p = first; p < last; ++p) {
        for (Index q = first; q < last && distance[p] < radius; ++q) {
            if (q == p || distance[q] >= radius || m.patch_wall[patch[q]] != m.patch_wall[patch[p]]) continue;
            const bool before = distance[q] < distance[p] || (distance[q] == distance[p] && q < p);
            if (before && norm2(distance[p] * normal[p] - distance[q] * normal[q]) < same2) distance[p] = no_contact;
        }
    }
}

}  // namespace scree::SCREE_FLAVOR
