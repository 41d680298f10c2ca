#include "setup/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "model/symmetric3.hpp"
#include "setup/meshes/hull_faces.hpp"
#include "setup/meshes/mesh_depth.hpp"
#include "setup/meshes/mesh_piece.hpp"

namespace scree {

namespace {

/// Corners that are nearer to a plane are on it, over the mesh's extent: files in single precision know their corners to 1e-7 of it.
constexpr double kRounding = 5e-7;
/// Planes that are tried: across each of six directions, and of concave edges.
constexpr int kLevels = 9;
constexpr std::size_t kEdgePlanes = 24;
/// The best so many are turned and shifted while that helps.
constexpr std::size_t kRefined = 2;
constexpr int kRefinements = 4;
/// No piece has less than this share of the mesh's volume.
constexpr double kLeastPiece = 1e-4;
/// Of its gain that a cut into most unequal pieces counts less.
constexpr double kBalance = 0.02;
/// The same of a cut as large as the side of a cube of the piece's volume: of cuts that gain alike, as the first of a ring, the smallest.
constexpr double kArea = 0.02;
/// The same of one that leaves all concave edges: before a box without a lid loses its last wall no cut gains anything else.
constexpr double kParted = 0.1;
/// Share of the tolerance that is left for hulls of fewer faces.
constexpr double kForFaces = 0.25;
/// Where hulls lose more than that, pieces are cut finer, by this factor, so often at most.
constexpr double kTighter = 0.8;
constexpr int kAttempts = 6;
/// Parts that share less of the mesh's volume do not overlap.
constexpr double kTouching = 1e-6;

/// A piece, or several that are joined, and the hull.
struct Hulled {
    double volume{0};  // of the piece [m3]
    FaceList hull;
    double hull_volume{0};

    double excess() const { return std::max(0.0, hull_volume - volume); }
};

/// Volume of the hull of points; 0 where they are flat.
double volume_of_hull(const std::vector<Vec3>& points) {
    try {
        return volume_of(hull_of(points));
    } catch (const Error&) {
        return 0;
    }
}

struct Trial {
    CutPlane plane;
    double cost{std::numeric_limits<double>::infinity()};
};

class Cutter {
public:
    explicit Cutter(const ClosedMesh& mesh)
        : extent_(norm(bounds_of(mesh).max - bounds_of(mesh).min)),
          depth_(mesh, extent_ / 50),
          whole_(mesh, kRounding * extent_),
          total_(whole_.volume()) {
        inside_ = [this](Vec3 p) { return depth_.is_deep(p, 1e-7 * extent_); };
    }
    Cutter(const Cutter&) = delete;
    Cutter& operator=(const Cutter&) = delete;

    const MeshPiece& whole() const { return whole_; }
    double total() const { return total_; }

    /// The two sides of the best plane; none where no plane helps.
    std::optional<std::array<MeshPiece, 2>> cut(const MeshPiece& piece, double hull_volume) const {
        std::vector<Trial> trials;
        for (const CutPlane& plane : candidates(piece)) trials.push_back({plane, cost(piece, hull_volume, plane)});
        std::stable_sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.cost < b.cost; });
        if (trials.empty() || !std::isfinite(trials[0].cost)) return std::nullopt;
        if (trials.size() > kRefined) trials.resize(kRefined);
        Trial best = trials[0];
        if (best.cost > 1e-6 * total_)
            for (const Trial& t : trials) {
                const Trial better = refined(piece, hull_volume, t);
                if (better.cost < best.cost) best = better;
            }
        return piece.cut(best.plane, inside_);
    }

private:
    /// What the hulls of the sides have too much [m3], and somewhat more where the sides are unequal.
    double cost(const MeshPiece& piece, double hull_volume, const CutPlane& plane) const {
        const CutSides sides = piece.sides(plane, inside_);
        if (!(std::min(sides.volume[0], sides.volume[1]) > kLeastPiece * total_)) return std::numeric_limits<double>::infinity();
        const double excess = volume_of_hull(sides.corners[0]) + volume_of_hull(sides.corners[1]) - piece.volume();
        const double unequal = std::fabs(sides.volume[0] - sides.volume[1]) / piece.volume();
        const double area = sides.area / std::pow(piece.volume(), 2.0 / 3);
        return excess + (kBalance * unequal + kArea * area + kParted * (1 - sides.parted)) * (hull_volume - piece.volume());
    }

    Trial refined(const MeshPiece& piece, double hull_volume, Trial best) const {
        double turn = 0.12, shift = 0.03 * extent_;
        for (int round = 0; round < kRefinements; ++round, turn *= 0.5, shift *= 0.5) {
            const Vec3 n = best.plane.normal, at = best.plane.offset * n;
            const Vec3 other = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
            const Vec3 u = normalized(cross(n, other)), v = cross(n, u);
            const Vec3 middle = at + dot(piece_middle(piece) - at, u) * u + dot(piece_middle(piece) - at, v) * v;
            for (int k = 0; k < 6; ++k) {
                const double sign = k % 2 == 0 ? 1 : -1;
                CutPlane plane = best.plane;
                if (k < 2) {
                    plane.offset += sign * shift;
                } else {
                    plane.normal = normalized(n + sign * turn * (k < 4 ? u : v));
                    plane.offset = dot(plane.normal, middle);
                }
                const double here = cost(piece, hull_volume, plane);
                if (here < best.cost) best = {plane, here};
            }
        }
        return best;
    }

