// Friction problems from files, as other codes publish them: Siconos' text files and FCLIB's HDF5 files (Acary, Brémond, Koziara &
// Pérignon, FCLIB: a collection of discrete 3D frictional contact problems, INRIA RT-444, 2014).
#pragma once

#include <string>

#include "engine/cone_problem.hpp"

namespace scree {

struct FrictionProblem {
    ExplicitProblem problem;  // normal, tangent 1, tangent 2 of each contact
    int dimensions{3};        // 2: the second tangents are zero
};

/// Reads either kind, told apart by the signature of HDF5. Throws Error naming the file and what is wrong with it.
FrictionProblem read_friction_problem(const std::string& path);

/// Text: dim; contacts; storage (0 dense by columns, 1 blocks in rows); size twice; the matrix; q; mu; perhaps a flag, 0 or 1. Block
/// storage: number of blocks, of block rows, of block columns; last row of each block row, last column of each block column; two lengths;
/// row pointers; block columns; each block as its number and its entries by columns. (Siconos, numerics/src/tools/NumericsMatrix.c and
/// SparseBlockMatrix.c.)
FrictionProblem read_text_problem(const std::string& path);

/// HDF5 with a group fclib_local, or fclib_global, which is condensed: with M v = H r + G l + f, G^T v + b = 0, u = H^T v + w.
FrictionProblem read_fclib_problem(const std::string& path);

/// How far the matrix is from its transpose: |N - N^T| / |N|, Frobenius.
double asymmetry(const BlockMatrix& matrix);

}  // namespace scree
