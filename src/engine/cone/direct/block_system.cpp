#include "engine/cone/direct/block_system.hpp"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace scree::direct {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A dense factor is the faster one of a matrix so small, or so full. (Of one of 828 rows and 1710 rows of stacked bodies the sparse factor
/// is 25 and 5 times as fast.)
constexpr int dense_rows = 60;
constexpr double dense_share = 0.3;

bool dense_is_faster(const Problem& problem) {
    const auto n = static_cast<double>(problem.size());
    return n <= dense_rows || 9 * static_cast<double>(problem.column.size()) > dense_share * n * n;
}

}  // namespace

struct BlockSystem::Factors {
    const Problem& problem;
    bool symmetric, dense;
    Eigen::MatrixXd matrix;
    Sparse sparse;
    bool analysed{false};
    Eigen::LLT<Eigen::MatrixXd> llt;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    Eigen::SimplicialLDLT<Sparse> sparse_llt;
    Eigen::SparseLU<Sparse> sparse_lu;

    void assemble(const std::vector<Matrix3>& left, const std::vector<Matrix3>& right, const std::vector<Matrix3>& add);
};

BlockSystem::BlockSystem(const Problem& problem, bool symmetric)
    : factors_(new Factors{problem, symmetric, dense_is_faster(problem), {}, {}, false, {}, {}, {}, {}}) {
}
BlockSystem::~BlockSystem() = default;

void BlockSystem::Factors::assemble(const std::vector<Matrix3>& left, const std::vector<Matrix3>& right, const std::vector<Matrix3>& add) {
    const int n = problem.size();
    std::vector<Eigen::Triplet<double>> entries;
    if (dense) {
        matrix.setZero(n, n);
    } else {
        entries.reserve(9 * problem.column.size());
    }
    for (int i = 0; i < problem.contacts; ++i) {
        for (std::int64_t e = problem.row_begin[i]; e < problem.row_begin[i + 1]; ++e) {
            const int j = problem.column[e];
            if (symmetric && j > i) continue;
            Matrix3 block = left[i] * problem.block[e] * right[j];
            if (i == j) block += add[i];
            if (dense) {
                matrix.block<3, 3>(3 * i, 3 * j) = block;
                continue;
            }
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) entries.emplace_back(3 * i + r, 3 * j + c, block(r, c));
            }
        }
    }
    if (dense) return;
    sparse.resize(n, n);
    sparse.setFromTriplets(entries.begin(), entries.end());
}

bool BlockSystem::factorise(const std::vector<Matrix3>& left, const std::vector<Matrix3>& right, const std::vector<Matrix3>& add) {
    Factors& f = *factors_;
    f.assemble(left, right, add);
    if (f.dense && f.symmetric) {
        f.llt.compute(f.matrix);
        return f.llt.info() == Eigen::Success;
    }
    if (f.dense) {
        f.lu.compute(f.matrix);
        return f.lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
    }
    if (f.symmetric) {
        if (!f.analysed) f.sparse_llt.analyzePattern(f.sparse);
        f.analysed = true;
        f.sparse_llt.factorize(f.sparse);
        return f.sparse_llt.info() == Eigen::Success && f.sparse_llt.vectorD().minCoeff() > 0;
    }
    if (!f.analysed) f.sparse_lu.analyzePattern(f.sparse);
    f.analysed = true;
    f.sparse_lu.factorize(f.sparse);
    return f.sparse_lu.info() == Eigen::Success;
}

Vector BlockSystem::solve(const Vector& rhs) const {
    const Factors& f = *factors_;
    if (f.dense) return f.symmetric ? Vector(f.llt.solve(rhs)) : Vector(f.lu.solve(rhs));
    return f.symmetric ? Vector(f.sparse_llt.solve(rhs)) : Vector(f.sparse_lu.solve(rhs));
}

}  // namespace scree::direct
