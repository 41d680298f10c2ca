// Cone problems for tests: random bodies touching each other, with and without couples and scalar rows, as a dense operator on the host
// that shares no code with the operators under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.hpp"
#include "engine/cone/sweeps/block_steps.hpp"
#include "engine/cone/explicit_problem.hpp"
#include "engine/cone/operator.hpp"

namespace scree::SCREE_FLAVOR::cone_test {

/// Rows: 3 per contact, then 3 per contact where couples exist, then scalars. N by rows.
struct DenseProblem {
    std::size_t contacts{0}, scalars{0};
    bool rolling{false};
    std::vector<double> n, r;
    std::vector<Vec3> normal;
    std::vector<double> mu, rho, sigma, reach, low, high;

    std::size_t rows() const { return contacts * (rolling ? 6 : 3) + scalars; }
};

struct RandomSetting {
    std::size_t bodies{6}, contacts{12}, scalars{0};
    bool rolling{false};
    double heaviest{4};  // masses from 1 to this [kg]
};

inline Vec3 random_unit(Rng& rng) {
    for (;;) {
        const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        if (norm2(v) > 0.01 && norm2(v) < 1) return normalized(v);
    }
}

/// N = J W J^T for bodies with 6 velocities each, the first one of infinite mass. Contacts: u = v_B + w_B x b - v_A - w_A x a; couples:
/// w_B - w_A; scalars: any row. Normals lie near the line between two places, so that when all bodies fly apart every contact opens faster
/// than it slides, and rows are made to allow it: then solutions exist and are bounded (Slater's condition).
inline DenseProblem random_problem(std::uint64_t seed, const RandomSetting& s) {
    Rng rng(seed, 0);
    DenseProblem p;
    p.contacts = s.contacts;
    p.scalars = s.scalars;
    p.rolling = s.rolling;
    const std::size_t rows = p.rows(), columns = 6 * s.bodies;
    std::vector<double> j(rows * columns, 0.0), w(columns), v(columns), apart(columns, 0.0);
    for (std::size_t b = 0; b < s.bodies; ++b) {
        for (std::size_t k = 0; k < 3; ++k) apart[6 * b + k] = b == 0 ? 0.0 : rng.uniform(-2, 2);
        const double mass = rng.uniform(1, s.heaviest);
        for (std::size_t k = 0; k < 6; ++k) {
            w[6 * b + k] = b == 0 ? 0.0 : (k < 3 ? 1 / mass : 1 / (mass * rng.uniform(0.2, 0.6)));
            v[6 * b + k] = b == 0 ? 0.0 : rng.uniform(-1, 1);
        }
    }
    const auto put = [&](std::size_t row, std::size_t body, std::size_t first, double sign, Vec3 x) {
        j[row * columns + 6 * body + first] += sign * x.x;
        j[row * columns + 6 * body + first + 1] += sign * x.y;
        j[row * columns + 6 * body + first + 2] += sign * x.z;
    };
    const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k < s.contacts; ++k) {
        const std::size_t a = k % 3 == 0 ? 0 : 1 + (k * 5) % (s.bodies - 1), b = a == 0 ? 1 + k % (s.bodies - 1) : 1 + a % (s.bodies - 1);
        const Vec3 arm_a = random_unit(rng), arm_b = random_unit(rng);
        const Vec3 line{apart[6 * b] - apart[6 * a], apart[6 * b + 1] - apart[6 * a + 1], apart[6 * b + 2] - apart[6 * a + 2]};
        p.normal.push_back(normalized(normalized(line) + 0.3 * random_unit(rng)));
        p.mu.push_back(k % 5 == 4 ? 0.0 : rng.uniform(0.1, 1.0));
        p.rho.push_back(rng.uniform(0.0, 0.3));
        p.sigma.push_back(rng.uniform(0.0, 0.1));
        p.reach.push_back(rng.uniform(0.5, 1.5));
        for (std::size_t c = 0; c < 3; ++c) {
            // e.(w x s) = w.(s x e)
            put(3 * k + c, a, 0, -1, axes[c]);
            put(3 * k + c, a, 3, -1, cross(arm_a, axes[c]));
            put(3 * k + c, b, 0, 1, axes[c]);
            put(3 * k + c, b, 3, 1, cross(arm_b, axes[c]));
            if (s.rolling) {
                put(3 * (s.contacts + k) + c, a, 3, -1, axes[c]);
                put(3 * (s.contacts + k) + c, b, 3, 1, axes[c]);
            }
        }
    }
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < s.scalars; ++k) {
        const std::size_t row = rows - s.scalars + k;
        double along = 0, length2 = 0;
        for (std::size_t c = 6; c < columns; ++c) {
            j[row * columns + c] = rng.uniform(-1, 1);
            along += j[row * columns + c] * apart[c];
            length2 += apart[c] * apart[c];
        }
        // Bilateral rows are still while all fly apart, one-sided ones open.
        for (std::size_t c = 6; c < columns; ++c) j[row * columns + c] -= (along / length2 - (k % 3 == 1 ? 0.5 : 0.0)) * apart[c];
        p.low.push_back(k % 3 == 0 ? -inf : (k % 3 == 1 ? 0.0 : -0.05));
        p.high.push_back(k % 3 == 2 ? 0.05 : inf);
    }
    p.n.assign(rows * rows, 0.0);
    p.r.assign(rows, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t c = 0; c < columns; ++c) p.r[i] += j[i * columns + c] * v[c];
        for (std::size_t k = 0; k < rows; ++k)
            for (std::size_t c = 0; c < columns; ++c) p.n[i * rows + k] += j[i * columns + c] * w[c] * j[k * columns + c];
    }
    return p;
}

