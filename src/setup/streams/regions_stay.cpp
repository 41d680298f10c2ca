#include "setup/streams/regions_stay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

constexpr int kSamples = 2000;  // of a rate over a stage

double least_of(const TimeFunction& f) {
    double least = 0;
    for (const double v : f.value) least = std::min(least, v);
    return f.constant - std::fabs(f.amplitude) + least;
}

/// Smallest length of a domain along an axis, over that at the start, up to the end of the run: exp of the integral of its rate.
double shortest(const Model& model, int axis, double end) {
    double strain = 0, least = 0, from = 0;
    for (const CellStage& stage : model.domain.stages) {
        const double to = std::min(stage.to, end), dt = (to - from) / kSamples;
        if (!(dt > 0)) break;
        if (stage.of[axis].by == CellDrive::Rate) {
            for (int k = 0; k < kSamples; ++k) {
                strain += dt * value_at(stage.of[axis].value, from + (k + 0.5) * dt);
                least = std::min(least, strain);
            }
        }
        from = to;
    }
    return std::exp(least);
}

/// Fails where nothing bounds how short the domain becomes along an axis.
void check_bounded(const Scene& scene, const Model& model, int axis, const std::string& who) {
    const bool by_event =
        std::any_of(scene.events.begin(), scene.events.end(), [](const SceneEvent& e) { return e.action == "next_stage"; });
    for (std::size_t s = 0; s < model.domain.stages.size(); ++s) {
        const CellComponent& c = model.domain.stages[s].of[axis];
        const auto refuse = [&](const std::string& why) {
            throw Error(scene.domain.stages[s].place,
                        fmt::format("{} brings bodies into a region that has to stay inside the domain, but {}: "
                                    "give {} a rate, drive it only after all have come, in another run from a "
                                    "checkpoint, or leave out what brings bodies",
                                    who, why, "xyz"[axis]));
        };
        if (c.by == CellDrive::Stress) refuse("a stress may shorten that by any amount");
        if (by_event && c.by == CellDrive::Rate && least_of(c.value) < 0) refuse("an event says how long a stage shortens that");
    }
}

void check_region(const Scene& scene, const Model& model, const PlaceRegion& region, const std::string& who, const SourcePlace& place) {
    const Aabb bounds = region.bounds(), &box = model.domain.box;
    for (int a = 0; a < model.dimensions; ++a) {
        const bool changes = std::any_of(model.domain.stages.begin(), model.domain.stages.end(),
                                         [a](const CellStage& stage) { return stage.of[a].by != CellDrive::Held; });
        if (!changes) continue;
        check_bounded(scene, model, a, who);
        const double low = along(box.min, a), high = along(box.max, a), middle = 0.5 * (low + high);
        const double half = 0.5 * (high - low) * shortest(model, a, scene.time.end);
        if (along(bounds.min, a) >= middle - half * (1 + 1e-9) && along(bounds.max, a) <= middle + half * (1 + 1e-9)) continue;
        throw Error(place,
                    fmt::format("{}: its region reaches from {} = {:.6g} to {:.6g} m, but the domain shrinks about its centre to {:.6g} "
                                "to {:.6g} m by the end of the run: make the region smaller, or the domain shrink less",
                                who, "xyz"[a], along(bounds.min, a), along(bounds.max, a), middle - half, middle + half));
    }
}

}  // namespace

void check_regions_stay(const Scene& scene, const Model& model, const std::vector<Insertion>& insertions,
                        const std::vector<Removal>& removals) {
    if (model.domain.stages.empty() || scene.domain.stages.empty()) return;
    for (std::size_t k = 0; k < insertions.size(); ++k) {
        if (insertions[k].on_call) continue;  // calls look at each place
        check_region(scene, model, insertions[k].region, fmt::format("[[insert]] \"{}\"", insertions[k].name), scene.inserts[k].place);
    }
    for (std::size_t k = 0; k < removals.size(); ++k)
        if (removals[k].recycle)
            check_region(scene, model, removals[k].recycle->region, fmt::format("[[remove]] \"{}\" recycle", removals[k].name),
                         scene.removals[k].recycle->place);
}

}  // namespace scree
