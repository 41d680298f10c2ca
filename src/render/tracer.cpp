#include "render/tracer.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "render/trees.hpp"

namespace scree {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr double kSunSize = 0.055;    // radius of the sun's disk as seen [rad]: some six times the true one, for soft shadows
constexpr float kSun = 0.56f;         // light of the sun on a surface that faces it, over what a screen can show
constexpr float kSky = 0.50f;         // of the sky on a surface that sees all of it
constexpr float kWallShade = 0.5f;    // share of the sun that walls keep off: vessels would be dark inside
constexpr double kOpenLength = 0.16;  // over which things darken what is near them, over the height that is seen
constexpr double kOffset = 2e-5;      // by which rays start off surfaces, in local units: some hundredths of a pixel
constexpr int kBand = 128;            // rows that are worked on at a time
constexpr int kTile = 4;              // pixels of a tile, along each side, that share a set of directions

/// Powers of the root of x^6 = x + 1 and of x^3 = x + 1: points made of their multiples fill five and two dimensions evenly (Roberts 2018).
constexpr double kFive[5] = {0.8812714616335696, 0.7766393890897683, 0.6844301295853427, 0.6031687406857283, 0.5315553977157914};
constexpr double kTwo[2] = {0.7548776662466927, 0.5698402909980532};

double fraction(double x) {
    return x - std::floor(x);
}

/// Directions of one sample: five numbers from 0 to 1. The sixteen pixels of a tile take turns in one sequence, and each tile starts
/// elsewhere, so that the mean over any tile's worth of neighbours is even.
struct Draws {
    double value[5];
};
Draws draws_of(int x, int y, int sample) {
    constexpr int order[kTile][kTile] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const std::uint64_t tile = hash_combine(static_cast<std::uint64_t>(x / kTile), static_cast<std::uint64_t>(y / kTile));
    const double k = sample * kTile * kTile + order[y % kTile][x % kTile];
    Draws draws{};
    for (int d = 0; d < 5; ++d) {
        const double start = static_cast<double>((tile >> (12 * d)) & 0xfff) / 4096;
        draws.value[d] = fraction(start + (k + 0.5) * kFive[d]);
    }
    return draws;
}

/// Two unit vectors across n, and across each other (Duff et al. 2017, JCGT 6(1):1).
void across(Vec3 n, Vec3& u, Vec3& v) {
    const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    u = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    v = {b, sign + n.y * n.y * a, -n.y};
}

/// What a pixel has before light is smoothed: C + A sky + B sun.
struct Pixel {
    Rgb sky, sun, own;
    float sky_seen{1}, sun_seen{1};
    float normal[3]{}, point[3]{};
    bool met{false};
};

}  // namespace

Rgb background_colour(double y, int height) {
    const auto t = static_cast<float>(std::clamp(y / height, 0.0, 1.0));
    static const Rgb top = from_screen(0xe3e9ef), bottom = from_screen(0xfafbfc);
    return (1 - t) * top + t * bottom;
}

struct Tracer::Trees {
    const World& world;
    Camera camera;  // in local units
    PictureSize size;
    Camera::Axes axes;
    Vec3 corner, step_x, step_y;  // of the plane of view: origins of parallel rays, or directions of others
    LocalTrees local;
    Vec3 to_sun, sun_u, sun_v, up;
    double open{0};

    Trees(const World& w, const Camera& c, PictureSize s)
        : world(w), camera(c), size(s), axes(c.axes()), local(w, c.at, c.height_at_middle()) {
        const double unit = c.height_at_middle();
        camera.eye = (c.eye - c.at) / unit;
        camera.at = {};
        camera.height = c.height / unit;
        const double height = c.orthographic ? camera.height : 2 * std::tan(0.5 * c.field);
        step_x = (height / s.height) * axes.right;
        step_y = (-height / s.height) * axes.up;
        corner = (c.orthographic ? camera.eye : -axes.back) - (0.5 * s.width) * step_x - (0.5 * s.height) * step_y;
        to_sun = normalized(w.to_sun);
        across(to_sun, sun_u, sun_v);
        up = normalized(w.up);
        open = w.open_length > 0 ? w.open_length / unit : kOpenLength;
    }

    LocalRay ray(double x, double y) const {
        const Vec3 p = corner + x * step_x + y * step_y;
        return camera.orthographic ? LocalRay{p, -axes.back} : LocalRay{camera.eye, normalized(p)};
    }

