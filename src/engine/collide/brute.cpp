// All pairs: what the other methods are compared with, and the fastest for a few bodies.
#include "engine/collide/finder.hpp"
#include "engine/collide/touch.hpp"
#include "engine/exec/borrowed.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

struct BruteSearch {
    SphereView s;

    SCREE_HD void operator()(Index i, PairSink& sink) const {
        const auto a = static_cast<std::uint32_t>(i);
        sink.tested += s.n - 1 - i;
        Index j = i + 1;
        for (; j + lanes <= s.n; j += lanes) {
            std::uint32_t any = 0;
            for (int k = 0; k < lanes; ++k) any |= static_cast<std::uint32_t>(touch(s, a, static_cast<std::uint32_t>(j + k)).yes);
            if (any != 0) list(a, j, j + lanes, sink);
        }
        list(a, j, s.n, sink);
    }
    SCREE_HD void list(std::uint32_t a, Index from, Index to, PairSink& sink) const {
        for (Index j = from; j < to; ++j) {
            const Touch found = touch(s, a, static_cast<std::uint32_t>(j));
            if (found.yes) sink.put(a, static_cast<std::uint32_t>(j));
            sink.touching += found.barely ? 1 : 0;
        }
    }
};

}  // namespace

void find_brute(const Exec& exec, const SphereView& spheres, Finder& finder) {
    const Borrowed<double> x(spheres.x, spheres.n), y(spheres.y, spheres.n), z(spheres.z, spheres.n), r(spheres.r, spheres.n);
    finder.stages.time("search", [&] {
        find_each(exec, "collide/all_pairs", spheres.n, BruteSearch{{x.data(), y.data(), z.data(), r.data(), spheres.n}}, finder.pairs);
        synchronize("collide/all_pairs");
    });
}

}  // namespace scree::SCREE_FLAVOR
