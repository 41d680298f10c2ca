// "0.25 cm" -> 0.0025. In: text with a unit, and the dimension a key wants. Out: the number in SI, or what is wrong with it.
// Unit names and conversions are those of UDUNITS-2, with `deg` added; angles are radians, so "30 rpm" is 3.14 rad/s.
#pragma once

#include <string>
#include <string_view>

namespace scree {

/// What a number of the scene file measures.
enum class Dimension {
    Number,
    Length,
    Time,
    Velocity,
    Acceleration,
    Angle,
    AngularVelocity,
    Density,
    Pressure,
    Stiffness,
    Frequency,
    Damping,
    Mass,
    Inertia,
    Force,
    Torque,
    Torsion,
    TorsionDamping,
    SurfaceEnergy,
    SurfaceTension,
    EnergyDensity,
    Energy,
    Volume,
    MassFlow,
    Area,
    Viscosity
};

/// Words for messages and for the reference page.
struct DimensionWords {
    const char* name;     // with its article, e.g. "a length"
    const char* unit;     // SI, as UDUNITS writes it; "1" for a plain number
    const char* example;  // what a user may write
};
const DimensionWords& words_of(Dimension dimension);

/// A number in SI, or a problem: a sentence that says what to write instead.
struct Quantity {
    double value{0};
    std::string problem;  // empty: `value` holds
};

/// Reads "number unit". A missing or unknown unit, a unit of another dimension and an offset unit ("degC") are problems.
/// Takes turns among threads (UDUNITS is not safe for several).
Quantity parse_quantity(std::string_view text, Dimension wanted);

}  // namespace scree
