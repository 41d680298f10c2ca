// The row of two materials under laws that are not plain (engine/laws/general.hpp).
#pragma once

#include "laws/normal/plastic.hpp"

namespace scree {

/// What a contact of general laws reads of two materials.
template <class T>
struct GeneralRowOf {
    T k_n, k_t, zeta, mu;
    T own[plastic_row_values];  // of a law with a memory
    T viscous;                  // A [s]
    T floor;                    // what the force may pull with beside the law's own, not positive [N]
    T springs;                  // 1: S_t is that of the normal law; 0: it is k_s
    T k_s;                      // [N/m]
    T slides;                   // dashpot of friction beside those of springs [N s/m]
    T mu_fast, slowness2;       // mu_d; 1 / v_s^2 [s2/m2]
    T normal;                   // which law, where pairs have different ones: 0 linear, 1 Hertz, 1 + number of one with a memory
};

}  // namespace scree