    Rgb colour_of(const Met& met, const LocalRay& ray) const;
    void sample(Pixel& pixel, int x, int y, int s, int samples, float share) const;
    Pixel trace(int x, int y, int samples) const;
};

Rgb Tracer::Trees::colour_of(const Met& met, const LocalRay& ray) const {
    switch (met.kind) {
        case Picked::Kind::Ball:
            return world.balls[met.index].colour;
        case Picked::Kind::Rod:
            return world.rods[met.index].colour;
        case Picked::Kind::Solid:
            return world.solids[met.index].colour;
        case Picked::Kind::Mesh:
            return world.meshes[met.index].colour;
        default:
            break;
    }
    // A disk: a darker rim, so that those that touch are told apart, and a stroke that turns with it.
    const DrawnDisk& disk = world.disks[met.index];
    const double radius = disk.radius / local.unit();
    const Vec3 from = ray.origin + met.distance * ray.direction - local.to_local(disk.centre);
    const double pixels = radius / norm(step_y), rim = std::clamp(0.8 / pixels, 0.07, 0.25);
    const double along = std::cos(disk.angle) * from.x + std::sin(disk.angle) * from.y;
    const double aside = std::cos(disk.angle) * from.y - std::sin(disk.angle) * from.x;
    const bool stroke = disk.marked && pixels > 6 && along > 0 && std::fabs(aside) < 0.5 * rim * radius;
    // Of small disks the rim is lighter, so that they keep their colour.
    const auto dark = static_cast<float>(std::clamp(0.85 - 0.04 * pixels, 0.45, 0.8));
    return (norm(from) > (1 - rim) * radius || stroke ? dark : 1.0f) * disk.colour;
}

void Tracer::Trees::sample(Pixel& pixel, int x, int y, int s, int samples, float share) const {
    const double px = samples == 1 ? 0.5 : fraction(0.5 + s * kTwo[0]), py = samples == 1 ? 0.5 : fraction(0.5 + s * kTwo[1]);
    const LocalRay sight = ray(x + px, y + py);
    const Met met = local.first(sight);
    float clear = share;  // of the sample that glass lets through
    if (local.any_glass()) {
        const bool nothing = met.kind == Picked::Kind::Nothing;
        const double end = nothing ? std::numeric_limits<double>::infinity() : met.distance * (1 - 1e-6);
        const Panes panes = local.panes(sight, end);
        for (std::size_t k = 0; k < panes.count; ++k) {
            const Panes::One& glass = panes.each[k];
            const DrawnMesh& mesh = world.meshes[glass.mesh];
            const double facing = std::fabs(dot(glass.normal, sight.direction));
            // More of it where the look grazes it, so that round glass has an outline.
            const auto opacity = static_cast<float>(1 - std::pow(1 - static_cast<double>(mesh.opacity), 1 / std::max(facing, 0.12)));
            const float light = kSky + kSun * static_cast<float>(std::max(0.0, dot(glass.normal, to_sun)));
            pixel.own += clear * opacity * light * mesh.colour;
            clear *= 1 - opacity;
        }
    }
    if (met.kind == Picked::Kind::Nothing) {
        pixel.own += clear * background_colour(y + py, size.height);
        return;
    }
    const Rgb colour = colour_of(met, sight);
    if (world.flat) {
        pixel.own += clear * colour;
        return;
    }
    if (!pixel.met) {
        pixel.met = true;
        const Vec3 p = met.point, n = met.normal;
        for (int a = 0; a < 3; ++a) {
            pixel.normal[a] = static_cast<float>(scree::along(n, a));
            pixel.point[a] = static_cast<float>(scree::along(p, a));
        }
    }
    const Draws draws = draws_of(x, y, s);
    const Vec3 start = met.point + (kOffset * std::max(1.0, met.distance)) * met.face;
    const double facing = dot(met.normal, to_sun);
    if (facing > 0) {
        const double r = kSunSize * std::sqrt(draws.value[0]), angle = kTurn * draws.value[1];
        const Vec3 direction = normalized(to_sun + r * (std::cos(angle) * sun_u + std::sin(angle) * sun_v));
        constexpr double far = std::numeric_limits<double>::infinity();
        if (dot(direction, met.face) <= 0 || local.blocked({start, direction}, far, LocalTrees::Bodies)) {
            pixel.sun_seen -= share;
        } else if (local.any_solid_walls() && local.blocked({start, direction}, far, LocalTrees::Walls)) {
            pixel.sun_seen -= kWallShade * share;
        }
        pixel.sun += (clear * kSun * static_cast<float>(facing)) * colour;
    }
    {
        // By the cosine of the angle from the normal. The reach is drawn too: so what is near darkens more than what is far.
        const double r = std::sqrt(draws.value[2]), angle = kTurn * draws.value[3];
        Vec3 u, v;
        across(met.normal, u, v);
        const Vec3 direction =
            r * std::cos(angle) * u + r * std::sin(angle) * v + std::sqrt(std::max(0.0, 1 - draws.value[2])) * met.normal;
        const bool dark = dot(direction, met.face) > 0 && local.blocked({start, direction}, open * draws.value[4], LocalTrees::All);
        if (dark) pixel.sky_seen -= share;
        const auto height = static_cast<float>(dot(met.normal, up));
        pixel.sky += (clear * kSky * (0.82f + 0.18f * height)) * colour;
    }
}