/// The same problem for BlockOperator; without couples and scalars.
inline ExplicitProblem explicit_of(const DenseProblem& p) {
    ExplicitProblem out;
    const std::size_t rows = p.rows();
    out.matrix.row_start.push_back(0);
    for (std::size_t i = 0; i < p.contacts; ++i) {
        for (std::size_t k = 0; k < p.contacts; ++k) {
            std::array<double, 9> block;
            bool any = false;
            for (std::size_t c = 0; c < 9; ++c) {
                block[c] = p.n[(3 * i + c / 3) * rows + 3 * k + c % 3];
                any = any || block[c] != 0;
            }
            if (!any) continue;
            out.matrix.column.push_back(static_cast<std::int32_t>(k));
            out.matrix.values.push_back(block);
        }
        out.matrix.row_start.push_back(static_cast<std::int64_t>(out.matrix.column.size()));
        out.r.push_back({p.r[3 * i], p.r[3 * i + 1], p.r[3 * i + 2]});
    }
    out.normal = p.normal;
    out.mu = p.mu;
    return out;
}

/// Host copies of a vector of the problem as rows, and back.
inline std::vector<double> rows_of(const Unknowns& x) {
    std::vector<double> out;
    const auto add = [&](const std::vector<Vec3R>& values) {
        for (const Vec3R& v : values) out.insert(out.end(), {double(v.x), double(v.y), double(v.z)});
    };
    add(x.impulse.host());
    add(x.couple.host());
    for (const Real v : x.scalar.host()) out.push_back(v);
    return out;
}
inline void set_rows(Unknowns& x, const std::vector<double>& rows) {
    std::size_t next = 0;
    const auto vectors = [&](Array<Vec3R>& to) {
        std::vector<Vec3R> values(static_cast<std::size_t>(to.size()));
        for (Vec3R& v : values) {
            v = {static_cast<Real>(rows[next]), static_cast<Real>(rows[next + 1]), static_cast<Real>(rows[next + 2])};
            next += 3;
        }
        to.assign(values);
    };
    vectors(x.impulse);
    vectors(x.couple);
    std::vector<Real> scalars(static_cast<std::size_t>(x.scalar.size()));
    for (Real& v : scalars) v = static_cast<Real>(rows[next++]);
    x.scalar.assign(scalars);
}

