// The list of laws of cohesion: pulls between round bodies, and of walls on them, beside what the normal law gives. To add one: a header
// with its declaration and the five functions that the others have, a line in each of the three lists below.
//   reach(q, R)         gap up to which it pulls [m]; of laws with bonds, those that surfaces which have touched keep
//   pull(q, R, gap)     [N], positive; gap [m], negative where surfaces overlap
//   energy(q, R, gap)   [J], negative; zero at the reach
//   steepest(q, R)      bound of |d pull / d gap| [N/m], for the step, or where it has none the slope that a step has to follow
//   bonds               it begins as surfaces touch, and ends at its reach
// R effective radius [m].
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "laws/cohesion/capillary.hpp"
#include "laws/cohesion/constant.hpp"
#include "laws/cohesion/dmt.hpp"
#include "laws/cohesion/jkr.hpp"
#include "laws/cohesion/sjkr.hpp"
#include "laws/cohesion/van_der_waals.hpp"

namespace scree {

enum class Cohesion { None, Constant, SimplifiedJkr, Dmt, Jkr, Capillary, VanDerWaals };

/// By Cohesion, from Constant on.
inline constexpr const LawPart* cohesion_parts[] = {&ConstantPull::part, &SimplifiedJkr::part, &Dmt::part,
                                                    &Jkr::part,          &Capillary::part,     &VanDerWaals::part};
static_assert(std::size(cohesion_parts) == static_cast<std::size_t>(Cohesion::VanDerWaals), "a law of cohesion without its declaration");

/// Null where there is none.
inline const LawPart* part_of(Cohesion law) {
    return law == Cohesion::None ? nullptr : cohesion_parts[static_cast<int>(law) - 1];
}

/// Every parameter of these laws, once.
inline std::vector<const LawParameter*> cohesion_parameters() {
    std::vector<const LawParameter*> all;
    for (const LawPart* part : cohesion_parts) {
        for (int k = 0; k < part->count; ++k)
            if (std::find(all.begin(), all.end(), part->parameters[k]) == all.end()) all.push_back(part->parameters[k]);
    }
    return all;
}

/// use(Law{}) of the law that is chosen; nothing where there is none.
template <class Use>
void with_cohesion(Cohesion law, Use use) {
    switch (law) {
        case Cohesion::None:
            return;
        case Cohesion::Constant:
            use(ConstantPull{});
            return;
        case Cohesion::SimplifiedJkr:
            use(SimplifiedJkr{});
            return;
        case Cohesion::Dmt:
            use(Dmt{});
            return;
        case Cohesion::Jkr:
            use(Jkr{});
            return;
        case Cohesion::Capillary:
            use(Capillary{});
            return;
        case Cohesion::VanDerWaals:
            use(VanDerWaals{});
            return;
    }
}

}  // namespace scree
