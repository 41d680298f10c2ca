// The list of contact laws. To add one without a memory: a header with stiffness, stretch_kept2 and elastic_energy, its name in
// model/material.hpp's Law, its parameters in model/contact_parameters.cpp, and a line here. Laws with a memory: laws/normal.hpp.
#pragma once

#include "engine/laws/contact.hpp"
#include "engine/laws/general.hpp"
#include "engine/laws/hertz.hpp"
#include "engine/laws/linear.hpp"
#include "engine/laws/patch.hpp"
#include "engine/laws/power.hpp"
#include "model/model.hpp"

namespace scree {

/// Calls use(LawType{}) for the law that is chosen: contacts of spheres. Scenes of the volume law have none.
template <class Use>
void with_law(Law law, Use use) {
    switch (law) {
        case Law::Linear:
            use(LinearLaw{});
            return;
        case Law::Hertz:
        case Law::Volume:
            use(HertzLaw{});
            return;
        case Law::Power:
            use(PowerLaw{});
            return;
        case Law::Plastic:  // its own kernels are those of with_round_law
            return;
    }
}

/// The same with the laws of laws/general.hpp: contacts of round bodies.
template <class Use>
void with_round_law(const PenaltySettings& penalty, Use use) {
    if (!is_general(penalty)) return with_law(penalty.law, use);
    if (penalty.by_pair) return use(GeneralByPair{});
    if (penalty.law == Law::Plastic) return PlasticLaws::with(penalty.plastic, [&](auto law) { use(GeneralPlastic<decltype(law)>{}); });
    if (penalty.law == Law::Linear) return use(General<LinearLaw>{});
    use(General<HertzLaw>{});
}

/// The same for the patch of a polyhedron. Chosen inside the kernel: the search for the patch costs far more than the switch.
template <class T, class Row>
SCREE_HD PatchOutput<T> patch_force(Law law, const Row& q, const PatchInput<T>& in, T dt) {
    switch (law) {
        case Law::Linear:
            return patch_force(LinearLaw{}, q, in, dt);
        case Law::Volume:
            return patch_force(VolumeLaw{}, q, in, dt);
        case Law::Power:
            return patch_force(PowerLaw{}, q, in, dt);
        default:
            return patch_force(HertzLaw{}, q, in, dt);
    }
}

}  // namespace scree
