// The union of disks in a slice has an edge of circular arcs: those parts of each circle that no other disk covers. With x = c_x + r cos t,
// y = c_y + r sin t, Green's theorem turns the moments of the slice into integrals over t, here by their antiderivatives:
//   A = 1/2 oint x dy - y dx,  A_x = 1/2 oint x^2 dy,  A_y = -1/2 oint y^2 dx,  A_xx = 1/3 oint x^3 dy,  A_yy = -1/3 oint y^3 dx,
//   A_xy = 1/2 oint x^2 y dy.
// Nodes and weights of the 7- and 15-point rules: Piessens et al. 1983, QUADPACK (qk15).
#include "setup/clumps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace scree {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kTolerance = 1e-8;  // of the largest ball, over all of z; the estimate that it bounds is of the coarser rule
constexpr int kMostHalvings = 40;

/// V, x, y, z, xx, yy, zz, xy, xz, yz.
using Sums = std::array<double, 10>;

struct Disk {
    double x, y, r;
};

/// Integral of cos^n t over the arc, n = 0 to 4, and of sin^n t.
struct Powers {
    double cosine[5], sine[5];
};

Powers powers_of(double from, double to) {
    const auto difference = [&](auto&& f) { return f(to) - f(from); };
    const double t1 = to - from;
    const double s1 = difference([](double t) { return std::sin(t); }), c1 = difference([](double t) { return std::cos(t); });
    const double s2 = difference([](double t) { return std::sin(2 * t); }), s4 = difference([](double t) { return std::sin(4 * t); });
    const double sss = difference([](double t) { return std::pow(std::sin(t), 3); });
    const double ccc = difference([](double t) { return std::pow(std::cos(t), 3); });
    return {{t1, s1, t1 / 2 + s2 / 4, s1 - sss / 3, 3 * t1 / 8 + s2 / 4 + s4 / 32},
            {t1, -c1, t1 / 2 - s2 / 4, ccc / 3 - c1, 3 * t1 / 8 - s2 / 4 + s4 / 32}};
}

/// Adds an arc of the edge, counterclockwise from `from` to `to`: A, A_x, A_y, A_xx, A_yy, A_xy.
void add_arc(std::array<double, 6>& sum, const Disk& d, double from, double to) {
    const Powers p = powers_of(from, to);
    const double *C = p.cosine, *S = p.sine, x = d.x, y = d.y, r = d.r;
    const double sc = (std::pow(std::sin(to), 2) - std::pow(std::sin(from), 2)) / 2;     // sin cos
    const double scc = -(std::pow(std::cos(to), 3) - std::pow(std::cos(from), 3)) / 3;   // sin cos^2
    const double sccc = -(std::pow(std::cos(to), 4) - std::pow(std::cos(from), 4)) / 4;  // sin cos^3
    sum[0] += 0.5 * r * (r * C[0] + x * C[1] + y * S[1]);
    sum[1] += 0.5 * r * (x * x * C[1] + 2 * x * r * C[2] + r * r * C[3]);
    sum[2] += 0.5 * r * (y * y * S[1] + 2 * y * r * S[2] + r * r * S[3]);
    sum[3] += r / 3 * (x * x * x * C[1] + 3 * x * x * r * C[2] + 3 * x * r * r * C[3] + r * r * r * C[4]);
    sum[4] += r / 3 * (y * y * y * S[1] + 3 * y * y * r * S[2] + 3 * y * r * r * S[3] + r * r * r * S[4]);
    sum[5] += 0.5 * r * (y * (x * x * C[1] + 2 * x * r * C[2] + r * r * C[3]) + r * (x * x * sc + 2 * x * r * scc + r * r * sccc));
}

/// Which parts of circle i other disks cover, as intervals within [0, 2 pi]; false: all of it.
bool covered_parts(const std::vector<Disk>& disks, std::size_t i, std::vector<std::pair<double, double>>& covered) {
    covered.clear();
    const Disk& own = disks[i];
    for (std::size_t j = 0; j < disks.size(); ++j) {
        if (j == i) continue;
        const double dx = disks[j].x - own.x, dy = disks[j].y - own.y, r = disks[j].r;
        const double d = std::hypot(dx, dy);
        if (d >= own.r + r || d + r < own.r) continue;
        // Of equal disks the first stands for all.
        if (d + own.r <= r && (d + own.r < r || own.r < r || j < i)) return false;
        if (d + own.r <= r || d + r <= own.r) continue;
        const double half = std::acos(std::clamp((d * d + own.r * own.r - r * r) / (2 * d * own.r), -1.0, 1.0));
        double from = std::atan2(dy, dx) - half;
        if (from < 0) from += kTurn;
        const double to = from + 2 * half;
        covered.emplace_back(from, std::min(to, kTurn));
        if (to > kTurn) covered.emplace_back(0.0, to - kTurn);
    }
    std::sort(covered.begin(), covered.end());
    return true;
}

