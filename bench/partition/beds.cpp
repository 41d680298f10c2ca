#include "beds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace partition {

namespace {

constexpr double pi = std::numbers::pi;

double wrapped(double x, double length) {
    const double y = x - length * std::floor(x / length);
    return y < length ? y : 0.0;
}

/// A cube of bodies, sheared: periodic along x and y, the top passes the bottom by the edge once.
struct Box : Bed {
    double edge;
    explicit Box(std::uint32_t n) : edge(std::cbrt(n * room)) {
        low = {0, 0, 0};
        high = {edge, edge, edge};
        periodic = {true, true, false};
    }
    Body at(std::uint32_t id, double time) const override {
        const double z = edge * drawn(id, 2);
        return {{wrapped(edge * drawn(id, 0) + time * z, edge), edge * drawn(id, 1), z}, 1, id, 0};
    }
};

/// A drum, half full, periodic along its axis y: the bed rocks between 40 degrees either way, and bodies go once around its middle, along
/// scaled copies of the half disc's edge at an equal rate of area, which keeps the bed even. The core is of bodies that cost six times
/// more.
struct Drum : Bed {
    static constexpr int corners = 2048;
    double radius;
    std::vector<std::array<double, 2>> edge;  // of the half disc about its middle
    std::vector<double> area;                 // swept up to each corner, over the whole

