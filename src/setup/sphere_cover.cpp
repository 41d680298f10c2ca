#include "setup/sphere_cover.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/rng.hpp"
#include "setup/meshes/mesh_depth.hpp"

namespace scree {

namespace {

/// Points of the lattice on which volumes are counted, and how much wider that of the first places of spheres is.
constexpr double kPoints = 6e5;
constexpr std::int64_t kCoarser = 2;
/// Points along an axis at most: a mesh that is thinner than they are apart has hardly any inside.
constexpr double kMostAcross = 1500;
/// A place whose depth grows by this share of the way to a neighbour, or more, is not on the medial axis: the neighbour's ball holds its.
constexpr double kUphill = 0.85;
/// First step of a sphere's search over its radius, and how often steps are halved.
constexpr double kStep = 0.2;
constexpr int kHalvings = 4;
/// Sweeps over all spheres at most, each time that the number has grown by this factor.
constexpr int kSweeps = 4;
constexpr double kGrowth = 1.3;
constexpr double kSlack = 1e-9;

/// Volumes as numbers of points, one in each cell of a cubic lattice: which are inside the mesh, and how many spheres hold each. Each row
/// along x is at a random place of its cells, so that flat faces along the lattice do not count for more or less than they have.
class Lattice {
public:
    Lattice(const MeshDepth& depth, double margin) {
        low_ = depth.bounds().min - Vec3{margin, margin, margin};
        const Vec3 size = depth.bounds().max + Vec3{margin, margin, margin} - low_;
        const double lengths[3] = {size.x, size.y, size.z};
        step_ = std::max(std::cbrt(size.x * size.y * size.z / kPoints), std::max({size.x, size.y, size.z}) / kMostAcross);
        for (std::size_t k = 0; k < 3; ++k) count_[k] = static_cast<std::int64_t>(std::ceil(lengths[k] / step_));
        const auto all = static_cast<std::size_t>(count_[0] * count_[1] * count_[2]);
        worth_.assign(all, -1);
        holders_.assign(all, 0);
        Rng rng(0, 0);
        for (std::int64_t row = 0; row < count_[1] * count_[2]; ++row) {
            const double x = rng.uniform(0.0, 1.0), y = rng.uniform(0.0, 1.0);
            shift_.push_back({x, y, rng.uniform(0.0, 1.0)});
        }
        for (std::int64_t z = 0; z < count_[2]; ++z)
            for (std::int64_t y = 0; y < count_[1]; ++y)
                for (std::int64_t x = 0; x < count_[0]; ++x) {
                    const Vec3 cell{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                    if (!depth.is_deep(low_ + step_ * (cell + shift_[row_of(y, z)]), 0.0)) continue;
                    worth_[index(x, y, z)] = 1;
                    ++inside_;
                }
        free_ = worth_;
    }

    double step() const { return step_; }
    std::int64_t count(std::size_t axis) const { return count_[axis]; }
    std::int64_t inside() const { return inside_; }
    /// The middle of a cell.
    Vec3 middle(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return low_ + step_ * Vec3{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5, static_cast<double>(z) + 0.5};
    }

    /// Points inside the mesh less points outside that a further ball would be the only one to hold.
    std::int64_t gain(const Ball& ball) const {
        std::int64_t sum = 0;
        each_row(ball, [&](std::size_t first, std::size_t last) {
            std::int32_t row = 0;
            for (std::size_t k = first; k < last; ++k) row += free_[k];
            sum += row;
        });
        return sum;
    }
    void add(const Ball& ball) {
        each_row(ball, [&](std::size_t first, std::size_t last) {
            for (std::size_t k = first; k < last; ++k) {
                ++holders_[k];
                free_[k] = 0;
            }
        });
    }
    void remove(const Ball& ball) {
        each_row(ball, [&](std::size_t first, std::size_t last) {
            for (std::size_t k = first; k < last; ++k)
                if (--holders_[k] == 0) free_[k] = worth_[k];
        });
    }
    /// Points inside that no sphere holds, and points outside that one does.
    std::array<std::int64_t, 2> wrong() const {
        std::array<std::int64_t, 2> sum{0, 0};
        for (std::size_t k = 0; k < worth_.size(); ++k) {
            if (worth_[k] > 0 && holders_[k] == 0) ++sum[0];
            if (worth_[k] < 0 && holders_[k] > 0) ++sum[1];
        }
        return sum;
    }

private:
    std::size_t row_of(std::int64_t y, std::int64_t z) const { return static_cast<std::size_t>(z * count_[1] + y); }
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return row_of(y, z) * static_cast<std::size_t>(count_[0]) + static_cast<std::size_t>(x);
    }
    /// A number of a cell, or past the last one.
    std::int64_t clamped(double number, std::size_t axis) const {
        return static_cast<std::int64_t>(std::clamp(number, 0.0, static_cast<double>(count_[axis])));
    }
    template <class F>
    void each_row(const Ball& ball, F&& act) const {
        const Vec3 c = (Vec3{ball[0], ball[1], ball[2]} - low_) / step_;
        const double r = ball[3] / step_;
        for (std::int64_t z = clamped(std::floor(c.z - r), 2), z1 = clamped(std::floor(c.z + r) + 1, 2); z < z1; ++z)
            for (std::int64_t y = clamped(std::floor(c.y - r), 1), y1 = clamped(std::floor(c.y + r) + 1, 1); y < y1; ++y) {
                const Vec3& shift = shift_[row_of(y, z)];
                const double dy = static_cast<double>(y) + shift.y - c.y, dz = static_cast<double>(z) + shift.z - c.z;
                const double half2 = r * r - dy * dy - dz * dz;
                if (half2 < 0) continue;
                const double half = std::sqrt(half2), from = c.x - shift.x;
                const std::int64_t x0 = clamped(std::ceil(from - half), 0), x1 = clamped(std::floor(from + half) + 1, 0);
                if (x0 < x1) act(index(x0, y, z), index(x1, y, z));
            }
    }

