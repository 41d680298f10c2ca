// Projection by sweeps of Gauss and Seidel: every pair closer than its wanted distance parts by what is missing, shared by volume, then
// every sphere moves back into the region. Below the density of random close packing the overlaps die out.
#include "setup/placement/placement_relax.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "setup/placement/sphere_grid.hpp"

namespace scree {

namespace {

constexpr int kMostSweeps = 20000;
/// Sweeps without the worst overlap falling by a tenth, after which the packing counts as jammed.
constexpr int kPatience = 1000;
/// A body's share of a search for pairs costs as much as looks at this many pairs, about.
constexpr std::size_t kLooksOfSearch = 50;
/// Random close packing of equal spheres; wanted gaps shrink to nothing towards it.
constexpr double kJammed = 0.635;

/// Two spheres that may come into contact before the spheres have moved by half the skin; second >= n: an obstacle.
struct Neighbours {
    std::int32_t first;
    std::int32_t second;
    std::int32_t way;  // to the image of the second that is meant; 0: itself
};

class Relaxation {
public:
    Relaxation(const PlaceRegion& region, const std::vector<double>& radius, std::vector<Vec3>& position, const Obstacles& obstacles,
               double fraction, std::int64_t& looks)
        : region_(region), obstacles_(obstacles), radius_(radius), position_(position), n_(position.size()), looks_(looks) {
        // A gap worth having, yet one that the density leaves room for.
        const double room = std::cbrt(kJammed / std::max(fraction, 0.1)) - 1.0;
        stretch_ = 1.0 + std::clamp(0.2 * room, 1e-5, 0.01);
        skin_ = 0.3 * std::accumulate(radius.begin(), radius.end(), 0.0) / static_cast<double>(n_);
        smallest_ = *std::min_element(radius.begin(), radius.end());
        largest_ = *std::max_element(radius.begin(), radius.end());
        for (const double r : obstacles.radius) {
            smallest_ = std::min(smallest_, r);
            largest_ = std::max(largest_, r);
        }
    }

    double run() {
        double best = 0.0;
        int since = 0;
        rebuild();
        for (int sweep = 0; sweep < kMostSweeps && looks_ > 0; ++sweep) {
            looks_ -= static_cast<std::int64_t>(pairs_.size());
            const double scale = push_apart();
            if (scale >= 1.0) return 1.0;
            if (1.0 - scale < 0.9 * (1.0 - best)) {
                best = scale;
                since = 0;
            } else if (++since > kPatience) {
                break;
            }
            if (moved_far()) rebuild();
        }
        return smallest_scale();
    }

private:
    Vec3 centre(std::size_t j) const { return j < n_ ? position_[j] : obstacles_.position[j - n_]; }
    double size(std::size_t j) const { return j < n_ ? radius_[j] : obstacles_.radius[j - n_]; }

    /// A sphere seen across a border.
    struct Image {
        std::int32_t of, way;
    };

    std::int32_t way_index(Vec3 way) {
        auto known = std::find(ways_.begin(), ways_.end(), way);
        if (known == ways_.end()) known = ways_.insert(ways_.end(), way);
        return static_cast<std::int32_t>(known - ways_.begin());
    }

    /// Puts all spheres, and the images that others may meet, into the grid: images have the numbers from `all` on.
    std::vector<Image> fill(SphereGrid& grid, std::size_t all) {
        for (std::size_t i = 0; i < n_; ++i) position_[i] = region_.home(position_[i]);
        for (std::size_t i = 0; i < all; ++i) grid.insert(static_cast<std::int32_t>(i), centre(i), size(i));
        std::vector<Image> images;
        ways_.assign(1, Vec3{});
        for (std::size_t i = 0; i < n_; ++i) {
            for (const Vec3& way : region_.images(position_[i], stretch_ * (size(i) + largest_) + skin_)) {
                grid.insert(static_cast<std::int32_t>(all + images.size()), position_[i] + way, size(i));
                images.push_back({static_cast<std::int32_t>(i), way_index(way)});
            }
        }
        return images;
    }

