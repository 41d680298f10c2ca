// The list of contact laws. To add one: a header with stiffness, stretch_kept2 and elastic_energy, its name in model/material.hpp's Law,
// its parameters in model/contact_parameters.cpp, and a line here.
#pragma once

#include "engine/laws/contact.hpp"
#include "engine/laws/hertz.hpp"
#include "engine/laws/linear.hpp"
#include "model/material.hpp"

namespace scree {

/// Calls use(LawType{}) for the law that is chosen; the one switch over laws.
template <class Use>
void with_law(Law law, Use use) {
    switch (law) {
        case Law::Linear:
            use(LinearLaw{});
            return;
        case Law::Hertz:
            use(HertzLaw{});
            return;
    }
}

}  // namespace scree
