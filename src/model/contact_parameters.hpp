// Materials -> the numbers a contact law reads, for every two materials, and the time step they allow.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace scree {

/// Parameters of one pair of materials, with one meaning per law:
///   linear: S_n = k_n,                       S_t = k_t
///   Hertz:  S_n = 3/2 k_n sqrt(R_eff delta), S_t = k_t sqrt(R_eff delta), F_n = k_n sqrt(R_eff delta) delta
///   volume: S_n = 3/4 k_n S^2 / V_ref,       S_t = S_n k_t / (3/2 k_n)
///   power:  S_n = 3/2 k_n sqrt(delta),       S_t = 0
///   with a memory: as linear or Hertz while it loads (laws/normal.hpp); with tangential springs of one stiffness S_t = k_t
/// with k_n = 4/3 E_eff, k_t = 8 G_eff for Hertz and volume; delta of a polyhedron is the mean depth V/S of the volume V shared over its
/// area S, and sqrt(S / pi) stands for sqrt(R_eff delta). Dashpots: c_n = 2 zeta sqrt(S_n m_eff), c_t = 2 zeta sqrt(S_t m_eff); of the
/// power law `damping` sqrt(delta) and `tangential_damping`.
struct LawParameters {
    double k_n{0};                          // [N/m] linear, [Pa] Hertz and volume, [N/m^1.5] power
    double k_t{0};                          // [N/m] linear, [Pa] Hertz and volume, 0 power
    double zeta{0};                         // damping ratio that gives the pair's restitution with the force clipped at zero; 0 power
    double mu{0};                           // Coulomb friction
    double damping{0};                      // K_D [N s/m], power only
    double tangential_damping{0};           // K_T [N s/m], power only
    double rolling{0}, rolling_damping{0};  // of rolling springs: mu_r, and over their critical damping
    LawValues cohesion{};                   // of the law of cohesion, if any
    LawValues plastic{};                    // of a normal law with a memory, if any
    double viscous{0};                      // A of a dashpot of viscous bulk [s]
    double sliding{0};                      // viscous friction [N s/m]
    double mu_fast{0}, stribeck{0};         // friction of fast sliding; the speed midway [m/s]
};

/// Restitution of a head-on collision of the clipped law with damping ratio zeta (no attraction, the contact ends when the force does).
/// Linear: closed form of Schwager & Poeschel 2007 (Granular Matter 9:465). Hertz maps onto it exactly: e_Hertz(zeta) = e_linear(sqrt(6/5)
/// zeta). Volume: taken as linear, which it is between two faces. The power law has no restitution of its own: as Hertz here.
double restitution_of(Law law, double zeta);
/// zeta for a restitution where the whole dashpot acts, which may pull, and the contact ends with its overlap: -ln e / sqrt(ln^2 e + pi^2)
/// of springs (Cundall & Strack 1979), of Hertz over sqrt(6/5) (Tsuji, Tanaka & Ishida 1992; Antypov & Elliott 2011). Throws as
/// damping_ratio.
double whole_damping_ratio(Law law, double restitution);
/// The inverse: zeta for a restitution e in [0.01, 1]. Error below 1e-7 in e. Throws scree::Error outside the range.
double damping_ratio(Law law, double restitution);

/// The table for all pairs of the model's materials, count × count, row by row.
std::vector<LawParameters> law_table(const Model& model);

struct StepLimits {
    double automatic{0};  // the step `time.step = "auto"` takes [s]
    double stable{0};     // past this the explicit scheme may diverge [s]
};
/// From the stiffest and lightest contact of the bodies and wall materials present, at the overlap warning limit.
/// automatic = min(0.15 / omega, or 0.05 / omega for the linear law, stable / 2), omega^2 = S_n / m_eff; stable assumes a body held by six
/// others, tangential and rolling springs and dashpots included. Both are infinite without bodies.
/// The stiffest contact of a polyhedron is that of its largest face (Hertz: a = sqrt(area / pi), volume: S = area; power: at the overlap
/// warning); the worse of it and of smaller, off-centre patches counts, with the inverse mass that their levers give (shape_contact.hpp).
/// O(bodies + (materials · shapes)^2).
StepLimits step_limits(const Model& model);

}  // namespace scree
