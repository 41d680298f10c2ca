// Two-level split (source: document on multi-GPU collision detection, section 4.2): boxes that fit the memory, worked through one after
// another by each collider. Boxes come from cutting the one that does not fit at the median of its bodies along its longest side, so that
// bodies may lie as unevenly as they like. A body goes to every box that it reaches into; a pair belongs to the box with its midpoint.
#include "engine/collide_boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "engine/collide/midpoint.hpp"

namespace scree {
namespace {

// What a search takes per body [bytes]: copy of the sphere and its id, rows and sorted arrays, cells (four at most, twice), and the flag
// of bodies at the border. The bins take 12 entries of 16 bytes, and what finding the used ones takes.
constexpr double bytes_per_body = 37 + 24 + 20 + 16;
constexpr double bytes_per_body_in_bins = bytes_per_body + 32 + 12 * (16 + 12 + 8);
constexpr double bytes_per_pair = 8;
constexpr double first_guess = 4;            // pairs per body, before any box was searched
constexpr double growth = 3;                 // while a buffer doubles, the old one is still there
constexpr double share_of_free = 0.9;        // of a device's free memory
constexpr std::size_t boxes_per_worker = 4;  // at least, where there are several

double fixed_bytes(CollideMethod method, double bodies) {
    return bodies * (method == CollideMethod::Bins ? bytes_per_body_in_bins : bytes_per_body);
}

/// Pairs that fit in these bytes, as Collider::find takes it: 0 for any number; -1: none.
std::int64_t pairs_within(double bytes) {
    if (std::isinf(bytes)) return 0;
    const auto pairs = static_cast<std::int64_t>(std::max(bytes, 0.0) / (bytes_per_pair * growth));
    return pairs > 0 ? pairs : -1;
}

struct Box {
    std::array<double, 3> low, high;    // a midpoint m belongs to it where low <= m < high
    std::vector<std::uint32_t> bodies;  // ascending
};

double coordinate(const SphereView& s, int axis, std::uint32_t i) {
    return axis == 0 ? s.x[i] : axis == 1 ? s.y[i] : s.z[i];
}

/// Some of the bodies' coordinates, enough for a median that is near enough.
std::vector<double> sample(const SphereView& s, const std::vector<std::uint32_t>& bodies, int axis) {
    constexpr std::size_t most = 20000;
    const std::size_t stride = bodies.size() / most + 1;
    std::vector<double> values;
    for (std::size_t k = 0; k < bodies.size(); k += stride) values.push_back(coordinate(s, axis, bodies[k]));
    return values;
}

/// The work of all boxes together.
class BoxWork {
public:
    BoxWork(const SphereView& spheres, const CollideSettings& settings, std::size_t workers, const TakePairs& take)
        : spheres_(spheres), settings_(settings), take_(take) {
        // Enough boxes that no worker waits long for the last one.
        if (workers > 1) most_bodies_ = static_cast<double>(spheres.n) / static_cast<double>(boxes_per_worker * workers);
        if (settings.memory > 0) {
            budget_ = static_cast<double>(settings.memory) / static_cast<double>(workers);
            // Two lists of all bodies at the worst: of boxes that wait, and of the one that is cut.
            budget_ -= 8.0 * static_cast<double>(spheres.n) / static_cast<double>(workers);
        }
        report_.bodies = spheres.n;
        report_.boxes = 0;
        Box all;
        all.low.fill(-std::numeric_limits<double>::infinity());
        all.high.fill(std::numeric_limits<double>::infinity());
        all.bodies.resize(static_cast<std::size_t>(spheres.n));
        for (std::size_t i = 0; i < all.bodies.size(); ++i) all.bodies[i] = static_cast<std::uint32_t>(i);
        waiting_.push_back(std::move(all));
        // A collider that takes the whole space at once needs no boxes, but a tenth of that is never worth it.
        if (budget_ < 1e6) {
            throw Error("--memory leaves " + std::to_string(std::max(0.0, budget_ * 1e-6)) +
                        " MB for the search beside the bodies themselves; give more, or leave it out");
        }
    }

