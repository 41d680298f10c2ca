#include "engine/cone/direct/problem.hpp"

#include <algorithm>
#include <cmath>

namespace scree::direct {
namespace {

/// Rows: the normal, and two tangents made from the axis least along it.
Matrix3 frame_of(Vec3 normal) {
    if (normal.x == 1.0 && normal.y == 0.0 && normal.z == 0.0) return Matrix3::Identity();
    const Vector3 n(normal.x, normal.y, normal.z);
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3 t = n.cross(Vector3::Unit(least)).normalized();
    Matrix3 frame;
    frame << n.transpose(), t.transpose(), n.cross(t).transpose();
    return frame;
}

Matrix3 block_at(const ExplicitProblem& given, std::int64_t entry) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(given.matrix.values[entry].data());
}
Vector3 vector_of(Vec3 v) {
    return {v.x, v.y, v.z};
}

void scale_contacts(const ExplicitProblem& given, Scaling& scaling) {
    const int n = static_cast<int>(given.mu.size());
    std::vector<double> trace(n, 0.0);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        for (std::int64_t e = given.matrix.row_start[i]; e < given.matrix.row_start[i + 1]; ++e) {
            if (given.matrix.column[e] == i) trace[i] += block_at(given, e).trace();
        }
        sum += std::max(trace[i], 0.0);
    }
    const double mean = sum > 0 ? sum / n : 3.0;
    scaling.factor.resize(n);
    scaling.frame.resize(n);
    double q2 = 0;
    for (int i = 0; i < n; ++i) {
        // A contact of bodies that cannot move has no block of its own: any factor will do.
        scaling.factor[i] = std::sqrt(3.0 / (trace[i] > 1e-14 * mean ? trace[i] : mean));
        scaling.frame[i] = frame_of(given.normal[i]);
        q2 += std::pow(scaling.factor[i], 2) * norm2(given.r[i]);
    }
    const double size = q2 > 0 ? std::sqrt(q2) : 1.0;
    for (double& f : scaling.factor) f *= size;
}

bool is_symmetric(const Problem& p) {
    double largest = 0, difference = 0;
    for (int i = 0; i < p.contacts; ++i) {
        for (std::int64_t e = p.row_begin[i]; e < p.row_begin[i + 1]; ++e) {
            const int j = p.column[e];
            const auto begin = p.column.begin() + p.row_begin[j], end = p.column.begin() + p.row_begin[j + 1];
            const auto found = std::lower_bound(begin, end, i);
            const Matrix3 other = found != end && *found == i ? p.block[found - p.column.begin()] : Matrix3::Zero();
            largest = std::max(largest, p.block[e].cwiseAbs().maxCoeff());
            difference = std::max(difference, (p.block[e] - other.transpose()).cwiseAbs().maxCoeff());
        }
    }
    return difference <= 1e-9 * largest;
}

}  // namespace

Vector Problem::multiply(const Vector& r) const {
    Vector u(size());
    for (int i = 0; i < contacts; ++i) {
        Vector3 sum = Vector3::Zero();
        for (std::int64_t e = row_begin[i]; e < row_begin[i + 1]; ++e) sum += block[e] * r.segment<3>(3 * column[e]);
        u.segment<3>(3 * i) = sum;
    }
    return u;
}

Problem scaled_problem(const ExplicitProblem& given, Scaling& scaling) {
    scale_contacts(given, scaling);
    const int n = static_cast<int>(given.mu.size());
    Problem p;
    p.contacts = n;
    p.mu = given.mu;
    p.q.resize(3 * n);
    for (int i = 0; i < n; ++i) {
        p.q.segment<3>(3 * i) = scaling.factor[i] * (scaling.frame[i] * vector_of(given.r[i]));
    }
    // u_scaled = (factor / unit) frame u: blocks get trace 3 and q length 1, since the factors carry sqrt(unit).
    const double unit = p.q.norm() > 0 ? p.q.norm() : 1.0;
    p.q /= unit;
    p.row_begin.push_back(0);
    for (int i = 0; i < n; ++i) {
        bool diagonal = false;
        for (std::int64_t e = given.matrix.row_start[i]; e < given.matrix.row_start[i + 1]; ++e) {
            const int j = given.matrix.column[e];
            if (!diagonal && j > i) {
                p.column.push_back(i);
                p.block.push_back(Matrix3::Zero());
            }
            diagonal = diagonal || j >= i;
            p.column.push_back(j);
            const double factor = scaling.factor[i] * scaling.factor[j] / unit;
            p.block.push_back(factor * (scaling.frame[i] * block_at(given, e) * scaling.frame[j].transpose()));
        }
        if (!diagonal) {
            p.column.push_back(i);
            p.block.push_back(Matrix3::Zero());
        }
        p.row_begin.push_back(static_cast<std::int64_t>(p.column.size()));
    }
    p.symmetric = is_symmetric(p);
    return p;
}

Vector to_scaled(const Scaling& scaling, const std::vector<Vec3>& x) {
    Vector scaled(static_cast<Eigen::Index>(3 * x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) scaled.segment<3>(3 * i) = scaling.frame[i] * vector_of(x[i]) / scaling.factor[i];
    return scaled;
}

std::vector<Vec3> to_given(const Scaling& scaling, const Vector& r) {
    std::vector<Vec3> given(scaling.factor.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Vector3 x = scaling.factor[i] * (scaling.frame[i].transpose() * r.segment<3>(3 * i));
        given[i] = {x[0], x[1], x[2]};
    }
    return given;
}

}  // namespace scree::direct