/// Everything on the host, by the definition; so it waits for kernels.
class DenseOperator final : public ConeOperator {
public:
    DenseOperator(const Exec& exec, const DenseProblem& problem) : exec_(exec), p_(problem), shift_(problem.contacts, 0.0) {
        const std::size_t rows = p_.rows();
        const auto diagonal = [&](std::size_t i) { return p_.n[i * rows + i]; };
        for (std::size_t k = 0; k < p_.contacts; ++k) {
            const double trace = diagonal(3 * k) + diagonal(3 * k + 1) + diagonal(3 * k + 2);
            host_eta_.push_back(static_cast<Real>(trace > 0 ? 3 / trace : 0));
        }
        for (std::size_t s = 0; s < p_.scalars; ++s) {
            const double d = diagonal(rows - p_.scalars + s);
            host_scalar_eta_.push_back(static_cast<Real>(d > 0 ? 1 / d : 0));
        }
        const auto reals = [](const std::vector<double>& from) { return std::vector<Real>(from.begin(), from.end()); };
        for (const Vec3& n : p_.normal) host_normal_.push_back(cast<Real>(n));
        host_mu_ = reals(p_.mu), host_rho_ = reals(p_.rho), host_sigma_ = reals(p_.sigma), host_reach_ = reals(p_.reach);
        host_low_ = reals(p_.low), host_high_ = reals(p_.high);
        eta_.assign(host_eta_), scalar_eta_.assign(host_scalar_eta_), normal_.assign(host_normal_), mu_.assign(host_mu_);
        rho_.assign(host_rho_), sigma_.assign(host_sigma_), reach_.assign(host_reach_), low_.assign(host_low_), high_.assign(host_high_);
    }

