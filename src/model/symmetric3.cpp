#include "model/symmetric3.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {

namespace {

constexpr int kMostSweeps = 30;  // convergence is quadratic: 5 to 10 are used
constexpr double kZero = 1e-12;  // of the largest entry

double get(const double (&a)[3][3], int i, int j) {
    return i < j ? a[i][j] : a[j][i];
}

}  // namespace

Axes3 principal_axes(const Mat3& m) {
    double a[3][3] = {{m.row[0].x, m.row[0].y, m.row[0].z}, {0, m.row[1].y, m.row[1].z}, {0, 0, m.row[2].z}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // rows: axes
    double largest = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) largest = std::max(largest, std::fabs(a[i][j]));
    // The entries decide whether axes are turned at all; once they are, they are turned until nothing is left to rounding.
    const auto off = [&] { return std::max({std::fabs(a[0][1]), std::fabs(a[0][2]), std::fabs(a[1][2])}); };
    const bool turn = off() > kZero * largest;
    for (int sweep = 0; turn && sweep < kMostSweeps && off() > 1e-17 * largest; ++sweep)
        for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
            if (a[p][q] == 0.0) continue;
            const double tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            const double t = std::copysign(1.0, tau) / (std::fabs(tau) + std::hypot(1.0, tau));
            const double c = 1.0 / std::hypot(1.0, t), s = t * c;
            const int r = 3 - p - q;
            const double arp = get(a, r, p), arq = get(a, r, q);
            a[p][p] -= t * a[p][q];
            a[q][q] += t * a[p][q];
            a[p][q] = 0.0;
            (r < p ? a[r][p] : a[p][r]) = c * arp - s * arq;
            (r < q ? a[r][q] : a[q][r]) = s * arp + c * arq;
            for (int k = 0; k < 3; ++k) {
                const double vp = v[p][k], vq = v[q][k];
                v[p][k] = c * vp - s * vq;
                v[q][k] = s * vp + c * vq;
            }
        }
    return {{a[0][0], a[1][1], a[2][2]}, {{{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}}}};
}

double largest_eigenvalue(const Mat3& m) {
    const Vec3 value = principal_axes(m).value;
    return std::max({value.x, value.y, value.z});
}

Quat quaternion_of(const Mat3& rotation) {
    const Vec3 &a = rotation.row[0], &b = rotation.row[1], &c = rotation.row[2];
    const double trace = a.x + b.y + c.z;
    Quat q;
    if (trace >= std::max({a.x, b.y, c.z}))
        q = {1.0 + trace, c.y - b.z, a.z - c.x, b.x - a.y};
    else if (a.x >= b.y && a.x >= c.z)
        q = {c.y - b.z, 1.0 + a.x - b.y - c.z, a.y + b.x, a.z + c.x};
    else if (b.y >= c.z)
        q = {a.z - c.x, a.y + b.x, 1.0 - a.x + b.y - c.z, b.z + c.y};
    else
        q = {b.x - a.y, a.z + c.x, b.z + c.y, 1.0 - a.x - b.y + c.z};
    q = normalized(q);
    return q.w < 0.0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

}  // namespace scree