Pixel Tracer::Trees::trace(int x, int y, int samples) const {
    Pixel pixel;
    for (int s = 0; s < samples; ++s) sample(pixel, x, y, s, samples, 1.0f / static_cast<float>(samples));
    return pixel;
}

Tracer::Tracer(const World& world, const Camera& camera, PictureSize size) : trees_(std::make_unique<Trees>(world, camera, size)) {
}
Tracer::~Tracer() = default;

double Tracer::build_seconds() const {
    return trees_->local.seconds();
}

namespace {

/// Do two pixels show one smooth piece of surface, whose light may be shared?
bool alike(const Pixel& a, const Pixel& b, float tolerance) {
    if (!b.met) return false;
    float facing = 0, off = 0;
    for (int k = 0; k < 3; ++k) {
        facing += a.normal[k] * b.normal[k];
        off += (b.point[k] - a.point[k]) * a.normal[k];
    }
    return facing > 0.8f && std::fabs(off) < tolerance;
}

}  // namespace

Image Tracer::draw(const Quality& quality) const {
    const Trees& t = *trees_;
    const int width = t.size.width, height = t.size.height, samples = quality.samples;
    // Neighbours that share their light: with few samples, the tile whose directions make one even set.
    const int span = t.world.flat || samples >= 64 ? 1 : samples >= 16 ? 2 : kTile;
    const int before = span / 2;
    Image image{width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
    const auto w = static_cast<std::size_t>(width);
    std::vector<Pixel> band(w * static_cast<std::size_t>(std::min(height, kBand + 2 * kTile)));
    [[maybe_unused]] const int threads = quality.threads;
    for (int first = 0; first < height; first += kBand) {
        const int last = std::min(height, first + kBand), low = std::max(0, first - before), high = std::min(height, last + span - before);
        const auto at = [&](int x, int y) -> Pixel& { return band[static_cast<std::size_t>(y - low) * w + static_cast<std::size_t>(x)]; };
#pragma omp parallel num_threads(threads > 0 ? threads : omp_get_max_threads())
        {
#pragma omp for schedule(dynamic, 1)
            for (int y = low; y < high; ++y) {
                for (int x = 0; x < width; ++x) at(x, y) = t.trace(x, y, samples);
            }
#pragma omp for schedule(static)
            for (int y = first; y < last; ++y) {
                for (int x = 0; x < width; ++x) {
                    const Pixel& own = at(x, y);
                    float sky = 0, sun = 0, weight = 0;
                    for (int v = std::max(low, y - before); v < std::min(high, y + span - before) && own.met; ++v) {
                        for (int u = std::max(0, x - before); u < std::min(width, x + span - before); ++u) {
                            const Pixel& other = at(u, v);
                            if (!alike(own, other, 4.0f / static_cast<float>(height))) continue;
                            sky += other.sky_seen;
                            sun += other.sun_seen;
                            weight += 1;
                        }
                    }
                    const float share = weight > 0 ? 1 / weight : 0;
                    const Rgb light = own.own + sky * share * own.sky + sun * share * own.sun;
                    std::uint8_t* to = &image.rgb[3 * (static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x))];
                    to[0] = to_screen(light.r);
                    to[1] = to_screen(light.g);
                    to[2] = to_screen(light.b);
                }
            }
        }
    }
    return image;
}

Picked Tracer::pick(double x, double y) const {
    const Met met = trees_->local.first(trees_->ray(x, y));
    return {met.kind, met.index, met.distance * trees_->local.unit()};
}

}  // namespace scree