    void rebuild() {
        const std::size_t all = n_ + obstacles_.position.size();
        looks_ -= static_cast<std::int64_t>(kLooksOfSearch * all);
        SphereGrid grid(smallest_, all);
        const std::vector<Image> images = fill(grid, all);
        pairs_.clear();
        // A pair is found from its smaller sphere, so that none searches the fine levels over a wide range.
        for (std::size_t i = 0; i < all; ++i) {
            const auto add = [&](std::int32_t index) {
                const std::size_t found = static_cast<std::size_t>(index);
                const Image image = found < all ? Image{index, 0} : images[found - all];
                const std::size_t j = static_cast<std::size_t>(image.of);
                const Vec3 there = centre(j) + ways_[static_cast<std::size_t>(image.way)];
                const bool later = size(j) > size(i) || (size(j) == size(i) && j > i);
                const double reach = stretch_ * (size(i) + size(j)) + skin_;
                if (later && (i < n_ || j < n_) && norm2(there - centre(i)) < reach * reach) {
                    if (image.way > 0 && i < n_) {
                        pairs_.push_back({static_cast<std::int32_t>(i), image.of, image.way});
                    } else if (image.way > 0) {  // an obstacle, as the other sees it
                        pairs_.push_back({image.of, static_cast<std::int32_t>(i), way_index(-ways_[static_cast<std::size_t>(image.way)])});
                    } else {
                        pairs_.push_back({static_cast<std::int32_t>(std::min(i, j)), static_cast<std::int32_t>(std::max(i, j)), 0});
                    }
                }
                return true;
            };
            grid.near(centre(i), stretch_ * size(i) + (stretch_ - 1.0) * largest_ + skin_, add, size(i));
        }
        reference_ = position_;
    }

    bool moved_far() const {
        for (std::size_t i = 0; i < n_; ++i)
            if (norm2(position_[i] - reference_[i]) > 0.2 * skin_ * skin_) return true;  // a little less than (skin / 2)^2
        return false;
    }

    /// One sweep; returns the smallest distance over sum of radii that it met before moving (1 or more: nothing overlapped).
    double push_apart() {
        double smallest = 1.0;
        for (const Neighbours& pair : pairs_) {
            const std::size_t i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
            const double touch = radius_[i] + size(j), wanted = stretch_ * touch;
            const Vec3 d = centre(j) + ways_[static_cast<std::size_t>(pair.way)] - position_[i];
            const double distance2 = norm2(d);
            if (distance2 >= wanted * wanted) continue;
            const double distance = std::sqrt(distance2);
            smallest = std::min(smallest, distance / touch);
            // Spheres in one point part along any direction.
            const Vec3 n = distance > 1e-9 * touch ? d / distance : region_.aside();
            const Vec3 missing = (wanted - distance) * n;
            if (j < n_) {
                // The lighter one yields, or a large sphere among many small ones would be tossed about.
                const double a = radius_[i] * radius_[i] * radius_[i], b = radius_[j] * radius_[j] * radius_[j];
                position_[i] = region_.nearest_centre(position_[i] - b / (a + b) * missing, radius_[i]);
                position_[j] = region_.nearest_centre(position_[j] + a / (a + b) * missing, radius_[j]);
            } else {
                position_[i] = region_.nearest_centre(position_[i] - missing, radius_[i]);
            }
        }
        return smallest >= 1.0 ? smallest_scale() : smallest;
    }

    /// Smallest distance over sum of radii of the listed pairs as they lie, at most 1.
    double smallest_scale() const {
        double smallest = 1.0;
        for (const Neighbours& pair : pairs_) {
            const std::size_t i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
            const Vec3 there = centre(j) + ways_[static_cast<std::size_t>(pair.way)];
            smallest = std::min(smallest, norm(there - position_[i]) / (radius_[i] + size(j)));
        }
        return smallest;
    }

    const PlaceRegion& region_;
    const Obstacles& obstacles_;
    const std::vector<double>& radius_;
    std::vector<Vec3>& position_;
    std::size_t n_;
    std::int64_t& looks_;             // at pairs that are left to spend
    double stretch_;                  // wanted distance over sum of radii
    double skin_;                     // [m]
    double smallest_;                 // radius, obstacles included [m]
    double largest_;                  // radius, obstacles included [m]
    std::vector<Vec3> ways_{Vec3{}};  // to images [m]
    std::vector<Neighbours> pairs_;
    std::vector<Vec3> reference_;  // positions at the last rebuild
};

}  // namespace

double relax_overlaps(const PlaceRegion& region, const std::vector<double>& radius, std::vector<Vec3>& position, const Obstacles& obstacles,
                      double fraction, std::int64_t& looks) {
    if (position.empty()) return 1.0;
    // Sweep in an order that follows space, so that neighbours lie close in memory.
    const std::size_t n = position.size();
    const double cell = 4.0 * std::accumulate(radius.begin(), radius.end(), 0.0) / static_cast<double>(n);
    const Vec3 low = region.bounds().min;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const Vec3 p = position[i] - low;
        return std::array<double, 4>{std::floor(p.z / cell), std::floor(p.y / cell), p.x, static_cast<double>(i)};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    std::vector<Vec3> sorted_position(n);
    std::vector<double> sorted_radius(n);
    for (std::size_t i = 0; i < n; ++i) {
        sorted_position[i] = position[order[i]];
        sorted_radius[i] = radius[order[i]];
    }
    const double scale = Relaxation(region, sorted_radius, sorted_position, obstacles, fraction, looks).run();
    for (std::size_t i = 0; i < n; ++i) position[order[i]] = sorted_position[i];
    return scale;
}

}  // namespace scree
