// Contact points of a polyhedron (A) and a patch of coplanar triangles (B), as seen from one side: the patch acts as one face.
// In: the patch's plane with its normal to the side the body is on, then one triangle after the other. Out: at most four points.
// The body's face that looks at the plane is clipped by each triangle; corners that inner edges cut are no corners of the whole and are
// left out, so that a flat surface feels flat. Outer edges and corners that poke into faces of A make contacts of their own, with normals
// that have what is joined to the edge or corner behind it, in one of the patches that share it: none at edges that are hollow. A
// triangle's plane does not count where an outer edge of it shows that the body lies beside it. Of closed or folded surfaces the caller
// gives only patches that the body is in front of: those of the far side of an obstacle would take what reaches round its edges for deep
// inside.
#pragma once

#include "engine/narrow/face_points.hpp"
#include "engine/narrow/passing.hpp"
#include "engine/narrow/points_plane.hpp"
#include "engine/narrow/segment_points.hpp"

namespace scree {

/// A side of a triangle: between triangles of one patch, the patch's rim with nothing beyond, or shared with another patch.
enum class TriangleSide : std::int32_t { Inner, Free, Shared };

/// A triangle relative to the origin the body was placed in, in double: far corners keep their digits until what is near is cut out.
struct PatchTriangle {
    Vec3 corner[3];
    Vec3 spoke[3][4];  // far ends of the outer edges at each corner, four at most
    int spokes[3];
    Vec3 across[3];  // third corner of the neighbour at side k, from corner k to k + 1; read where the side is shared
    TriangleSide side[3];
    std::int32_t vertex[3];  // numbers for keys
    std::int32_t edge[3];
    bool first[3];  // of two patches at a shared side, this one comes first
};

/// Collects the points of one patch.
template <int Capacity, class T>
class PatchPoints {
public:
    /// Plane normal . x = height with its unit normal to the free side; body `a` in the same origin, its centre near that.
    SCREE_HD PatchPoints(const PlacedConvex<T>& a, Vec3 normal, double height, T envelope, const Way<T>& way = {})
        : a_(a), normal_(cast<T>(normal)), height_(static_cast<T>(height)), envelope_(envelope), direction_(normal), way_(way) {
        const Vec3T<T> d = transposed_times(a.turn, normal_);
        const axis::Lowest<T> low = axis::lowest_vertex(a.shape, d);
        low_ = a.scale * low.value + dot(normal_, a.at) - height_;
        const std::int32_t vertex = low.vertex < a.shape.vertices ? low.vertex : a.shape.vertices - 1;
        face_ = points::incident_face(a.shape, vertex, d);
        low_at_ = a.vertex(vertex);
    }

    SCREE_HD void add(const PatchTriangle& t) {
        if (low_ > envelope_) return;
        const std::int32_t before = list_.count;
        const T least = add_clipped(t);
        bool beside = false;
        for (int k = 0; k < 3; ++k) {
            if (t.side[k] != TriangleSide::Inner && add_side(t, k, least < low_ ? least : low_)) beside = true;
        }
        if (beside || passes_side(t, before)) {
            drop_plane_points(before);
        } else if (least < least_) {
            least_ = least;
        }
    }

    SCREE_HD ContactPoints<T> finish() {
        ContactPoints<T> result;
        // Where the patch does not reach under the body's lowest vertex, its rim decides, if that touches.
        if (rim_touches_ && least_ > points::farthest_shown(low_, envelope_)) drop_plane_points(0);
        if (list_.count == 0) return result;
        std::int32_t chosen[ContactPoints<T>::most];
        const std::int32_t count =
            choose_points(list_.entry, list_.count, normal_, points::window_of(a_.scale, a_.scale, envelope_), chosen);
        for (std::int32_t k = 0; k < count; ++k) {
            const PointCandidate<T>& c = list_.entry[chosen[k]];
            add_point(result, normal_of_[chosen[k]], c.at, c.gap, c.key);
        }
        return result;
    }

private:
    using Polygon = points::LabelledPolygon<Capacity, T>;

    /// Puts a point midway between the surfaces in, or deepens the one that has its key.
    SCREE_HD void put(Vec3T<T> n, Vec3T<T> at, T gap, std::int32_t key) {
        for (std::int32_t k = 0; k < list_.count; ++k) {
            if (list_.entry[k].key != key) continue;
            if (gap < list_.entry[k].gap) {
                list_.entry[k] = {at, gap, key};
                normal_of_[k] = n;
            }
            return;
        }
        if (list_.count == capacity) return;
        normal_of_[list_.count] = n;
        list_.entry[list_.count++] = {at, gap, key};
    }

