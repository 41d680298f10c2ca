// Eigenvalues and axes of a symmetric 3 x 3 matrix by Jacobi's rotations (Golub & Van Loan, Matrix Computations, section 8.5).
// An off-diagonal entry below 1e-12 of the largest entry counts as zero, so axes that fit already are kept, and so are those of equal
// eigenvalues.
#pragma once

#include "base/mat3.hpp"

namespace scree {

struct Axes3 {
    Vec3 value;  // eigenvalues, in the order of the axes
    Mat3 axis;   // rows: unit eigenvectors, right-handed
};

/// `m` is read as symmetric: its upper triangle counts.
Axes3 principal_axes(const Mat3& m);

/// The largest eigenvalue.
double largest_eigenvalue(const Mat3& m);

/// The unit quaternion of a rotation matrix (Shepperd 1978), w >= 0.
Quat quaternion_of(const Mat3& rotation);

}  // namespace scree
