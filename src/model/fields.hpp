// What acts on bodies wherever they are, beside steady gravity: an acceleration that changes over time, and media that slow bodies down.
// Formulas: docs/theory.md.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "model/region.hpp"
#include "model/time_function.hpp"

namespace scree {

enum class DragLaw {
    Damping,          // -rate m (v - u), and -spin_rate I w on the spin
    Stokes,           // of a sphere of the body's volume: -6 pi viscosity r (v - u), and -8 pi viscosity r^3 w
    SchillerNaumann,  // the first with a coefficient that depends on the Reynolds number (Schiller & Naumann 1935); the same couple
    Quadratic,        // -1/2 coefficient density pi r^2 |v - u| (v - u)
};

/// What slows bodies down, but for its velocity.
struct Medium {
    DragLaw law{DragLaw::Damping};
    double rate{0}, spin_rate{0};  // of damping [1/s]
    double viscosity{0};           // [Pa s]
    double density{0};             // of the medium [kg/m3]
    double coefficient{0};         // of the quadratic law
    bool buoyancy{false};          // the medium's weight of the body's volume acts against gravity
    bool everywhere{true};
    Region region;                                                // else in here, by centres
    double from{0}, to{std::numeric_limits<double>::infinity()};  // acts on steps that begin at t in [from, to) [s]
};

struct Drag : Medium {
    std::string name;
    TimeFunction velocity[3];  // of the medium [m/s]
};

struct Fields {
    TimeFunction acceleration[3];  // beside gravity [m/s2]
    bool accelerates{false};
    std::vector<Drag> drags;

    bool any() const { return accelerates || !drags.empty(); }
};

/// Does a medium act by the size of bodies?
inline bool asks_for_volumes(const Fields& fields) {
    for (const Drag& drag : fields.drags)
        if (drag.law != DragLaw::Damping || drag.buoyancy) return true;
    return false;
}

/// How fast the speed of a sphere of this radius and mass goes against the medium's, over that speed [1/s].
SCREE_HD double drag_rate(const Medium& medium, double radius, double mass, double speed) {
    constexpr double pi = 3.14159265358979324;
    if (medium.law == DragLaw::Damping) return medium.rate;
    if (medium.law == DragLaw::Quadratic) return 0.5 * medium.coefficient * medium.density * pi * radius * radius * speed / mass;
    const double stokes = 6 * pi * medium.viscosity * radius / mass;
    if (medium.law == DragLaw::Stokes) return stokes;
    const double reynolds = 2 * radius * medium.density * speed / medium.viscosity;
    // Above 1000 the coefficient is 0.44; the force of Stokes has one of 24 / Re.
    return stokes * (reynolds < 1000 ? 1 + 0.15 * std::pow(reynolds, 0.687) : 0.44 / 24 * reynolds);
}

}  // namespace scree