    /// Takes the plane's points from `first` on out again.
    SCREE_HD void drop_plane_points(std::int32_t first) {
        std::int32_t kept = first;
        for (std::int32_t k = first; k < list_.count; ++k) {
            if (dot(normal_of_[k], normal_) <= -cosine()) continue;
            list_.entry[kept] = list_.entry[k];
            normal_of_[kept++] = normal_of_[k];
        }
        list_.count = kept;
    }

    SCREE_HD static constexpr T cosine() { return T(1) - T(0.5) * touch::level<T>() * touch::level<T>(); }

    /// Unit, in the triangle's plane, across side k and away from the triangle.
    SCREE_HD Vec3 out_of(const PatchTriangle& t, int k) const {
        const Vec3 way = t.corner[(k + 1) % 3] - t.corner[k];
        const Vec3 out = normalized(cross(way, direction_));
        return dot(out, t.corner[(k + 2) % 3] - t.corner[k]) > 0 ? -out : out;
    }

    /// Body's face clipped by the triangle; returns the least height of what lies over it.
    SCREE_HD T add_clipped(const PatchTriangle& t) {
        const ConvexView<T>& s = a_.shape;
        Polygon polygon[2];
        polygon[0].corners = 0;
        for (std::int32_t k = s.face_start[face_]; k < s.face_start[face_ + 1]; ++k) polygon[0].add(a_.vertex(s.face_vertex[k]), k);
        int now = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 out = out_of(t, k);
            // Inner sides give way by what rounding may take from a vertex right on them.
            const T slack = t.side[k] == TriangleSide::Inner ? T(1e-5) * a_.scale : T(0);
            const T h = static_cast<T>(dot(out, t.corner[k])) + slack;
            if (points::cut_labelled(polygon[now], cast<T>(out), h, k, polygon[1 - now])) now = 1 - now;
            if (polygon[now].corners == 0) return points::no_gap<T>();
        }
        const Polygon& shared = polygon[now];
        T least = points::no_gap<T>();
        for (std::int32_t i = 0; i < shared.corners; ++i) {
            const Vec3T<T> p = shared.corner(i);
            const T gap = dot(normal_, p) - height_;
            least = gap < least ? gap : least;
            const std::int32_t key = gap <= envelope_ ? key_of(t, shared.label[i == 0 ? shared.corners - 1 : i - 1], shared.label[i]) : -1;
            if (key >= 0) put(-normal_, p - (T(0.5) * gap) * normal_, gap, key);
        }
        return least;
    }

    /// -1 where an inner side cut the corner.
    SCREE_HD std::int32_t key_of(const PatchTriangle& t, std::int32_t before, std::int32_t after) const {
        if (before >= 0 && after >= 0) return point_key::of_vertex(true, a_.shape.face_vertex[after]);
        if (before < 0 && after < 0) {
            const int p = ~before, q = ~after;
            if (t.side[p] == TriangleSide::Inner && t.side[q] == TriangleSide::Inner) return -1;
            return point_key::of_vertex(false, t.vertex[(p + 1) % 3 == q ? q : p]);
        }
        const int side = before < 0 ? ~before : ~after;
        if (t.side[side] == TriangleSide::Inner) return -1;
        return point_key::of_sides(before < 0 ? after : before, t.edge[side]);
    }

    /// Side k as a segment, cut to the body's surroundings. False where it does not come near.
    SCREE_HD bool near_part(const PatchTriangle& t, int k, touch::Segment<T>& s, bool* whole) const {
        const Vec3 start = t.corner[k], way = t.corner[(k + 1) % 3] - start, centre = cast<double>(a_.at);
        const double reach = 1.01 * static_cast<double>(a_.scale) + 2 * static_cast<double>(envelope_);
        const double length2 = norm2(way), middle = dot(centre - start, way) / length2;
        const double off2 = norm2(start + middle * way - centre);
        if (!(off2 < reach * reach)) return false;
        const double half = std::sqrt((reach * reach - off2) / length2);
        const double low = middle - half > 0 ? middle - half : 0, high = middle + half < 1 ? middle + half : 1;
        if (!(low < high)) return false;
        whole[0] = low == 0;
        whole[1] = high == 1;
        s = {cast<T>(start + low * way), cast<T>((high - low) * way)};
        return true;
    }

