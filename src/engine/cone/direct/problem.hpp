// The friction problem as the direct methods see it: normals along the first axis, contacts scaled so that each diagonal block has trace 3
// and |q| = 1. The cones stay as they are, since a contact's three components share one factor.
// Symbols: r impulses, u = M r + q velocities, w = u + mu |u_t| e_n under the Coulomb law, else u.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "engine/cone/explicit_problem.hpp"
#include "model/cone_settings.hpp"

namespace scree::direct {

using Vector = Eigen::VectorXd;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

struct Problem {
    int contacts{0};
    std::vector<std::int64_t> row_begin;  // contacts + 1
    std::vector<int> column;              // contact of each block; every row holds its diagonal one
    std::vector<Matrix3> block;
    Vector q;
    std::vector<double> mu;
    bool symmetric{true};  // to 1e-9 of the largest entry: factors of the symmetric part will do

    int size() const { return 3 * contacts; }
    /// M r, O(blocks).
    Vector multiply(const Vector& r) const;
};

/// Between the caller's problem and the scaled one: r = factor * frame^T r_scaled.
struct Scaling {
    std::vector<double> factor;  // contacts
    std::vector<Matrix3> frame;  // contacts, rows: normal, tangents
};

Problem scaled_problem(const ExplicitProblem& given, Scaling& scaling);
Vector to_scaled(const Scaling& scaling, const std::vector<Vec3>& x);
std::vector<Vec3> to_given(const Scaling& scaling, const Vector& r);

/// w of one contact, normal first.
inline Vector3 sliding_velocity(const Vector3& u, double mu, FrictionLaw law) {
    return law == FrictionLaw::Ccp ? u : Vector3(u[0] + mu * u.tail<2>().norm(), u[1], u[2]);
}

}  // namespace scree::direct
