// The cone problem over an explicit block-sparse matrix: problems from files, tests, and what bodies' problems look like written out.
// Velocities are summed in double in every flavor.
#pragma once

#include "engine/cone/operator.hpp"

namespace scree::SCREE_FLAVOR {

/// What its kernels read.
struct BlockView {
    const Index* row_start;
    const std::int32_t* column;
    const double* values;  // 9 per block, by rows
    const Vec3* r;
    const double* shift;  // contacts, mu |u_t| of Coulomb's law [m/s]
};

class BlockOperator final : public ConeOperator {
public:
    /// Throws Error where sizes do not fit each other, a column is out of range, mu is negative or a normal is not of unit length.
    BlockOperator(const Exec& exec, const ExplicitProblem& problem);

    const Exec& exec() const override { return exec_; }
    ConeView cone() const override;
    void shape(Unknowns& x) const override;
    void multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) override;
    /// In the order of rows, by one thread.
    void sweep(Unknowns& x, const Late<double>& omega, bool first, std::int64_t sweeps, Gate gate) override;
    void shift_by_sliding(Unknowns* u, Gate gate) override;
    bool explicit_form(ExplicitProblem& out) override;

private:
    BlockView view() const;

    Exec exec_;
    ExplicitProblem problem_;
    Array<Index> row_start_;
    Array<std::int32_t> column_;
    Array<double> values_, shift_;
    Array<Vec3> r_;
    Array<Vec3R> normal_;
    Array<Real> mu_, eta_;
};

}  // namespace scree::SCREE_FLAVOR
