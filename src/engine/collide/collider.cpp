#include "engine/collide/collider.hpp"

#include <algorithm>

#include "engine/collide/finder.hpp"
#include "engine/exec/device_choice.hpp"
#include "engine/exec/scratch.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

constexpr Index few = 64;  // bodies: all pairs are found sooner than cells are made

class FlavorCollider final : public Collider {
public:
    FlavorCollider(const Exec& exec, int device) : exec_(exec), device_(device) { exec_.scratch = &scratch_; }

    CollideReport find(const SphereView& spheres, CollideMethod method, const TakePairs& take, std::int64_t most) override {
        use_device(device_);
        CollideReport report;
        report.bodies = spheres.n;
        report.method = method == CollideMethod::Auto ? CollideMethod::Brute : method;
        if (spheres.n == 0) return report;
        finder_.stages = {};
        finder_.pairs.most = most;
        try {
            report.method = find_touching(exec_, spheres, method, finder_);
        } catch (const PairsFull&) {
            throw PairsDoNotFit{};
        }
        report.tested = finder_.pairs.tested;
        report.contacts = finder_.pairs.pairs;
        report.touching = finder_.pairs.touching;
        report.bytes = finder_.bytes();
        report.stages = finder_.stages.stages();
        report.copies = spheres.n;
        if (take) take_pairs(finder_.pairs, take);
        return report;
    }

    std::size_t free_bytes() override {
        use_device(device_);
        return free_memory();
    }

    void drop_memory() override { finder_ = Finder{}; }

private:
    Exec exec_;
    Scratch scratch_;
    int device_;
    Finder finder_;
};

}  // namespace

CollideMethod find_touching(const Exec& exec, const SphereView& spheres, CollideMethod method, Finder& finder) {
    switch (method) {
        case CollideMethod::Brute:
            find_brute(exec, spheres, finder);
            return method;
        case CollideMethod::Grid:
            find_by_cells(exec, spheres, 1, finder);
            return method;
        case CollideMethod::Levels:
            find_by_cells(exec, spheres, most_levels, finder);
            return method;
        case CollideMethod::Bins:
            find_by_bins(exec, spheres, finder);
            return method;
        default:
            break;
    }
    if (spheres.n <= few) {
        find_brute(exec, spheres, finder);
        return CollideMethod::Brute;
    }
    return find_by_cells(exec, spheres, most_levels, finder) > 1 ? CollideMethod::Levels : CollideMethod::Grid;
}

std::unique_ptr<Collider> make_collider(int threads, bool shuffle, int device) {
    return std::make_unique<FlavorCollider>(Exec{threads > 0 ? threads : thread_limit(), shuffle}, device);
}

}  // namespace scree::SCREE_FLAVOR
