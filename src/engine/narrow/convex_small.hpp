// The region that two convex polyhedra of at most 8 vertices and 8 faces share: `overlap` of convex_overlap.hpp, in eight values at once.
// In: placed shapes with SmallFaces and a direction n. Out: moments. Method: as there (slab between B's lowest vertex and A's highest,
// faces of either clipped by the planes of the other, A by B enlarged and B by A reduced), but in the common frame, with z = n . x - top:
// the field z n has divergence 1. The eight values are all vertices of a shape, or the corners of a polygon of which the last is repeated.
// A polygon's vector area is along its face's normal. A polygon that would get more than 8 corners ends it; the caller then takes the other
// way.
#pragma once

#include "base/after_cut.hpp"
#include "base/eight.hpp"
#include "engine/narrow/convex.hpp"

namespace scree::small {

/// The vertices of a shape about the common origin.
template <class T>
struct Solid {
    Eight<T> x, y, z;
    const SmallFaces* shape;
};

/// Planes n . x = h of the faces of both shapes, those of B from 8 on.
template <class T>
struct Planes {
    alignas(64) T nx[16], ny[16], nz[16], h[16];
};

template <class T>
SCREE_HD Eight<T> along(const Eight<T>& x, const Eight<T>& y, const Eight<T>& z, Vec3T<T> n) {
    return all_eight(n.x) * x + all_eight(n.y) * y + all_eight(n.z) * z;
}

/// Height over the plane: two sums side by side, for a short chain.
template <class T>
SCREE_HD Eight<T> above(const Eight<T>& x, const Eight<T>& y, const Eight<T>& z, const Planes<T>& p, int j) {
    return (all_eight(p.nx[j]) * x + all_eight(p.ny[j]) * y) + (all_eight(p.nz[j]) * z - all_eight(p.h[j]));
}

/// Places a shape, and writes its planes, moved out by `slack`, from `first` on.
template <class T>
SCREE_HD void place(const PlacedConvex<T>& placed, Vec3T<T> shift, T slack, Solid<T>& s, Planes<T>& planes, int first) {
    const ConvexView<T>& shape = placed.shape;
    const Mat3T<T>& m = placed.turn;
    const T scale = placed.scale;
    const Eight<T> x = load_eight(shape.x), y = load_eight(shape.y), z = load_eight(shape.z);
    s.x = along(x, y, z, scale * m.row[0]) + all_eight(shift.x);
    s.y = along(x, y, z, scale * m.row[1]) + all_eight(shift.y);
    s.z = along(x, y, z, scale * m.row[2]) + all_eight(shift.z);
    s.shape = shape.small;
    const Eight<T> nx = load_eight(shape.nx), ny = load_eight(shape.ny), nz = load_eight(shape.nz);
    const Eight<T> mx = along(nx, ny, nz, m.row[0]), my = along(nx, ny, nz, m.row[1]), mz = along(nx, ny, nz, m.row[2]);
    store_eight(planes.nx + first, mx);
    store_eight(planes.ny + first, my);
    store_eight(planes.nz + first, mz);
    store_eight(planes.h + first, all_eight(scale) * load_eight(shape.h) + (along(mx, my, mz, shift) + all_eight(slack)));
}

/// Of each of the planes from `first` on a byte: bit v set where vertex v is outside of it.
template <class T>
SCREE_HD std::uint64_t outside_of(const Solid<T>& s, const Planes<T>& planes, int first, std::int32_t count) {
    std::uint64_t outside = 0;
    SCREE_ONE_AT_A_TIME
    for (std::int32_t j = 0; j < count; ++j) {
        outside |= static_cast<std::uint64_t>(greater(above(s.x, s.y, s.z, planes, first + j), all_eight(T(0)))) << (8 * j);
    }
    return outside;
}

/// What is left of a face.
template <class T>
struct Ring {
    Eight<T> at[3];        // x, y and z of the corners in order, the last one repeated; of nothing one point
    std::uint32_t size;    // 2^corners
    std::uint32_t planes;  // that may cut it yet
    std::int32_t face;     // number of its plane
    std::int32_t region;   // whose it is
};

/// Cuts off what of a ring is outside plane j. No branch: whether one cuts is not to be foreseen.
template <class T>
SCREE_HD void cut(Ring<T>& ring, const Planes<T>& planes, int j) {
    const Eight<T> x = ring.at[0], y = ring.at[1], z = ring.at[2];
    constexpr Order8 before = 0x0605040302010007u;
    const Eight<T> px = reordered(x, before), py = reordered(y, before), pz = reordered(z, before);
    const Eight<T> d = above(x, y, z, planes, j), pd = above(px, py, pz, planes, j);
    const std::uint32_t size = ring.size, out = greater(d, all_eight(T(0))) & (size - 1u);
    const AfterCut after = after_cut_of(size, out);
    // Where the edge that ends in each corner meets the plane: from its inner to its outer end, so that the two faces at it find the same
    // point.
    const Eight<T> t = choose(out, pd, d) / choose(out, pd - d, d - pd);
    const Eight<T> ix = choose(out, px, x), iy = choose(out, py, y), iz = choose(out, pz, z);
    ring.at[0] = merged(x, ix + t * (choose(out, x, px) - ix), after.order);
    ring.at[1] = merged(y, iy + t * (choose(out, y, py) - iy), after.order);
    ring.at[2] = merged(z, iz + t * (choose(out, z, pz) - iz), after.order);
    ring.size = after.size;
    // Nothing cuts a point.
    ring.planes &= ~(1u << j) & (0u - (((after.size >> 3) & 63u) != 0 ? 1u : 0u));
}

/// Faces that may have a part in the other shape, those of B from 8 on, and the planes that may cut each.
struct Candidates {
    std::uint32_t faces;
    std::uint64_t planes[2];  // of A's faces and of B's: of each a byte
};

/// `outside`: outside_of the vertices of A, and of B; `slab`: faces in the slab. A face without a vertex of the other outside of it is not
/// in the other, nor is one that is all outside of a plane of the other.
SCREE_HD Candidates candidates(const SmallFaces& a, const SmallFaces& b, const std::uint64_t* outside, const std::uint32_t* slab) {
    const auto bytes = [](std::uint32_t bits) {
        return ((((bits & 127u) * 0x0002040810204081u) & eight_bytes(1)) | (static_cast<std::uint64_t>(bits >> 7) << 56)) * 255u;
    };
    const CommonBits of_a = common_bits(a.masks, outside[0] & bytes(slab[1])), of_b = common_bits(b.masks, outside[1] & bytes(slab[0]));
    const std::uint32_t faces_a = slab[0] & bytes_set(outside[1]) & ~bytes_set(of_a.all);
    const std::uint32_t faces_b = slab[1] & bytes_set(outside[0]) & ~bytes_set(of_b.all);
    return {faces_a | (faces_b << 8), {of_a.some, of_b.some}};
}

/// Sums over triangles of polygons: c_n is twice a triangle's vector area along n, S the sum of its corners.
template <class T>
struct Sums {
    Eight<T> volume6, x24, y24, z24;  // c_n S_z, c_n (S S_z + sum of x z)
    Eight<T> depth48;                 // c_n (S_z S_z + sum of z z)
    Eight<T> cx, cy, cz;              // S cross c, of A's faces
};

/// A pair on its way.
template <class T>
struct Region {
    Planes<T> planes;
    Solid<T> solid[2];
    Vec3T<T> n, start;
    T top, slack;
    Candidates candidates;
    std::uint32_t first;  // planes to begin with
    std::int32_t end;     // past its last ring
    bool fits;            // no polygon got too many corners
    T area[16];           // twice those of the faces
    Sums<T> sums;
};

/// Pairs that are worked on together, each step for all before the next: one pair alone would wait for its own results most of the time.
template <int Most, class T>
struct Batch {
    Region<T> region[Most];
    Ring<T> ring[16 * Most];
    int regions{0};
};

/// Makes rings of the candidates of all pairs, and cuts each by one plane.
template <int Most, class T>
SCREE_HD void begin_rings(Batch<Most, T>& batch) {
    int count = 0;
    for (int k = 0; k < batch.regions; ++k) {
        Region<T>& region = batch.region[k];
        for (std::uint32_t faces = region.candidates.faces; faces != 0; faces &= faces - 1) {
            const int f = lowest_bit(faces), own = f & 7, of = f >> 3;
            const Solid<T>& s = region.solid[of];
            const Order8 order = s.shape->corners[own];
            Ring<T>& ring = batch.ring[count++];
            ring.at[0] = reordered(s.x, order);
            ring.at[1] = reordered(s.y, order);
            ring.at[2] = reordered(s.z, order);
            ring.size = 1u << count_bits(static_cast<std::uint32_t>(s.shape->masks >> (8 * own)) & 255u);
            ring.planes = (static_cast<std::uint32_t>(region.candidates.planes[of] >> (8 * own)) & 255u) << (8 - 8 * of);
            ring.face = f;
            ring.region = k;
            const std::uint32_t begin = ring.planes & region.first;
            if (ring.planes != 0) cut(ring, region.planes, lowest_bit(begin != 0 ? begin : ring.planes));
        }
        region.end = count;
    }
}

/// Cuts all rings by the planes that are left, one each at a time.
template <int Most, class T>
SCREE_HD void cut_rings(Batch<Most, T>& batch) {
    Ring<T>* active[16 * Most];
    const int count = batch.regions > 0 ? batch.region[batch.regions - 1].end : 0;
    int left = 0;
    for (int r = 0; r < count; ++r) {
        // Most planes are out of reach now.
        Ring<T>& ring = batch.ring[r];
        Region<T>& region = batch.region[ring.region];
        const Eight<T> x = ring.at[0], y = ring.at[1], z = ring.at[2];
        std::uint32_t near = 0;
        for (std::uint32_t rest = ring.planes; rest != 0; rest &= rest - 1) {
            const int j = lowest_bit(rest);
            near |= greater(above(x, y, z, region.planes, j), all_eight(T(0))) != 0 ? 1u << j : 0u;
        }
        ring.planes = near;
        region.fits = region.fits && ring.size <= 256;
        active[left] = &ring;
        left += near != 0 ? 1 : 0;
    }
    while (left > 0) {
        int kept = 0;
        for (int k = 0; k < left; ++k) {
            Ring<T>& ring = *active[k];
            Region<T>& region = batch.region[ring.region];
            cut(ring, region.planes, lowest_bit(ring.planes));
            region.fits = region.fits && ring.size <= 256;
            active[kept] = &ring;
            kept += ring.planes != 0 ? 1 : 0;
        }
        left = kept;
    }
}

/// Which coordinate a normal is longest along, and one over that component.
template <class T>
struct Lengthwise {
    std::uint32_t x, y;  // bit f: that of face f along x, along y
    T inverse[8];
};

template <class T>
SCREE_HD Lengthwise<T> lengthwise(const Planes<T>& p, int first) {
    const Eight<T> nx = load_eight(p.nx + first), ny = load_eight(p.ny + first), nz = load_eight(p.nz + first);
    const Eight<T> x = nx * nx, y = ny * ny, z = nz * nz;
    Lengthwise<T> l;
    l.x = greater(x, y) & greater(x, z);
    l.y = greater(y, z) & ~l.x;
    store_eight(l.inverse, all_eight(T(1)) / choose(l.x, nx, choose(l.y, ny, nz)));
    return l;
}

/// Adds what is left of a face with this normal; `of`: of A or B. Returns twice its area.
template <bool Couple, class T>
SCREE_HD T add(const Ring<T>& ring, const Lengthwise<T>* of, Vec3T<T> normal, Vec3T<T> n, T top, Sums<T>& sums) {
    constexpr Order8 next = 0x0707060504030201u;
    // Its shadow along the coordinate that the normal is longest along.
    const int k = ring.face & 7;
    const Lengthwise<T>& l = of[ring.face >> 3];
    const std::uint32_t by_x = (l.x >> k) & 1u, by_y = (l.y >> k) & 1u;
    const Eight<T> u = ring.at[by_x + 2 * by_y], v = ring.at[1 + by_x - by_y];
    const Eight<T> du = u - first_of(u), dv = v - first_of(v);
    const Eight<T> area2 = all_eight(l.inverse[k]) * (du * reordered(dv, next) - reordered(du, next) * dv);
    const Eight<T> c = area2 * all_eight(dot(normal, n));
    const Eight<T> x = ring.at[0], y = ring.at[1], w = ring.at[2];
    const Eight<T> z = along(x, y, w, n) - all_eight(top);
    const Eight<T> x0 = first_of(x), y0 = first_of(y), w0 = first_of(w), z0 = first_of(z);
    const Eight<T> x2 = reordered(x, next), y2 = reordered(y, next), w2 = reordered(w, next), z2 = reordered(z, next);
    const Eight<T> sx = x0 + (x + x2), sy = y0 + (y + y2), sw = w0 + (w + w2), sz = z0 + (z + z2);
    sums.volume6 = sums.volume6 + c * sz;
    sums.x24 = sums.x24 + c * (sx * sz + (x0 * z0 + x * z + x2 * z2));
    sums.y24 = sums.y24 + c * (sy * sz + (y0 * z0 + y * z + y2 * z2));
    sums.z24 = sums.z24 + c * (sw * sz + (w0 * z0 + w * z + w2 * z2));
    sums.depth48 = sums.depth48 + c * (sz * sz + (z0 * z0 + z * z + z2 * z2));
    if constexpr (Couple) {
        const Eight<T> a = area2 * all_eight(ring.face < 8 ? T(1) : T(0)), ax = a * sx, ay = a * sy, az = a * sw;
        sums.cx = sums.cx + (ay * all_eight(normal.z) - az * all_eight(normal.y));
        sums.cy = sums.cy + (az * all_eight(normal.x) - ax * all_eight(normal.z));
        sums.cz = sums.cz + (ax * all_eight(normal.y) - ay * all_eight(normal.x));
    }
    return sum_of(area2);
}

/// Sums over the rings of region k.
template <bool Couple, int Most, class T>
SCREE_HD void add_rings(Batch<Most, T>& batch, int k) {
    Region<T>& region = batch.region[k];
    const Eight<T> zero = all_eight(T(0));
    const Planes<T>& p = region.planes;
    const Lengthwise<T> of[2] = {lengthwise(p, 0), lengthwise(p, 8)};
    Sums<T> sums{zero, zero, zero, zero, zero, zero, zero, zero};
    store_eight(region.area, zero);
    store_eight(region.area + 8, zero);
    for (int r = k > 0 ? batch.region[k - 1].end : 0; r < region.end; ++r) {
        const int f = batch.ring[r].face;
        region.area[f] = add<Couple>(batch.ring[r], of, Vec3T<T>{p.nx[f], p.ny[f], p.nz[f]}, region.n, region.top, sums);
    }
    region.sums = sums;
}

/// The plane of those in `slab` that lies most along n.
template <class T>
SCREE_HD std::uint32_t flattest(const Planes<T>& p, int first, std::uint32_t slab, Vec3T<T> n) {
    const Eight<T> cosine = along(load_eight(p.nx + first), load_eight(p.ny + first), load_eight(p.nz + first), n);
    const Eight<T> listed = choose(slab, cosine, all_eight(T(-2)));
    return (1u << lowest_bit(~greater(all_eight(greatest_of(listed)), listed) & 255u)) << first;
}

/// Faces squarer to the contact than this cosine count for less: 84 degrees.
template <class T>
SCREE_HD constexpr T steepest() {
    return T(0.1);
}

/// Sum of the faces' areas over a length, those square to n left out by degrees.
template <class T>
SCREE_HD Vec3T<T> upright_sum(const Planes<T>& p, int first, const Eight<T>& area, Vec3T<T> n, T inverse_length) {
    const Eight<T> nx = load_eight(p.nx + first), ny = load_eight(p.ny + first), nz = load_eight(p.nz + first);
    const Eight<T> cosine = along(nx, ny, nz, n);
    const Eight<T> part = lesser(cosine * cosine * all_eight(T(1) / (steepest<T>() * steepest<T>())), all_eight(T(1)));
    const Eight<T> share = part * (area * all_eight(inverse_length));
    return {sum_of(share * nx), sum_of(share * ny), sum_of(share * nz)};
}

/// As in convex_overlap.hpp; `whole`: vector area, not zero.
template <class T>
SCREE_HD Vec3T<T> direction_of(const Planes<T>& p, const Eight<T>& area_a, const Eight<T>& area_b, Vec3T<T> whole, T length) {
    const T inverse = T(1) / length;
    const Vec3T<T> n = inverse * whole;
    const Vec3T<T> from_a = upright_sum(p, 0, area_a, n, inverse), from_b = -upright_sum(p, 8, area_b, n, inverse);
    const T lost_a = std::fabs(T(1) - dot(from_a, n)) + T(1e-6), lost_b = std::fabs(T(1) - dot(from_b, n)) + T(1e-6);
    return lost_b * from_a + lost_a * from_b;
}

/// The sums as moments about the common origin.
template <bool Couple, class T>
SCREE_HD Overlap<T> moments(const Region<T>& region) {
    const Sums<T>& sums = region.sums;
    const Planes<T>& p = region.planes;
    const T volume6 = sum_of(sums.volume6);
    if (!(volume6 > T(0))) return {};
    const Eight<T> area_a = load_eight(region.area);
    const Vec3T<T> whole{sum_of(area_a * load_eight(p.nx)), sum_of(area_a * load_eight(p.ny)), sum_of(area_a * load_eight(p.nz))};
    const T volume = volume6 * T(1.0 / 6.0), length = norm(whole);
    // Thinner than what decides that faces coincide: noise.
    if (volume < region.slack * (T(0.5) * length)) return {};
    const Vec3T<T> flux{sum_of(sums.x24), sum_of(sums.y24), sum_of(sums.z24)};
    Overlap<T> result;
    result.volume = volume;
    result.area = T(0.5) * whole;
    result.moment = T(1.0 / 24.0) * flux - (sum_of(sums.depth48) * T(1.0 / 48.0)) * region.n + volume * region.start;
    if constexpr (Couple) {
        result.couple = T(1.0 / 6.0) * Vec3T<T>{sum_of(sums.cx), sum_of(sums.cy), sum_of(sums.cz)} + cross(region.start, result.area);
    }
    result.direction = length > T(0) ? direction_of(p, area_a, load_eight(region.area + 8), whole, length) : whole;
    return result;
}

/// Puts a pair on its way; n: axis, `slack`: how far A and B are moved.
template <int Most, class T>
SCREE_HD void begin_pair(Batch<Most, T>& batch, const PlacedConvex<T>& a, const PlacedConvex<T>& b, Vec3T<T> n, T slack) {
    Region<T>& region = batch.region[batch.regions++];
    // The origin is the centre of the smaller shape: coordinates of P are of its size.
    const Vec3T<T> start = a.scale < b.scale ? a.at : b.at;
    Solid<T>* solid = region.solid;
    Planes<T>& planes = region.planes;
    place(a, a.at - start, -slack, solid[0], planes, 0);
    place(b, b.at - start, slack, solid[1], planes, 8);
    const Eight<T> height_a = along(solid[0].x, solid[0].y, solid[0].z, n), height_b = along(solid[1].x, solid[1].y, solid[1].z, -n);
    const T top = greatest_of(height_a), bottom = -greatest_of(height_b);
    const std::uint32_t slab[2] = {bytes_set(solid[0].shape->masks & eight_bytes(greater(height_a, all_eight(bottom - slack)))),
                                   bytes_set(solid[1].shape->masks & eight_bytes(greater(height_b, all_eight(-top - slack))))};
    const std::uint64_t outside[2] = {outside_of(solid[0], planes, 8, b.shape.faces), outside_of(solid[1], planes, 0, a.shape.faces)};
    region.n = n;
    region.start = start;
    region.top = top;
    region.slack = slack;
    region.candidates = candidates(*solid[0].shape, *solid[1].shape, outside, slab);
    region.candidates.faces = top > bottom ? region.candidates.faces : 0;
    region.first = flattest(planes, 0, slab[0], n) | flattest(planes, 8, slab[1], -n);
    region.fits = true;
}

/// Cuts and sums all pairs of the batch.
template <bool Couple, int Most, class T>
SCREE_HD void finish_pairs(Batch<Most, T>& batch) {
    begin_rings(batch);
    cut_rings(batch);
    for (int k = 0; k < batch.regions; ++k) add_rings<Couple>(batch, k);
}

/// One pair alone: sets `result`; false where a polygon gets too many corners.
template <bool Couple, class T>
SCREE_HD_SHARED bool overlap(const PlacedConvex<T>& a, const PlacedConvex<T>& b, Vec3T<T> n, T slack, Overlap<T>& result) {
    Batch<1, T> batch;
    begin_pair(batch, a, b, n, slack);
    finish_pairs<Couple>(batch);
    result = moments<Couple>(batch.region[0]);
    return batch.region[0].fits;
}

}  // namespace scree::small