    explicit Drum(std::uint32_t n) : radius(std::cbrt(2 * n * room / pi)) {
        low = {-radius, 0, -radius};
        high = {radius, radius, radius};
        periodic = {false, true, false};
        const double middle = -4 * radius / (3 * pi);  // of area
        for (int k = 0; k <= corners; ++k) {
            const double s = static_cast<double>(k) / corners;
            if (s < 0.4)
                edge.push_back({radius * (1 - 2 * s / 0.4), -middle});
            else
                edge.push_back({-radius * std::cos(pi * (s - 0.4) / 0.6), -radius * std::sin(pi * (s - 0.4) / 0.6) - middle});
        }
        area.push_back(0);
        for (int k = 0; k < corners; ++k) area.push_back(area.back() + std::abs(edge[k][0] * edge[k + 1][1] - edge[k][1] * edge[k + 1][0]));
        for (double& a : area) a /= area[corners];
    }
    Body at(std::uint32_t id, double time) const override {
        const double shell = std::sqrt(drawn(id, 0)), phase = wrapped(drawn(id, 1) + time, 1.0);
        const auto next = std::min<std::size_t>(std::upper_bound(area.begin(), area.end(), phase) - area.begin(), corners);
        const double share = (phase - area[next - 1]) / (area[next] - area[next - 1]);
        const double x = shell * (edge[next - 1][0] + share * (edge[next][0] - edge[next - 1][0]));
        const double z = shell * (edge[next - 1][1] + share * (edge[next][1] - edge[next - 1][1])) - 4 * radius / (3 * pi);
        const double turn = 40 * pi / 180 * std::sin(2 * pi * time), most = radius * (1 - 1e-12);
        const double c = std::cos(turn), s = std::sin(turn);
        return {{std::clamp(c * x - s * z, -most, most), radius * drawn(id, 2), std::clamp(s * x + c * z, -most, most)},
                shell < 0.4 ? 6.0 : 1.0,
                id,
                0};
    }
};

/// A hopper that empties through a jet onto a heap. The bodies go in the order of their numbers. In flight one costs 1, else 3.
struct Hopper : Bed {
    static constexpr double slope = 0.577350269;  // radius over height of the hopper's cone: 30 degrees from upright
    static constexpr double flight = 0.1;         // time that a body falls
    double total, orifice, drop, heap_height;
    explicit Hopper(std::uint32_t n) : total(n * room) {
        const double top = height(total);
        orifice = 0.08 * top * slope;
        heap_height = std::cbrt(3 * total / (pi * 4));  // a heap twice as wide as high
        drop = 1.5 * heap_height;
        const double width = 1.001 * std::max(slope * (top + orifice / slope), 2 * heap_height);
        low = {-width, -width, -1.001 * drop};
        high = {width, width, 1.001 * (top + orifice / slope)};
    }
    /// Height over the cone's tip below which a volume lies.
    static double height(double volume) { return std::cbrt(3 * volume / (pi * slope * slope)); }
    Body at(std::uint32_t id, double time) const override {
        const double turn = 2 * pi * drawn(id, 0), out = std::sqrt(drawn(id, 1));
        const double leaves = (id + 0.5) / bodies;  // at this time; the last ones land after the end
        if (time < leaves) {
            const double tip = orifice / slope, held = pi * slope * slope * tip * tip * tip / 3;
            const double z = height((leaves - time) * total + held);
            return {{out * slope * z * std::cos(turn), out * slope * z * std::sin(turn), z - tip}, 3, id, 0};
        }
        const double fallen = (time - leaves) / flight;
        const double top = height_of_heap(std::max(0.0, leaves + flight));
        const double end_r = 2 * top * out, end_z = -drop + top * (1 - out);  // on the heap's surface when it lands
        if (fallen >= 1) return {{end_r * std::cos(turn), end_r * std::sin(turn), end_z}, 3, id, 0};
        const double r = orifice * out + (end_r - orifice * out) * fallen * fallen * fallen * fallen;  // it spreads as it lands
        return {{r * std::cos(turn), r * std::sin(turn), end_z * fallen * fallen}, 1, id, 0};
    }
    double height_of_heap(double landed) const { return heap_height * std::cbrt(std::min(1.0, landed)); }
};

/// Two heaps twenty radii apart, one of bodies that cost eight times more, which slumps; a tenth of the volume lies in the other.
struct Heaps : Bed {
    double radius[2], apart;
    explicit Heaps(std::uint32_t n) {
        for (int k = 0; k < 2; ++k) radius[k] = std::cbrt(3 * (k == 0 ? 0.9 : 0.1) * n * room / (2 * pi));
        apart = 20 * radius[0];
        low = {-2.001 * radius[0], -2.001 * radius[0], 0};
        high = {apart + 2.001 * radius[0], 2.001 * radius[0], 1.001 * radius[0]};
    }
    Body at(std::uint32_t id, double time) const override {
        const int which = id < 0.9 * bodies ? 0 : 1;
        const double s = std::cbrt(drawn(id, 0)) * radius[which], up = drawn(id, 1), turn = 2 * pi * drawn(id, 2);
        const double wide = which == 1 ? 1 + time : 1.0;  // to twice its width, a quarter of its height
        const double r = s * std::sqrt(1 - up * up) * wide;
        return {{which * apart + r * std::cos(turn), r * std::sin(turn), s * up / (wide * wide)}, which == 1 ? 8.0 : 1.0, id, 0};
    }
};

}  // namespace

std::uint64_t mixed(std::uint64_t z) {  // the finaliser of SplitMix64 (Steele, Lea and Flood 2014)
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

double drawn(std::uint32_t id, std::uint32_t purpose) {
    return static_cast<double>(mixed((std::uint64_t{purpose} << 32) | id) >> 11) * 0x1p-53;
}

std::unique_ptr<Bed> make_bed(const std::string& name, std::uint32_t bodies) {
    std::unique_ptr<Bed> bed;
    if (name == "box")
        bed = std::make_unique<Box>(bodies);
    else if (name == "drum")
        bed = std::make_unique<Drum>(bodies);
    else if (name == "hopper")
        bed = std::make_unique<Hopper>(bodies);
    else if (name == "heaps")
        bed = std::make_unique<Heaps>(bodies);
    else
        throw std::invalid_argument("there is no bed \"" + name + "\": box, drum, hopper or heaps");
    bed->bodies = bodies;
    return bed;
}

}  // namespace partition