    /// Works boxes off until none waits. Thrown errors end all workers.
    void run(Collider& collider) {
        double budget = budget_;
        try {
            if (const std::size_t free = collider.free_bytes(); free > 0)
                budget = std::min(budget, share_of_free * static_cast<double>(free));
        } catch (...) {
            fail(std::current_exception());
        }
        for (;;) {
            Box box;
            {
                // A box that another worker cuts may still leave some for this one.
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return failed_ != nullptr || !waiting_.empty() || busy_ == 0; });
                if (failed_ != nullptr || waiting_.empty()) return;
                box = std::move(waiting_.back());
                waiting_.pop_back();
                ++busy_;
            }
            std::exception_ptr failure;
            try {
                work_off(box, collider, budget);
            } catch (...) {
                failure = std::current_exception();
            }
            {
                const std::lock_guard lock(mutex_);
                --busy_;
            }
            fail(failure);
        }
    }

    CollideReport finish() {
        if (failed_ != nullptr) std::rethrow_exception(failed_);
        return std::move(report_);
    }

private:
    double pair_bytes(double pairs) const { return pairs * bytes_per_pair * growth; }

    /// Wakes all; with an error, to end.
    void fail(const std::exception_ptr& failure) {
        const std::lock_guard lock(mutex_);
        if (failure != nullptr && failed_ == nullptr) failed_ = failure;
        changed_.notify_all();
    }

    void work_off(Box& box, Collider& collider, double budget) {
        const auto bodies = static_cast<double>(box.bodies.size());
        if (bodies > most_bodies_ && cut(box)) return;
        const double fixed = fixed_bytes(settings_.method, bodies);
        if (fixed + pair_bytes(bodies * guess()) > budget && cut(box)) return;
        const std::int64_t most = pairs_within(budget - fixed);
        try {
            if (most >= 0) {
                search(box, collider, most);
                return;
            }
        } catch (const PairsDoNotFit&) {
        }
        collider.drop_memory();
        if (cut(box)) return;
        throw Error("--memory is too small: " + std::to_string(box.bodies.size()) +
                    " bodies that lie in one place do not fit, and cutting space apart does not part them; give more");
    }

    double guess() {
        const std::lock_guard lock(mutex_);
        return pairs_per_body_;
    }