    static Vec3 piece_middle(const MeshPiece& piece) {
        const Moments m = piece.moments();
        return m.first / m.volume;
    }

    /// Planes across the axes and the principal axes, and through the concave edges that are longest and most bent.
    std::vector<CutPlane> candidates(const MeshPiece& piece) const {
        std::vector<CutPlane> planes = edge_planes(piece);
        const std::vector<Vec3> corners = piece.corners();
        const Axes3 axes = principal_axes(central_inertia(piece.moments()));
        std::vector<Vec3> directions{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (const Vec3& d : axes.axis.row) {
            const double most = std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
            if (most < 0.999) directions.push_back(d);
        }
        for (const Vec3& d : directions) {
            double low = std::numeric_limits<double>::infinity(), high = -low;
            for (const Vec3& p : corners) {
                low = std::min(low, dot(d, p));
                high = std::max(high, dot(d, p));
            }
            for (int k = 1; k <= kLevels; ++k) planes.push_back({d, low + (high - low) * k / (kLevels + 1)});
        }
        return planes;
    }

    std::vector<CutPlane> edge_planes(const MeshPiece& piece) const {
        struct Weighed {
            CutPlane plane;
            double weight;
        };
        std::vector<MeshPiece::ConcaveEdge> edges = piece.concave_edges();
        std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
        std::vector<Weighed> found;
        const auto add = [&](Vec3 normal, Vec3 through, double w) {
            const CutPlane plane{normal, dot(normal, through)};
            for (Weighed& other : found) {
                const double sign = dot(other.plane.normal, normal) >= 0 ? 1 : -1;
                if (norm(normal - sign * other.plane.normal) > 1e-3 ||
                    std::fabs(dot(other.plane.normal, through) - other.plane.offset) > 1e-3 * extent_)
                    continue;
                other.weight += w;
                return;
            }
            if (found.size() < 8 * kEdgePlanes) found.push_back({plane, w});
        };
        for (const auto& e : edges) {
            for (const Vec3& n : e.normal) add(n, e.from, e.weight);
            const Vec3 between = cross(e.to - e.from, e.normal[0] + e.normal[1]);
            if (norm(between) > 1e-9 * norm(e.to - e.from)) add(normalized(between), e.from, e.weight);
        }
        std::stable_sort(found.begin(), found.end(), [](const Weighed& a, const Weighed& b) { return a.weight > b.weight; });
        std::vector<CutPlane> planes;
        for (const Weighed& w : found) {
            if (planes.size() == kEdgePlanes) break;
            planes.push_back(w.plane);
        }
        return planes;
    }

    double extent_;
    MeshDepth depth_;
    MeshPiece whole_;
    double total_;
    MeshPiece::Inside inside_;
};

Hulled hulled(const MeshPiece& piece) {
    Hulled result{piece.volume(), hull_of(piece.corners()), 0};
    result.hull_volume = volume_of(result.hull);
    return result;
}

Hulled joined(const Hulled& a, const Hulled& b) {
    std::vector<Vec3> points = a.hull.vertex;
    points.insert(points.end(), b.hull.vertex.begin(), b.hull.vertex.end());
    Hulled both{a.volume + b.volume, hull_of(points), 0};
    both.hull_volume = volume_of(both.hull);
    return both;
}

double excess_of(const std::vector<Hulled>& parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const Hulled& p) { return sum + p.excess(); });
}

Aabb box_of(const FaceList& hull) {
    Aabb box;
    for (const Vec3& p : hull.vertex) box.include(p);
    return box;
}