    Vec3 low_;
    double step_{0};
    std::array<std::int64_t, 3> count_{};
    std::int64_t inside_{0};
    std::vector<Vec3> shift_;             // of each row in its cells, over their edge
    std::vector<std::int8_t> worth_;      // 1 inside the mesh, -1 outside
    std::vector<std::int8_t> free_;       // the same where no sphere is, else 0
    std::vector<std::uint16_t> holders_;  // spheres
};

class Cover {
public:
    Cover(const ClosedMesh& mesh, double surface)
        : surface_(surface),
          extent_(norm(bounds_of(mesh).max - bounds_of(mesh).min)),
          depth_(mesh, extent_ / 100),
          lattice_(depth_, margin(depth_, surface)) {
        find_places();
    }
    Cover(const Cover&) = delete;
    Cover& operator=(const Cover&) = delete;

    SphereCover run(std::int64_t most, double tolerance) {
        SphereCover found;
        double next = 1;
        for (;;) {
            if (!add_best()) break;
            const auto count = static_cast<std::int64_t>(spheres_.size());
            refine_about(spheres_.size() - 1);
            const bool last = count == most || error() <= tolerance;
            if (last || static_cast<double>(count) >= next) {
                next = std::max(next + 1, next * kGrowth);
                for (int sweep = 0; sweep < kSweeps && refine_all(); ++sweep) {
                }
                found.steps.push_back({count, error()});
            }
            if (last) break;
        }
        if (spheres_.empty()) {  // it is thinner than the lattice sees
            const Vec3 p = depth_.deepest();
            spheres_.push_back({p.x, p.y, p.z, most_radius(depth_.most())});
            lattice_.add(spheres_.back());
        }
        const auto [missing, excess] = lattice_.wrong();
        const double all = static_cast<double>(std::max<std::int64_t>(1, lattice_.inside()));
        found.missing = lattice_.inside() > 0 ? static_cast<double>(missing) / all : 1;
        found.excess = static_cast<double>(excess) / all;
        if (found.steps.empty() || found.steps.back().spheres != static_cast<std::int64_t>(spheres_.size()))
            found.steps.push_back({static_cast<std::int64_t>(spheres_.size()), found.error()});
        found.spheres = spheres_;
        return found;
    }

private:
    struct Place {
        Vec3 at;
        double depth;
        std::int64_t gain;
        double radius;  // with which it gains that
        bool operator<(const Place& other) const { return gain < other.gain; }
    };

    /// By how much spheres can stick out [m].
    static double margin(const MeshDepth& depth, double surface) {
        return std::min(surface / std::max(1 - surface, 0.1), 1.0) * depth.most();
    }

    double most_radius(double depth) const { return std::min(depth / std::max(1 - surface_, 1e-6), extent_); }

    double error() const { return static_cast<double>(wrong_) / static_cast<double>(lattice_.inside()); }

