#include "scene/units.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>

#include "base/error.hpp"

namespace scree {
namespace {

struct UnitDelete {
    void operator()(ut_unit* unit) const { ut_free(unit); }
};
using Unit = std::unique_ptr<ut_unit, UnitDelete>;

struct ConverterDelete {
    void operator()(cv_converter* converter) const { cv_free(converter); }
};
using Converter = std::unique_ptr<cv_converter, ConverterDelete>;

/// The unit database, read once per program; all calls into UDUNITS hold `mutex`.
struct UnitSystem {
    std::mutex mutex;
    ut_system* system{nullptr};
    UnitSystem() {
        ut_set_error_message_handler(ut_ignore);
        system = ut_read_xml(nullptr);
        if (!system) throw RunError("the unit database of UDUNITS-2 was not found; install libudunits2-data or set UDUNITS2_XML_PATH");
        Unit radian(ut_parse(system, "radian", UT_UTF8));
        Unit degree(ut_scale(std::numbers::pi / 180, radian.get()));
        ut_map_name_to_unit("deg", UT_UTF8, degree.get());
    }
};

UnitSystem& units() {
    static UnitSystem instance;
    return instance;
}

// UDUNITS takes radians for pure numbers, so 1 Hz would pass for 1 rad/s: whether a unit speaks of angles is read from its definition.
bool is_angular(const ut_unit* unit) {
    std::array<char, 256> text{};
    if (ut_format(unit, text.data(), text.size() - 1, UT_ASCII | UT_DEFINITION) < 0) return false;
    return std::string_view(text.data()).find("rad") != std::string_view::npos;
}

struct Named {
    const char* name;
    const char* unit;
};

/// Dimensions that people write by mistake, for "… is a time".
constexpr std::array<Named, 22> kNamed{{
    {"a plain number", "1"},
    {"an angle", "rad"},
    {"a length", "m"},
    {"a time", "s"},
    {"a mass", "kg"},
    {"a velocity", "m/s"},
    {"an acceleration", "m/s2"},
    {"an angular velocity", "rad/s"},
    {"a frequency", "1/s"},
    {"a density", "kg/m3"},
    {"a pressure", "Pa"},
    {"a stiffness", "N/m"},
    {"a force", "N"},
    {"an energy or a torque", "J"},
    {"a power", "W"},
    {"an area", "m2"},
    {"a viscosity", "Pa s"},
    {"a volume", "m3"},
    {"a temperature", "K"},
    {"a mass flow", "kg/s"},
    {"a moment of inertia", "kg m2"},
    {"a torsional stiffness", "N m/rad"},
}};

// Not ut_are_convertible: it takes a unit for its inverse, so 2 Hz would pass for a time of 0.5 s.
bool same_dimension(const ut_unit* unit, const char* other_text) {
    Unit other(ut_parse(units().system, other_text, UT_UTF8));
    Unit ratio(ut_divide(unit, other.get()));
    return ratio && ut_is_dimensionless(ratio.get()) && is_angular(unit) == is_angular(other.get());
}

std::string name_of(const ut_unit* unit) {
    for (const Named& named : kNamed)
        if (same_dimension(unit, named.unit)) return named.name;
    return "something else";
}

std::string expected(Dimension wanted) {
    const DimensionWords& words = words_of(wanted);
    return fmt::format("expected {}, such as \"{}\"", words.name, words.example);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// A unit starts with a letter, a percent sign, a non-ASCII symbol (µ, °) or "1/"; "5 10 m" is two numbers, not fifty metres.
bool looks_like_unit(std::string_view text) {
    if (text.size() > 40 || text.find('\0') != std::string_view::npos) return false;
    if (text.starts_with("1/")) return true;
    const auto first = static_cast<unsigned char>(text.front());
    return first >= 128 || first == '%' || std::isalpha(first);
}

/// Factor from `unit` to SI; not finite where the unit has an offset or a logarithm.
double factor_to(const ut_unit* unit, const char* si_text) {
    Unit si(ut_parse(units().system, si_text, UT_UTF8));
    Converter converter(ut_get_converter(const_cast<ut_unit*>(unit), si.get()));
    if (!converter || cv_convert_double(converter.get(), 0.0) != 0.0) return std::nan("");
    const double factor = cv_convert_double(converter.get(), 1.0);
    return cv_convert_double(converter.get(), 4.0) == 4.0 * factor ? factor : std::nan("");
}

/// The decimal number `digits` times ten to the `power`, rounded once: "4.2 mm" is the double that 0.0042 is.
double shifted(std::string_view digits, int power) {
    const std::size_t mark = digits.find_first_of("eE");
    int exponent = 0;
    if (mark != std::string_view::npos) {
        std::string_view own = digits.substr(mark + 1);
        if (own.starts_with('+')) own.remove_prefix(1);
        std::from_chars(own.data(), own.data() + own.size(), exponent);
    }
    const std::string text = fmt::format("{}e{}", digits.substr(0, mark), exponent + power);
    double value = 0;
    const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault == std::errc::result_out_of_range) return exponent + power > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return value;
}

}  // namespace

const DimensionWords& words_of(Dimension dimension) {
    static constexpr std::array<DimensionWords, 26> kWords{{
        {"a plain number", "1", "5 %"},
        {"a length", "m", "2 mm"},
        {"a time", "s", "20 ms"},
        {"a velocity", "m/s", "3 cm/s"},
        {"an acceleration", "m/s2", "9.81 m/s^2"},
        {"an angle", "rad", "45 deg"},
        {"an angular velocity", "rad/s", "30 rpm"},
        {"a density", "kg/m3", "2500 kg/m^3"},
        {"a pressure", "Pa", "10 MPa"},
        {"a stiffness", "N/m", "10 kN/m"},
        {"a frequency", "1/s", "50 Hz"},
        {"a damping constant", "N s/m", "3 N s/m"},
        {"a mass", "kg", "250 g"},
        {"a moment of inertia", "kg m2", "40 g cm^2"},
        {"a force", "N", "5 kN"},
        {"a torque", "N m", "3 N m"},
        {"a torsional stiffness", "N m/rad", "2 N m/deg"},
        {"a torsional damping", "N m s/rad", "0.1 N m s/rad"},
        {"a surface energy", "J/m2", "50 mJ/m^2"},
        {"a surface tension", "N/m", "72 mN/m"},
        {"an energy density", "J/m3", "80 kJ/m^3"},
        {"an energy", "J", "6.5e-20 J"},
        {"a volume", "m3", "2 mm^3"},
        {"a mass flow", "kg/s", "3 t/h"},
        {"an area", "m2", "25 cm^2"},
        {"a viscosity", "Pa s", "1 mPa s"},
    }};
    return kWords[static_cast<std::size_t>(dimension)];
}

Quantity parse_quantity(std::string_view text, Dimension wanted) {
    const std::string_view all = trimmed(text);
    Quantity result;
    const char* begin = all.data();
    const char* end = begin + all.size();
    if (begin != end && *begin == '+') ++begin;
    const auto [rest, fault] = std::from_chars(begin, end, result.value);
    if (fault == std::errc::result_out_of_range) return {0, fmt::format("{}; the number in \"{}\" is out of range", expected(wanted), all)};
    if (fault != std::errc() || !std::isfinite(result.value))
        return {0, fmt::format("{}; \"{}\" does not start with a number", expected(wanted), all)};

    const std::string_view unit_text = trimmed({rest, static_cast<std::size_t>(end - rest)});
    if (unit_text.empty()) {
        if (wanted == Dimension::Number) return {0, fmt::format("write the number {} without quotes", all)};
        return {0, fmt::format("{}; \"{}\" has no unit (write a number without quotes for SI, {})", expected(wanted), all,
                               words_of(wanted).unit)};
    }
    std::lock_guard lock(units().mutex);
    Unit unit(looks_like_unit(unit_text) ? ut_parse(units().system, std::string(unit_text).c_str(), UT_UTF8) : nullptr);
    if (!unit) return {0, fmt::format("{}; \"{}\" is not a unit", expected(wanted), unit_text)};

    const char* si = words_of(wanted).unit;
    if (!same_dimension(unit.get(), si)) return {0, fmt::format("{}; \"{}\" is {}", expected(wanted), all, name_of(unit.get()))};
    const double factor = factor_to(unit.get(), si);
    if (!std::isfinite(factor) || factor <= 0)
        return {0, fmt::format("{}; \"{}\" is not a multiple of {}", expected(wanted), unit_text, si)};
    const double power = std::round(std::log10(factor));
    if (std::abs(factor / std::pow(10.0, power) - 1) < 1e-14)
        result.value = shifted({begin, static_cast<std::size_t>(rest - begin)}, static_cast<int>(power));
    else
        result.value *= factor;
    if (!std::isfinite(result.value)) return {0, fmt::format("{}; \"{}\" is out of range", expected(wanted), all)};
    return result;
}

}  // namespace scree
