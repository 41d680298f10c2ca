// A bridge of liquid between two spheres: Willett, Adams, Johnson & Seville 2000 (Langmuir 16:9396-9405), its closed form for small
// volumes, with the Derjaguin radius R = 2 R_eff. With gap S, volume V, tension gamma, angle theta:
//   F = 2 pi R gamma cos(theta) / (1 + 1.05 s + 2.5 s^2),  s = S sqrt(R / V);
// it breaks at S = (1 + theta / 2) (V^(1/3) + V^(2/3) / (10 R)). It forms as surfaces touch.
#pragma once

#include <cmath>

#include "base/cube_root.hpp"
#include "base/macros.hpp"
#include "laws/cohesion/parameters.hpp"

namespace scree {

struct Capillary {
    static constexpr LawPart part{"capillary",
                                  "a bridge of liquid that forms on touch and breaks at a gap (Willett et al. 2000)",
                                  false,
                                  3,
                                  {&surface_tension, &bridge_volume, &contact_angle}};
    static constexpr bool bonds = true;

    template <class T>
    SCREE_HD static T reach(const LawValuesOf<T>& q, T R_eff) {
        const T side = cube_root(q.value[1]), gap = (T(1) + T(0.5) * q.value[2]) * (side + side * side / (T(20) * R_eff));
        return q.value[0] > T(0) ? gap : T(0);
    }
    template <class T>
    SCREE_HD static T most(const LawValuesOf<T>& q, T R_eff) {
        return T(4 * law_pi) * R_eff * q.value[0] * std::cos(q.value[2]);
    }
    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R_eff, T gap) {
        const T s = gap > T(0) ? gap * std::sqrt(T(2) * R_eff / q.value[1]) : T(0);
        return most(q, R_eff) / (T(1) + s * (T(1.05) + T(2.5) * s));
    }
    /// Work from where it breaks.
    SCREE_HD static double energy(const LawValues& q, double R_eff, double gap) {
        if (!(q.value[0] > 0)) return 0.0;
        const double k = std::sqrt(2 * R_eff / q.value[1]), root = std::sqrt(4 * 2.5 - 1.05 * 1.05);
        const double far = std::atan((5 * k * reach(q, R_eff) + 1.05) / root),
                     near = std::atan((5 * k * (gap > 0 ? gap : 0.0) + 1.05) / root);
        return most(q, R_eff) * ((gap < 0 ? gap : 0.0) - 2 / (root * k) * (far - near));
    }
    static double steepest(const LawValues& q, double R_eff) { return 1.23 * most(q, R_eff) * std::sqrt(2 * R_eff / q.value[1]); }
};

/// The same of liquid that lies on the bodies as films: a bridge that forms takes what the two have, shared by those that form in the same
/// step, up to a capacity that bounds its reach; one that breaks leaves half to either, all of it to a body on a wall (after Mani, Kadau &
/// Herrmann 2013, Granular Matter 15:447-454). In a contact's row the content of the materials makes room for the volume of the bridge
/// [m3].
struct SharedCapillary : Capillary {
    static constexpr LawPart part{
        "capillary_shared",
        "the same bridges of liquid that lies on the bodies as films, which bridges take up and, as they break, leave to either (Mani, "
        "Kadau & Herrmann 2013)",
        false,
        3,
        {&surface_tension, &liquid_content, &contact_angle}};

    template <class T>
    SCREE_HD static T pull(const LawValuesOf<T>& q, T R_eff, T gap) {
        const T force = Capillary::pull(q, R_eff, gap);
        return q.value[1] > T(0) ? force : T(0);
    }
    SCREE_HD static double energy(const LawValues& q, double R_eff, double gap) {
        return q.value[1] > 0 ? Capillary::energy(q, R_eff, gap) : 0.0;
    }
    /// Of a full bridge: those of less liquid are steeper over a shorter way, in proportion, so that what they give in it is no more.
    static double steepest(const LawValues& q, double R_eff) { return q.value[1] > 0 ? Capillary::steepest(q, R_eff) : 0.0; }
};

}  // namespace scree