    /// Places on the medial axis, on a lattice, and the deepest.
    void find_places() {
        std::int64_t n[3];
        for (std::size_t k = 0; k < 3; ++k) n[k] = (lattice_.count(k) + kCoarser - 1) / kCoarser;
        std::vector<float> depth(static_cast<std::size_t>(n[0] * n[1] * n[2]), 0.0F);
        const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) { return static_cast<std::size_t>((z * n[1] + y) * n[0] + x); };
        const auto each = [&](auto&& act) {
            for (std::int64_t z = 0; z < n[2]; ++z)
                for (std::int64_t y = 0; y < n[1]; ++y)
                    for (std::int64_t x = 0; x < n[0]; ++x) act(x, y, z);
        };
        each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const Vec3 p = lattice_.middle(kCoarser * x, kCoarser * y, kCoarser * z);
            if (depth_.is_deep(p, 0.0)) depth[at(x, y, z)] = static_cast<float>(depth_.depth(p));
        });
        const double step = static_cast<double>(kCoarser) * lattice_.step();
        each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const double here = static_cast<double>(depth[at(x, y, z)]);
            if (!(here > 0)) return;
            for (std::int64_t k = 0; k < 27; ++k) {
                const std::int64_t dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1, i = x + dx, j = y + dy, l = z + dz;
                if (k == 13 || i < 0 || j < 0 || l < 0 || i >= n[0] || j >= n[1] || l >= n[2]) continue;
                const double way = step * std::sqrt(static_cast<double>(dx * dx + dy * dy + dz * dz));
                if (static_cast<double>(depth[at(i, j, l)]) - here >= kUphill * way) return;
            }
            add_place(lattice_.middle(kCoarser * x, kCoarser * y, kCoarser * z), here);
        });
        add_place(depth_.deepest(), depth_.most());
        std::make_heap(places_.begin(), places_.end());
    }

    void add_place(Vec3 at, double depth) {
        if (!(depth > 0)) return;
        Place place{at, depth, 0, 0};
        look(place);
        places_.push_back(place);
    }

    /// The best of some radii for a place.
    void look(Place& place) const {
        place.gain = 0;
        for (int k = 0; k < 3; ++k) {
            const double radius = place.depth + 0.5 * k * (most_radius(place.depth) - place.depth);
            const std::int64_t gain = lattice_.gain({place.at.x, place.at.y, place.at.z, radius});
            if (k == 0 || gain > place.gain) {
                place.gain = gain;
                place.radius = radius;
            }
        }
    }

    /// A sphere at the place that gains most; false where none gains. A gain seldom grows as spheres come, so that the first place whose
    /// gain is still what it was is taken.
    bool add_best() {
        while (!places_.empty()) {
            std::pop_heap(places_.begin(), places_.end());
            Place place = places_.back();
            const std::int64_t before = place.gain;
            look(place);
            if (place.gain <= 0) {
                places_.pop_back();
                continue;
            }
            if (place.gain < before && places_.size() > 1 && place.gain < places_.front().gain) {
                places_.back() = place;
                std::push_heap(places_.begin(), places_.end());
                continue;
            }
            places_.pop_back();
            const Ball ball{place.at.x, place.at.y, place.at.z, place.radius};
            if (spheres_.empty()) wrong_ = lattice_.inside();
            lattice_.add(ball);
            wrong_ -= place.gain;
            spheres_.push_back(ball);
            return true;
        }
        return false;
    }

    /// Moves and resizes a sphere while that gains; whether it did.
    bool refine(std::size_t k) {
        Ball& ball = spheres_[k];
        lattice_.remove(ball);
        const std::int64_t before = lattice_.gain(ball);
        std::int64_t best = before;
        double step = kStep;
        for (int halving = 0; halving < kHalvings;) {
            const Ball here = ball;
            const double length = step * here[3];
            bool gained = false;
            for (int way = 0; way < 8; ++way) {
                Ball trial = here;
                trial[static_cast<std::size_t>(way / 2)] += way % 2 == 0 ? length : -length;
                gained = try_ball(trial, ball, best) || gained;
                // Moved, and as large as it may be there.
                if (way < 6) {
                    trial[3] = kFull;
                    gained = try_ball(trial, ball, best) || gained;
                }
            }
            if (gained) continue;
            step *= 0.5;
            ++halving;
        }
        lattice_.add(ball);
        wrong_ -= best - before;
        return best > before;
    }

    /// Takes `trial` for `ball` where it gains more.
    bool try_ball(Ball trial, Ball& ball, std::int64_t& best) const {
        if (!depth_.bounds().contains({trial[0], trial[1], trial[2]})) return false;
        const double most = most_radius(depth_.depth({trial[0], trial[1], trial[2]}));
        trial[3] = std::min(trial[3], (1 - kSlack) * most);
        if (!(trial[3] > lattice_.step())) return false;
        const std::int64_t gain = lattice_.gain(trial);
        if (gain <= best) return false;
        best = gain;
        ball = trial;
        return true;
    }

    void refine_about(std::size_t k) {
        (void)refine(k);
        const Ball ball = spheres_[k];
        for (std::size_t j = 0; j < spheres_.size(); ++j) {
            const Ball& other = spheres_[j];
            const Vec3 way{other[0] - ball[0], other[1] - ball[1], other[2] - ball[2]};
            if (j != k && norm(way) < other[3] + ball[3]) (void)refine(j);
        }
    }
    bool refine_all() {
        bool gained = false;
        for (std::size_t k = 0; k < spheres_.size(); ++k) gained = refine(k) || gained;
        return gained;
    }

    static constexpr double kFull = 1e300;

    double surface_, extent_;
    MeshDepth depth_;
    Lattice lattice_;
    std::vector<Place> places_;  // a heap
    std::vector<Ball> spheres_;
    std::int64_t wrong_{0};  // points of the lattice that are missing or too much
};

}  // namespace

SphereCover cover_by_spheres(const ClosedMesh& mesh, std::int64_t most, double tolerance, double surface) {
    return Cover(mesh, surface).run(most, tolerance);
}

}  // namespace scree