    /// Two boxes for one; false where that does not part its bodies.
    bool cut(Box& box) {
        int axis = -1;
        double longest = 0, at = 0;
        for (int k = 0; k < 3; ++k) {
            std::vector<double> values = sample(spheres_, box.bodies, k);
            if (values.size() < 2) return false;
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            const double length = *high - *low;
            if (length <= longest) continue;
            const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
            std::nth_element(values.begin(), middle, values.end());
            axis = k;
            longest = length;
            at = *middle;
        }
        if (axis < 0) return false;
        Box left{box.low, box.high, {}}, right{box.low, box.high, {}};
        left.high[static_cast<std::size_t>(axis)] = right.low[static_cast<std::size_t>(axis)] = at;
        for (const std::uint32_t i : box.bodies) {
            const double c = coordinate(spheres_, axis, i), reach = reach_of(c, spheres_.r[i]);
            if (c - reach < at) left.bodies.push_back(i);
            if (c + reach >= at) right.bodies.push_back(i);
        }
        // Bodies larger than the boxes go to both: where that holds for nearly all, cutting gets nowhere.
        const std::size_t larger = std::max(left.bodies.size(), right.bodies.size());
        if (static_cast<double>(larger) > 0.95 * static_cast<double>(box.bodies.size())) return false;
        left.bodies.shrink_to_fit();
        right.bodies.shrink_to_fit();
        box.bodies = {};
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(right));
        waiting_.push_back(std::move(left));
        return true;
    }

    void search(const Box& box, Collider& collider, std::int64_t most) {
        const std::size_t n = box.bodies.size();
        std::vector<double> x(n), y(n), z(n), r(n);
        std::vector<std::uint8_t> at_border(n);
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t i = box.bodies[k];
            x[k] = spheres_.x[i];
            y[k] = spheres_.y[i];
            z[k] = spheres_.z[i];
            r[k] = spheres_.r[i];
            at_border[k] = reaches_out(box, i) ? 1 : 0;
        }
        const SphereView mine{x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(n)};
        std::int64_t owned = 0, touching_elsewhere = 0;
        std::vector<std::uint32_t> a, b;
        const CollideReport one = collider.find(
            mine, settings_.method,
            [&](const std::uint32_t* first, const std::uint32_t* second, std::int64_t count) {
                a.clear();
                b.clear();
                for (std::int64_t k = 0; k < count; ++k) {
                    const std::uint32_t i = box.bodies[first[k]], j = box.bodies[second[k]];
                    if ((at_border[first[k]] & at_border[second[k]]) != 0 && !owns(box, i, j)) {
                        touching_elsewhere += touch_exactly(i, j) ? 1 : 0;
                        continue;
                    }
                    a.push_back(i);
                    b.push_back(j);
                }
                owned += static_cast<std::int64_t>(a.size());
                if (!take_) return;
                const std::lock_guard lock(taking_);
                take_(a.data(), b.data(), static_cast<std::int64_t>(a.size()));
            },
            most);
        const std::lock_guard lock(mutex_);
        add(one, owned, one.touching - touching_elsewhere, n);
    }

    void add(const CollideReport& one, std::int64_t owned, std::int64_t touching, std::size_t bodies) {
        if (report_.boxes++ == 0) report_.method = one.method;
        if (one.method == CollideMethod::Levels) report_.method = one.method;
        report_.tested += one.tested;
        report_.contacts += owned;
        report_.touching += touching;
        report_.copies += static_cast<std::int64_t>(bodies);
        report_.bytes = std::max(report_.bytes, one.bytes + 37 * bodies + 8 * static_cast<std::size_t>(spheres_.n));
        if (bodies > 0) pairs_per_body_ = std::max(pairs_per_body_, static_cast<double>(one.contacts) / static_cast<double>(bodies));
        for (const StageTime& stage : one.stages) {
            const auto same =
                std::find_if(report_.stages.begin(), report_.stages.end(), [&](const StageTime& s) { return s.name == stage.name; });
            if (same == report_.stages.end()) {
                report_.stages.push_back(stage);
            } else {
                same->seconds += stage.seconds;
                same->calls += stage.calls;
            }
        }
    }

    bool reaches_out(const Box& box, std::uint32_t i) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double c = coordinate(spheres_, static_cast<int>(axis), i), reach = reach_of(c, spheres_.r[i]);
            if (c - reach < box.low[axis] || c + reach >= box.high[axis]) return true;
        }
        return false;
    }

    bool owns(const Box& box, std::uint32_t a, std::uint32_t b) const {
        const Vec3 m = collision_midpoint(spheres_, a, b);
        const std::array<double, 3> place{m.x, m.y, m.z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (place[axis] < box.low[axis] || place[axis] >= box.high[axis]) return false;
        }
        return true;
    }

    bool touch_exactly(std::uint32_t a, std::uint32_t b) const {
        const double dx = spheres_.x[b] - spheres_.x[a], dy = spheres_.y[b] - spheres_.y[a], dz = spheres_.z[b] - spheres_.z[a];
        const double reach = spheres_.r[a] + spheres_.r[b];
        return dx * dx + dy * dy + dz * dz == reach * reach;
    }

    SphereView spheres_;
    CollideSettings settings_;
    TakePairs take_;
    double budget_{std::numeric_limits<double>::infinity()};       // bytes of one collider
    double most_bodies_{std::numeric_limits<double>::infinity()};  // in one box
    double pairs_per_body_{first_guess};
    std::vector<Box> waiting_;
    int busy_{0};  // workers with a box in hand
    std::mutex mutex_, taking_;
    std::condition_variable changed_;
    std::exception_ptr failed_;
    CollideReport report_;
};

}  // namespace

std::int64_t pairs_that_fit(const SphereView& spheres, const CollideSettings& settings, Collider& collider) {
    const std::size_t free = collider.free_bytes();
    if (free == 0) return 0;
    const std::int64_t most =
        pairs_within(share_of_free * static_cast<double>(free) - fixed_bytes(settings.method, static_cast<double>(spheres.n)));
    if (most < 0) throw PairsDoNotFit{};
    return most;
}

CollideReport collide_in_boxes(const SphereView& spheres, const CollideSettings& settings,
                               const std::vector<std::unique_ptr<Collider>>& colliders, const TakePairs& take) {
    BoxWork work(spheres, settings, colliders.size(), take);
    if (colliders.size() == 1) {
        work.run(*colliders[0]);
    } else {
        std::vector<std::thread> workers;
        workers.reserve(colliders.size());
        for (const auto& collider : colliders) workers.emplace_back([&work, &collider] { work.run(*collider); });
        for (std::thread& one : workers) one.join();
    }
    return work.finish();
}

}  // namespace scree