    /// What lies beyond a shared side, as seen from the patch.
    struct Beyond {
        Vec3T<T> normal;  // of the neighbour, up
        bool hollow;      // it rises to the body's side
        bool seen;        // the body's centre is on its upper side
    };
    SCREE_HD Beyond beyond(const PatchTriangle& t, int k) const {
        const Vec3 corner = t.corner[k], way = normalized(t.corner[(k + 1) % 3] - corner), to = t.across[k] - corner;
        const Vec3 out = normalized(dot(to, way) * way - to), across = cross(way, out);
        const Vec3 up = dot(across, t.corner[(k + 2) % 3] - corner) > 0 ? -across : across;
        const bool hollow = !(dot(direction_, out) > 1e-4);
        return {cast<T>(up), hollow, dot(up, cast<double>(a_.at) - corner) > 0};
    }

    SCREE_HD points::SegmentJoints<T> joints_of(const PatchTriangle& t, int k, const bool* whole) const {
        points::SegmentJoints<T> joints;
        joints.joined = true;
        joints.shared = t.side[k] == TriangleSide::Shared;
        joints.way = cast<T>(normalized(t.corner[(k + 1) % 3] - t.corner[k]));
        for (int end = 0; end < 2; ++end) {
            const int corner = (k + end) % 3;
            const Vec3 p = t.corner[corner];
            joints.whole[end] = whole[end];
            joints.own[end] = cast<T>(normalized(t.corner[(k + 2) % 3] - p));
            joints.beyond[end] = joints.shared ? cast<T>(normalized(t.across[k] - p)) : Vec3T<T>{};
            joints.spokes[end] = t.spokes[corner];
            for (int j = 0; j < t.spokes[corner]; ++j) joints.spoke[end][j] = cast<T>(normalized(t.spoke[corner][j] - p));
        }
        return joints;
    }

    /// Contacts at an outer side. True where it shows that the body lies beside the triangle, not over it: its plane has no say then.
    SCREE_HD_SHARED bool add_side(const PatchTriangle& t, int k, T plane_gap) {
        touch::Segment<T> s;
        bool whole[2];
        if (!near_part(t, k, s, whole)) return false;
        const bool shared = t.side[k] == TriangleSide::Shared;
        Beyond other{{}, false, false};
        if (shared) other = beyond(t, k);
        const points::SegmentJoints<T> joints = joints_of(t, k, whole);
        const points::SegmentAxis<T> found = points::segment_axis(a_, s, joints);
        const bool off = beside(found.wide_gap, found.wide_normal, plane_gap);
        if (found.any_gap > envelope_ || other.hollow) return off;
        T gap = found.gap;
        Vec3T<T> n = found.normal, middle{};
        const bool apart = found.any_gap > T(0);
        if (apart) {
            const points::SegmentShape<T> shape(s, a_.scale);
            const PlacedConvex<T> line = shape.placed();
            const Closest<T> near = closest_points(a_, line, axis::relate(a_, line), found.any_normal);
            const bool clear = near.distance > T(1024) * axis::epsilon<T>() * a_.scale;
            n = clear ? near.normal : found.any_normal;
            gap = clear ? near.distance : found.any_gap;
            middle = T(0.5) * (near.on_a + near.on_b);
            if (!joints.all(n)) return off;
        }
        if (!(gap > axis::lowest<T>()) || gap > envelope_ || gap < low_ - T(1e-3) * envelope_) return off;
        const Vec3T<T> x = apart ? middle : s.start + T(0.5) * s.way;
        if (way_.any() && !passing::settled(way_, n, x, gap) && !meets_side(s, joints, x, n, gap)) return off;
        if (belongs_elsewhere(-n, other, t.first[k])) return off;
        put_side_points(t, k, s, whole, found, n, gap, apart, middle);
        return off;
    }

    /// Does the body, where its step leads past the plane within the triangle's bounds, come over an outer side later than to the plane, or
    /// not at all? The plane's points, `first` and on, have no say then.
    SCREE_HD bool passes_side(const PatchTriangle& t, std::int32_t first) const {
        if (!way_.any()) return false;
        bool settled = true;
        for (std::int32_t k = first; k < list_.count; ++k)
            settled = settled && passing::settled(way_, normal_of_[k], list_.entry[k].at, list_.entry[k].gap);
        if (settled) return false;
        passing::LastMet<T> last(way_.slack);
        last.is_later(low_, way_.nearer(-normal_, low_at_));
        for (int k = 0; k < 3; ++k) {
            if (t.side[k] == TriangleSide::Inner) continue;
            const Vec3 out = out_of(t, k);
            const Vec3T<T> n = cast<T>(out);
            const axis::Lowest<T> low = axis::lowest_vertex(a_.shape, transposed_times(a_.turn, n));
            const T gap = a_.scale * low.value + dot(n, a_.at) - static_cast<T>(dot(out, t.corner[k]));
            const Vec3T<T> x = a_.vertex(low.vertex < a_.shape.vertices ? low.vertex : a_.shape.vertices - 1);
            if (last.is_later(gap, way_.nearer(-n, x))) return true;
        }
        return false;
    }