/// Moments of the slice at z.
Sums slice(const std::vector<Ball>& balls, double z) {
    std::vector<Disk> disks;
    for (const Ball& b : balls) {
        const double h = z - b[2], square = (b[3] - h) * (b[3] + h);
        if (square > 0) disks.push_back({b[0], b[1], std::sqrt(square)});
    }
    std::array<double, 6> sum{};
    std::vector<std::pair<double, double>> covered;
    for (std::size_t i = 0; i < disks.size(); ++i) {
        if (!covered_parts(disks, i, covered)) continue;
        double free_from = 0;
        for (const auto& [from, to] : covered) {
            if (from > free_from) add_arc(sum, disks[i], free_from, from);
            free_from = std::max(free_from, to);
        }
        if (free_from < kTurn) add_arc(sum, disks[i], free_from, kTurn);
    }
    return {sum[0], sum[1], sum[2], sum[0] * z, sum[3], sum[4], sum[0] * z * z, sum[5], sum[1] * z, sum[2] * z};
}

constexpr double kNode[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                             0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                             0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                             0.207784955007898467600689403773245, 0.0};
constexpr double kWeight15[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                 0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                 0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr double kWeight7[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

void integrate(const std::vector<Ball>& balls, double a, double b, double tolerance, int halvings, Sums& total) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    Sums fine{}, coarse{};
    for (int k = 0; k < 8; ++k)
        for (const double sign : {-1.0, 1.0}) {
            if (k == 7 && sign > 0) continue;
            const Sums f = slice(balls, middle + sign * half * kNode[k]);
            for (std::size_t c = 0; c < f.size(); ++c) {
                fine[c] += half * kWeight15[k] * f[c];
                if (k % 2 == 1) coarse[c] += half * kWeight7[k / 2] * f[c];
            }
        }
    double error = 0;
    for (std::size_t c = 0; c < fine.size(); ++c) error = std::max(error, std::fabs(fine[c] - coarse[c]));
    if (error <= tolerance || halvings == 0) {
        for (std::size_t c = 0; c < fine.size(); ++c) total[c] += fine[c];
        return;
    }
    integrate(balls, a, middle, 0.5 * tolerance, halvings - 1, total);
    integrate(balls, middle, b, 0.5 * tolerance, halvings - 1, total);
}

}  // namespace

Moments moments_of_union(const std::vector<Ball>& balls) {
    Vec3 low{balls[0][0], balls[0][1], balls[0][2]}, high = low;
    for (const Ball& b : balls) {
        low = {std::min(low.x, b[0] - b[3]), std::min(low.y, b[1] - b[3]), std::min(low.z, b[2] - b[3])};
        high = {std::max(high.x, b[0] + b[3]), std::max(high.y, b[1] + b[3]), std::max(high.z, b[2] + b[3])};
    }
    // About the middle and over the size, so that the tolerance means the same for all moments.
    const Vec3 middle = 0.5 * (low + high);
    const double size = 0.5 * norm(high - low);
    std::vector<Ball> scaled;
    std::vector<double> ends;
    double largest = 0;
    for (const Ball& b : balls) {
        scaled.push_back({(b[0] - middle.x) / size, (b[1] - middle.y) / size, (b[2] - middle.z) / size, b[3] / size});
        const Ball& s = scaled.back();
        ends.push_back(s[2] - s[3]);
        ends.push_back(s[2] + s[3]);
        largest = std::max(largest, s[3]);
    }
    std::sort(ends.begin(), ends.end());
    Sums total{};
    const double per_length = kTolerance * 4.18879020478639098 * largest * largest * largest / (ends.back() - ends.front());
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
        if (ends[k + 1] > ends[k]) integrate(scaled, ends[k], ends[k + 1], per_length * (ends[k + 1] - ends[k]), kMostHalvings, total);

    const auto& [V, x, y, z, xx, yy, zz, xy, xz, yz] = total;
    const double s3 = size * size * size;
    Moments result;
    result.volume = s3 * V;
    const Vec3 first = s3 * size * Vec3{x, y, z};
    result.first = first + result.volume * middle;
    const double s5 = s3 * size * size;
    const Vec3 row[3] = {s5 * Vec3{xx, xy, xz}, s5 * Vec3{xy, yy, yz}, s5 * Vec3{xz, yz, zz}};
    const double m[3] = {middle.x, middle.y, middle.z}, f[3] = {first.x, first.y, first.z};
    for (int k = 0; k < 3; ++k) result.second.row[k] = row[k] + m[k] * first + f[k] * middle + result.volume * m[k] * middle;
    return result;
}

Mat3 central_inertia(const Moments& moments) {
    const Vec3 c = moments.first / moments.volume;
    const double axis[3] = {c.x, c.y, c.z};
    Mat3 second = moments.second;
    for (int k = 0; k < 3; ++k) second.row[k] -= moments.volume * axis[k] * c;
    const double trace = second.row[0].x + second.row[1].y + second.row[2].z;
    return {{Vec3{trace, 0, 0} - second.row[0], Vec3{0, trace, 0} - second.row[1], Vec3{0, 0, trace} - second.row[2]}};
}

}  // namespace scree