/// Joins pairs, the one first that adds least: while the excess stays within `allowed`, and as long as there are more than `most`. Leaves
/// out those whose hull would overlap a third.
void join(std::vector<Hulled>& parts, std::int64_t most, double allowed, double touching) {
    struct Pair {
        std::size_t a, b;
        double adds;
        Hulled both;
    };
    std::vector<std::optional<Hulled>> now(parts.begin(), parts.end());
    std::vector<Pair> pairs;
    const auto consider = [&](std::size_t a, std::size_t b) {
        const double margin = 1e-6 * norm(box_of(now[a]->hull).max - box_of(now[a]->hull).min);
        if (!overlaps(grown(box_of(now[a]->hull), margin), box_of(now[b]->hull))) return;
        Hulled both = joined(*now[a], *now[b]);
        const double adds = both.excess() - now[a]->excess() - now[b]->excess();
        pairs.push_back({a, b, adds, std::move(both)});
    };
    for (std::size_t b = 0; b < now.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) consider(a, b);
    double excess = excess_of(parts);
    std::int64_t count = static_cast<std::int64_t>(parts.size());
    while (!pairs.empty()) {
        const auto least = std::min_element(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.adds < y.adds; });
        Pair pair = std::move(*least);
        pairs.erase(least);
        if (count <= most && excess + pair.adds > allowed) break;
        bool free = true;
        for (std::size_t k = 0; k < now.size() && free; ++k)
            free = !now[k] || k == pair.a || k == pair.b || !(common_volume(now[k]->hull, pair.both.hull) > touching);
        if (!free) continue;
        std::erase_if(pairs, [&](const Pair& p) { return p.a == pair.a || p.a == pair.b || p.b == pair.a || p.b == pair.b; });
        excess += pair.adds;
        --count;
        now[pair.a].reset();
        now[pair.b].reset();
        now.push_back(std::move(pair.both));
        for (std::size_t k = 0; k + 1 < now.size(); ++k)
            if (now[k]) consider(k, now.size() - 1);
    }
    parts.clear();
    for (auto& part : now)
        if (part) parts.push_back(std::move(*part));
}

/// The pieces of a solid, cut finer and finer.
class Pieces {
public:
    Pieces(const ClosedMesh& mesh, std::int64_t most)
        : cutter_(mesh), most_(most), pieces_{{cutter_.whole(), hulled(cutter_.whole())}}, plain_(hulls()) {
        steps_.push_back({1, excess_of(plain_) / cutter_.total()});
    }

    /// Cuts until the hulls have no more than `allowed` too much, or there are twice as many pieces as parts that are wanted.
    void cut(double allowed) {
        const auto limit = static_cast<std::size_t>(2 * most_);
        while (pieces_.size() < limit && excess_of(hulls()) > allowed) {
            Piece* worst = nullptr;
            for (Piece& p : pieces_)
                if (!p.is_last && (worst == nullptr || p.hull.excess() > worst->hull.excess())) worst = &p;
            if (worst == nullptr) return;
            const auto sides = cutter_.cut(worst->piece, worst->hull.hull_volume);
            worst->is_last = !sides;
            if (!sides) continue;
            *worst = {(*sides)[0], hulled((*sides)[0])};
            pieces_.push_back({(*sides)[1], hulled((*sides)[1])});
            const auto count = static_cast<std::int64_t>(pieces_.size());
            if (count > most_) continue;
            plain_ = hulls();
            steps_.push_back({count, excess_of(plain_) / cutter_.total()});
        }
    }

    /// Joined to as many parts as are wanted, with fewer faces.
    Decomposition parts(double allowed, double tolerance) const {
        const double total = cutter_.total(), touching = kTouching * total;
        std::vector<Hulled> parts = hulls(), plain = plain_;
        join(parts, most_, allowed, touching);
        join(plain, most_, allowed, touching);
        if (static_cast<std::int64_t>(parts.size()) > most_ || excess_of(plain) < excess_of(parts)) parts = plain;
        std::stable_sort(parts.begin(), parts.end(), [](const Hulled& a, const Hulled& b) { return a.hull_volume > b.hull_volume; });
        Decomposition result;
        result.steps = steps_;
        result.excess = excess_of(parts) / total;
        for (Hulled& part : parts) {
            FaceList fewer = with_fewer_faces(part.hull, kForFaces * tolerance * part.hull_volume);
            result.missing += std::max(0.0, part.hull_volume - volume_of(fewer)) / total;
            result.parts.push_back(std::move(fewer));
        }
        return result;
    }

    double total() const { return cutter_.total(); }

private:
    struct Piece {
        MeshPiece piece;
        Hulled hull;
        bool is_last{false};  // no plane cuts it
    };

    std::vector<Hulled> hulls() const {
        std::vector<Hulled> list;
        list.reserve(pieces_.size());
        for (const Piece& p : pieces_) list.push_back(p.hull);
        return list;
    }

    Cutter cutter_;
    std::int64_t most_;
    std::vector<Piece> pieces_;
    std::vector<Hulled> plain_;  // when they were as many as are wanted, or fewer
    std::vector<Decomposition::Step> steps_;
};

}  // namespace

Decomposition decompose(const ClosedMesh& mesh, std::int64_t most, double tolerance) {
    Pieces pieces(mesh, most);
    double allowed = (1 - kForFaces) * tolerance;
    for (int attempt = 1;; ++attempt) {
        pieces.cut(allowed * pieces.total());
        Decomposition found = pieces.parts(allowed * pieces.total(), tolerance);
        const double left = tolerance - found.missing;
        const bool is_full = static_cast<std::int64_t>(found.parts.size()) >= most;
        if (found.error() <= tolerance || is_full || !(left > 0) || attempt == kAttempts) return found;
        allowed = std::min(kTighter * allowed, left);  // fewer faces lost more than was left for them
    }
}

}  // namespace scree