    /// What body and side, a segment, meet at instead of along n, with `gap` at x: false where that is the plane, or they stay apart. Else
    /// n and gap are those of the face of A whose plane is met last, if one is later than n.
    SCREE_HD_SHARED bool meets_side(const touch::Segment<T>& s, const points::SegmentJoints<T>& joints, Vec3T<T> x, Vec3T<T>& n,
                                    T& gap) const {
        passing::LastMet<T> last(way_.slack);
        last.is_later(gap, way_.nearer(n, x));
        for (std::int32_t f = 0; f < a_.shape.faces; ++f) {
            const Vec3T<T> m = a_.normal(f), from = s.start - a_.at;
            const T start = dot(m, from), slope = dot(m, s.way);
            const T above = (slope < T(0) ? start + slope : start) - a_.scale * a_.shape.h[f];
            if (above < -way_.slack || !joints.all(m)) continue;
            if (!last.is_later(above, way_.nearer(m, slope < T(0) ? s.start + s.way : s.start))) continue;
            n = m;
            gap = above;
        }
        return !last.is_later(low_, way_.nearer(-normal_, low_at_)) && !last.apart();
    }

    /// Less deep across a side than across the plane, or farther apart, and not by the plane's own normal.
    SCREE_HD bool beside(T gap, Vec3T<T> n, T plane_gap) const {
        return gap > points::farthest_shown(plane_gap, envelope_) && -dot(n, normal_) < cosine();
    }

    /// Directions of the planes at a side are theirs; what lies between belongs to the patch that looks at the body more, if it sees it.
    SCREE_HD bool belongs_elsewhere(Vec3T<T> d, const Beyond& other, bool first) const {
        const T own = dot(d, normal_), others = dot(d, other.normal);
        if (own > cosine()) return true;
        if (!other.seen) return false;
        return others > cosine() || others > own + T(1e-3) || (others >= own - T(1e-3) && !first);
    }

    /// Where a face of A is level with n, the ends of what of the side lies over it; else one point.
    SCREE_HD void put_side_points(const PatchTriangle& t, int k, const touch::Segment<T>& s, const bool* whole,
                                  const points::SegmentAxis<T>& found, Vec3T<T> n, T gap, bool apart, Vec3T<T> middle) {
        T aligned;
        const std::int32_t face = touch::face_along(a_, n, aligned);
        if (aligned > cosine()) {
            const points::Share<T> share = points::share_over_face(a_, face, s);
            const Vec3T<T> m = a_.normal(face), on_face = a_.vertex(a_.shape.face_vertex[a_.shape.face_start[face]]);
            bool any = false;
            for (int end = 0; end < 2 && share.low <= share.high; ++end) {
                const Vec3T<T> p = s.start + (end == 0 ? share.low : share.high) * s.way;
                const std::int32_t side = end == 0 ? share.low_side : share.high_side;
                const T here = dot(m, p - on_face);
                if (!(here <= envelope_)) continue;
                const bool corner = side < 0 && whole[end];
                const std::int32_t loop = side < 0 ? a_.shape.face_start[face] : side;
                // Apart from the keys of the plane's points, which have another normal, and of crossed edges.
                const std::int32_t key = corner ? point_key::of_edges(point_key::side_limit - 1, t.vertex[(k + end) % 3])
                                                : point_key::of_edges(point_key::side_limit / 2 + loop, t.edge[k]);
                put(m, p - (T(0.5) * here) * m, here, key);
                any = rim_touches_ = true;
            }
            if (any) return;
        }
        const std::int32_t edge = found.edge >= 0 ? found.edge : touch::edge_along(a_, n);
        if (!apart) {
            const touch::Segment<T> of_a = touch::edge_of(a_, edge);
            if (found.edge < 0 || !points::cross_within(of_a, s)) return;
            middle = touch::between_edges(of_a, s);
        }
        put(n, middle, gap, point_key::of_edges(edge, t.edge[k]));
        rim_touches_ = true;
    }

    static constexpr int capacity = 48;
    PlacedConvex<T> a_;
    Vec3T<T> normal_;
    T height_, envelope_;
    Vec3 direction_;                // the normal in double
    Way<T> way_;                    // of the patch against the body
    Vec3T<T> low_at_;               // the body's lowest vertex
    T low_;                         // of the body over the plane
    T least_{points::no_gap<T>()};  // of what lies over triangles
    std::int32_t face_;             // of the body, that looks at the plane
    bool rim_touches_{false};
    points::CandidateList<capacity, T> list_;
    Vec3T<T> normal_of_[capacity];
};

}  // namespace scree