    const Exec& exec() const override { return exec_; }
    ConeView cone() const override {
        ConeView cone{Index(p_.contacts), Index(p_.scalars), normal_.data(), mu_.data(),  p_.rolling ? rho_.data() : nullptr,
                      sigma_.data(),      reach_.data(),     eta_.data(),    low_.data(), high_.data(),
                      scalar_eta_.data()};
        cone.slides = slides_;
        return cone;
    }
    void shape(Unknowns& x) const override { x.resize_zero(Index(p_.contacts), p_.rolling, Index(p_.scalars)); }
    void multiply(const Late<UnknownsView>& x, const Late<UnknownsView>& u, const Late<bool>& with_r, Gate gate) override {
        if (closed(gate)) return;
        Unknowns from, to;
        shape(from);
        shape(to);
        copy_vector(x.read(), view_of(from));
        const std::vector<double> g = rows_of(from);
        std::vector<double> out(g.size());
        for (std::size_t i = 0; i < g.size(); ++i) out[i] = row(g, i, with_r.read());
        set_rows(to, out);
        copy_vector(view_of(to), u.read());
    }
    void sweep(Unknowns& x, const Late<double>& omega, bool, std::int64_t sweeps, Gate gate) override {
        if (closed(gate)) return;
        for (std::int64_t k = 0; k < sweeps; ++k) sweep_once(x, static_cast<Real>(omega.read()));
    }
    void sweep_once(Unknowns& x, Real omega) {
        std::vector<double> g = rows_of(x);
        std::vector<Vec3R> impulse(1), couple(1);
        const ConeView host = host_cone();
        for (std::size_t k = 0; k < p_.contacts; ++k) {
            if (!(host_eta_[k] > 0)) continue;
            Vec3 parts[2] = {};
            for (std::size_t part = 0; part < (p_.rolling ? 2u : 1u); ++part) {
                const std::size_t first = 3 * (k + part * p_.contacts);
                const double weight = part == 0 ? 1.0 : p_.reach[k] * p_.reach[k];
                const double step = -double(omega) * double(host_eta_[k]) * weight;
                parts[part] = Vec3{g[first], g[first + 1], g[first + 2]} +
                              step * Vec3{row(g, first, true), row(g, first + 1, true), row(g, first + 2, true)};
            }
            impulse[0] = cast<Real>(parts[0]);
            couple[0] = cast<Real>(parts[1]);
            ConeView one = host;
            one.normal += k, one.mu += k, one.rolling = p_.rolling ? host.rolling + k : nullptr, one.spinning += k, one.reach += k;
            if (slides_) {
                const ImpulseAndCouple<Real> p = into_disk(one, {impulse[0], couple[0]}, p_.rolling, 0);
                impulse[0] = p.impulse;
                couple[0] = p.couple;
            } else {
                project_contact(one, UnknownsView{impulse.data(), p_.rolling ? couple.data() : nullptr, nullptr}, 0);
            }
            for (std::size_t part = 0; part < (p_.rolling ? 2u : 1u); ++part) {
                const Vec3R v = part == 0 ? impulse[0] : couple[0];
                const std::size_t first = 3 * (k + part * p_.contacts);
                g[first] = v.x, g[first + 1] = v.y, g[first + 2] = v.z;
            }
        }
        for (std::size_t s = 0; s < p_.scalars; ++s) {
            const std::size_t i = g.size() - p_.scalars + s;
            if (host_scalar_eta_[s] > 0)
                g[i] = std::clamp(g[i] - double(omega) * double(host_scalar_eta_[s]) * row(g, i, true), p_.low[s], p_.high[s]);
        }
        set_rows(x, g);
    }
    void shift_by_sliding(Unknowns* u, Gate gate) override {
        if (closed(gate)) return;
        std::fill(shift_.begin(), shift_.end(), 0.0);
        if (u == nullptr) return;
        const std::vector<double> v = rows_of(*u);
        for (std::size_t k = 0; k < p_.contacts; ++k) {
            const auto at = [&](std::size_t i) { return Vec3{v[3 * i], v[3 * i + 1], v[3 * i + 2]}; };
            const Vec3 n = p_.normal[k];
            shift_[k] = p_.mu[k] * norm(cross(n, at(k)));
            if (!p_.rolling) continue;
            const Vec3 w = at(p_.contacts + k);
            shift_[k] += p_.rho[k] * norm(cross(n, w)) + p_.sigma[k] * std::fabs(scree::dot(n, w));
        }
    }

private:
    static bool closed(Gate gate) { return gate.word != nullptr && (Late<std::uint32_t>::at(gate.word).read() & gate.mask) != 0; }
    void copy_vector(const UnknownsView& from, const UnknownsView& to) const {
        copy_within(to.impulse, from.impulse, p_.contacts * sizeof(Vec3R));
        if (p_.rolling) copy_within(to.couple, from.couple, p_.contacts * sizeof(Vec3R));
        copy_within(to.scalar, from.scalar, p_.scalars * sizeof(Real));
    }
    double row(const std::vector<double>& g, std::size_t i, bool with_r) const {
        double sum = 0;
        for (std::size_t k = 0; k < g.size(); ++k) sum += p_.n[i * g.size() + k] * g[k];
        if (!with_r) return sum;
        const Vec3 n = i < 3 * p_.contacts ? shift_[i / 3] * p_.normal[i / 3] : Vec3{};
        return sum + p_.r[i] + (i % 3 == 0 ? n.x : (i % 3 == 1 ? n.y : n.z));
    }
    ConeView host_cone() const {
        return {Index(p_.contacts), Index(p_.scalars), host_normal_.data(), host_mu_.data(),   host_rho_.data(),       host_sigma_.data(),
                host_reach_.data(), host_eta_.data(),  host_low_.data(),    host_high_.data(), host_scalar_eta_.data()};
    }

    Exec exec_;
    DenseProblem p_;
    std::vector<double> shift_;
    std::vector<Vec3R> host_normal_;
    std::vector<Real> host_mu_, host_rho_, host_sigma_, host_reach_, host_eta_, host_low_, host_high_, host_scalar_eta_;
    Array<Vec3R> normal_;
    Array<Real> mu_, rho_, sigma_, reach_, eta_, low_, high_, scalar_eta_;
};

}  // namespace scree::SCREE_FLAVOR::cone_test
