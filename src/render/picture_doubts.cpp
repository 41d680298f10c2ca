#include "render/picture_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/ticks.hpp"

namespace scree {
namespace {

constexpr double kDot = 1.5;        // radius of the median body [pixels] below which it is a dot
constexpr double kFarther = 5;      // of a far body from the middle, over where 95 % of all are
constexpr double kFew = 0.05;       // share of bodies that may be far
constexpr std::size_t kFewest = 5;  // bodies of which one may be said to be far from the others

double pixels(const Camera& camera, PictureSize size, Vec3 at, double radius) {
    const Seen seen = project(camera, size, at);
    const double height = camera.orthographic ? camera.height : 2 * seen.depth * std::tan(0.5 * camera.field);
    return height > 0 ? radius * size.height / height : 0;
}

template <class Value>
Value at_share(std::vector<Value> values, double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

bool in_picture(const Camera& camera, PictureSize size, Vec3 at, double radius) {
    const Seen seen = project(camera, size, at);
    if (!camera.orthographic && seen.depth < -radius) return false;
    if (!camera.orthographic && seen.depth <= radius) return true;  // about the eye
    const double r = pixels(camera, size, at, radius);
    return seen.x > -r && seen.x < size.width + r && seen.y > -r && seen.y < size.height + r;
}

}  // namespace

void PictureDoubts::note_far(const FrameParts& frame, const Look& look, const Camera& camera, PictureSize size) {
    std::vector<std::size_t> rows;
    std::vector<double> x, y, z, away, radius;
    for (std::size_t k = 0; k < frame.size(); ++k) {
        if (!is_seen(frame, look, k)) continue;
        const Vec3 p = frame.bodies.position[k];
        rows.push_back(k), x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
        radius.push_back(pixels(camera, size, p, frame.bodies.radius[k]));
    }
    if (rows.size() < kFewest || at_share(radius, 0.5) >= kDot) return;
    const Vec3 middle{at_share(x, 0.5), at_share(y, 0.5), at_share(z, 0.5)};
    for (const std::size_t k : rows) away.push_back(norm(frame.bodies.position[k] - middle));
    const double usual = at_share(away, 1 - kFew);
    const auto far = static_cast<std::size_t>(std::count_if(away.begin(), away.end(), [&](double d) { return d > kFarther * usual; }));
    if (far == 0) return;
    const auto farthest = static_cast<std::size_t>(std::max_element(away.begin(), away.end()) - away.begin());
    const Vec3 p = frame.bodies.position[rows[farthest]], from = p - middle;
    int axis = 0;
    for (int a = 1; a < 3; ++a) {
        if (std::fabs(along(from, a)) > std::fabs(along(from, axis))) axis = a;
    }
    const double place = along(middle, axis) + std::copysign(2 * usual, along(from, axis));
    far_ = fmt::format(
        "{} of {} bodies {} far from all others, which are dots in the picture: body {} is at ({:.4g}, {:.4g}, {:.4g}) m, {} from the "
        "middle, where "
        "95 % lie within {}; --cut \"{}{}{:.4g}\" leaves it out, or --at and --zoom look at the others",
        far, rows.size(), far == 1 ? "lies" : "lie", frame.bodies.id[rows[farthest]], p.x, p.y, p.z, length_text(away[farthest]),
        length_text(usual), "xyz"[axis], along(from, axis) > 0 ? '>' : '<', place);
}

void PictureDoubts::note_empty(const FrameParts& frame, const Look& look, const World& world, const Camera& camera, PictureSize size) {
    const auto seen = [&](const auto& all, const auto& radius) {
        return std::any_of(all.begin(), all.end(), [&](const auto& one) { return in_picture(camera, size, one.centre, radius(one)); });
    };
    const auto of_radius = [](const auto& one) { return one.radius; };
    if (seen(world.balls, of_radius) || seen(world.disks, of_radius) ||
        seen(world.solids, [](const DrawnSolid& one) { return 2 * one.size; }))
        return;
    if ((look.bonds || look.chains) && std::any_of(world.rods.begin(), world.rods.end(), [&](const DrawnRod& rod) {
            return in_picture(camera, size, 0.5 * (rod.from + rod.to), rod.radius + 0.5 * norm(rod.to - rod.from));
        }))
        return;
    std::size_t there = 0;
    for (std::size_t k = 0; k < frame.size(); ++k) there += is_seen(frame, look, k) ? 1 : 0;
    std::string why;
    if (frame.size() == 0) {
        why = "the frame holds no bodies: choose another with --frames or --time";
    } else if (there == 0) {
        why = "--cut and --section take all of them away: ask for less";
    } else if (world.balls.empty() && world.disks.empty() && world.solids.empty()) {
        why = look.bonds || look.chains ? "no bond or contact is in the picture, and bodies are left out: give --body-size"
                                        : "--body-size 0 leaves them out";
    } else {
        why = "the camera looks elsewhere: leave out --from, --at and --zoom, or choose others";
    }
    Empty& empty = empty_[why];
    if (empty.pictures++ == 0) empty.first = frame.bodies.time;
}

std::vector<std::string> PictureDoubts::texts(std::size_t pictures) const {
    std::vector<std::string> texts;
    if (!far_.empty()) texts.push_back(far_);
    for (const auto& [why, empty] : empty_) {
        const std::string which =
            pictures == 1 ? "the picture shows"
                          : fmt::format("{} of {} pictures, the first at t = {:.4g} s, show", empty.pictures, pictures, empty.first);
        texts.push_back(fmt::format("{} no body: {}", which, why));
    }
    return texts;
}

}  // namespace scree
