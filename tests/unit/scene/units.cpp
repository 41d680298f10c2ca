#include "scene/units.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <string>

using namespace scree;

namespace {

double si(const std::string& text, Dimension dimension) {
    const Quantity quantity = parse_quantity(text, dimension);
    CHECK_MESSAGE(quantity.problem.empty(), text, ": ", quantity.problem);
    return quantity.value;
}

std::string problem(const std::string& text, Dimension dimension) {
    return parse_quantity(text, dimension).problem;
}

}  // namespace

TEST_CASE("units: text becomes SI") {
    CHECK(si("0.25 cm", Dimension::Length) == 0.0025);
    CHECK(si("4.2 mm", Dimension::Length) == 0.0042);
    CHECK(si("4.2e0 mm", Dimension::Length) == 0.0042);
    CHECK(si("4.2E+3 um", Dimension::Length) == 0.0042);
    CHECK(si("0.1 km", Dimension::Length) == 100);
    CHECK(si("1 in", Dimension::Length) == doctest::Approx(0.0254).epsilon(1e-14));
    CHECK(si("1e-320 mm", Dimension::Length) < 1e-320);
    CHECK(si("3um", Dimension::Length) == 3e-6);
    CHECK(si(" -5 µm ", Dimension::Length) == -5e-6);
    CHECK(si("20 ms", Dimension::Time) == 0.02);
    CHECK(si("10 min", Dimension::Time) == 600);
    CHECK(si("1.5e2 s", Dimension::Time) == 150);
    CHECK(si("+2 h", Dimension::Time) == 7200);
    CHECK(si("2500 kg/m^3", Dimension::Density) == 2500);
    CHECK(si("2.5 g/cm3", Dimension::Density) == doctest::Approx(2500).epsilon(1e-14));
    CHECK(si("10 MPa", Dimension::Pressure) == 1e7);
    CHECK(si("10 kN/m", Dimension::Stiffness) == 1e4);
    CHECK(si("-9.81 m/s^2", Dimension::Acceleration) == -9.81);
    CHECK(si("3 cm/s", Dimension::Velocity) == 0.03);
    CHECK(si("5 %", Dimension::Number) == 0.05);
    CHECK(si("250 g", Dimension::Mass) == 0.25);
    CHECK(si("40 g cm^2", Dimension::Inertia) == doctest::Approx(4e-6).epsilon(1e-14));
    CHECK(si("5 kN", Dimension::Force) == 5000);
    CHECK(si("3 kN m", Dimension::Torque) == 3000);
    CHECK(si("3 N m s/rad", Dimension::TorsionDamping) == 3);
}

TEST_CASE("units: angles are radians") {
    // One rounding of pi / 180 or 2 pi / 60, which UDUNITS holds to 15 digits.
    CHECK(si("45 deg", Dimension::Angle) == doctest::Approx(std::numbers::pi / 4).epsilon(1e-14));
    CHECK(si("180 degrees", Dimension::Angle) == doctest::Approx(std::numbers::pi).epsilon(1e-14));
    CHECK(si("1 rad", Dimension::Angle) == 1);
    CHECK(si("30 rpm", Dimension::AngularVelocity) == doctest::Approx(std::numbers::pi).epsilon(1e-14));
    CHECK(si("2 N m/deg", Dimension::Torsion) == doctest::Approx(360 / std::numbers::pi).epsilon(1e-14));
    CHECK(problem("2 N m", Dimension::Torsion) ==
          "expected a torsional stiffness, such as \"2 N m/deg\"; \"2 N m\" is an energy or a torque");
    CHECK(problem("2 N m/rad", Dimension::Torque).find("is a torsional stiffness") != std::string::npos);
    CHECK(si("90 deg/s", Dimension::AngularVelocity) == doctest::Approx(std::numbers::pi / 2).epsilon(1e-14));
}

TEST_CASE("units: the problem says what to write") {
    CHECK(problem("3 s", Dimension::Length) == "expected a length, such as \"2 mm\"; \"3 s\" is a time");
    CHECK(problem("3 m", Dimension::Time) == "expected a time, such as \"20 ms\"; \"3 m\" is a length");
    CHECK(problem("3", Dimension::Length).find("has no unit") != std::string::npos);
    CHECK(problem("0.3", Dimension::Number) == "write the number 0.3 without quotes");
    CHECK(problem("3 mn", Dimension::Length).find("\"mn\" is not a unit") != std::string::npos);
    CHECK(problem("much", Dimension::Length).find("does not start with a number") != std::string::npos);
    CHECK(problem("", Dimension::Length).find("does not start with a number") != std::string::npos);
    CHECK(problem("nan m", Dimension::Length).find("does not start with a number") != std::string::npos);
    CHECK(problem("1e999 m", Dimension::Length).find("out of range") != std::string::npos);
    CHECK(problem("1e306 km", Dimension::Length).find("out of range") != std::string::npos);
    CHECK(problem("5 10 m", Dimension::Length).find("\"10 m\" is not a unit") != std::string::npos);
    CHECK(problem("2 s since 2000-01-01", Dimension::Time) != "");
    CHECK(problem("1 lg(re 1 m)", Dimension::Length) != "");
}

TEST_CASE("units: a frequency is not an angular velocity, an angle is not a number") {
    CHECK(problem("1 Hz", Dimension::AngularVelocity).find("is a frequency") != std::string::npos);
    CHECK(problem("2 Hz", Dimension::Time).find("is a frequency") != std::string::npos);
    CHECK(problem("45 deg", Dimension::Number).find("is an angle") != std::string::npos);
}
