// What normal laws with a memory share. Loading follows one curve, unloading a steeper one from the largest overlap; what lies between the
// two is lost. Symbols: delta overlap, R_eff effective radius.
#pragma once

#include <cmath>

#include "base/macros.hpp"
#include "laws/part.hpp"

namespace scree {

/// What a contact remembers, zero where it does not touch. What the two are is a law's own.
template <class T>
struct PlasticMemory {
    T deepest;   // largest overlap on the loading curve [m]
    T softened;  // of laws that pull: where unloading begins since they did
};

template <class T>
struct PlasticForce {
    T elastic;  // [N]; negative: a pull
    T pull;     // the strongest pull at this overlap, not negative [N]
    PlasticMemory<T> memory;
};

/// What a law's kernel reads of a pair of materials, beside k_n; the law's own order.
inline constexpr int plastic_row_values = 5;
struct PlasticRow {
    double value[plastic_row_values];
};

/// Energy that a step between two overlaps, not negative, takes [J]: what was stored and what was put in, less what is stored now.
template <class Law, class Row>
SCREE_HD double plastic_loss(const Row& q, double R_eff, double before, PlasticMemory<double> memory, double now) {
    const double stored = before > 0 ? Law::template stored<double>(q, R_eff, before, memory) : 0.0;
    const double held = before > 0 ? Law::template load<double>(q, R_eff, before, memory).elastic : 0.0;
    if (!(now > 0)) return stored - 0.5 * held * before;
    const PlasticForce<double> after = Law::template load<double>(q, R_eff, now, memory);
    return stored + 0.5 * (held + after.elastic) * (now - before) - Law::template stored<double>(q, R_eff, now, after.memory);
}

}  // namespace scree
