// What a part of a contact law says of itself: its name, where it is from, and the parameters that it reads of materials. Scene, set-up and
// engine read the same declarations.
#pragma once

#include <cmath>
#include <string_view>

namespace scree {

/// How a value of two materials follows from those of each with itself.
enum class Mixing { GeometricMean, ArithmeticMean, Least };

inline double mixed(double a, double b, Mixing mixing) {
    if (a == b) return a;
    switch (mixing) {
        case Mixing::GeometricMean:
            return std::sqrt(a * b);
        case Mixing::ArithmeticMean:
            return 0.5 * (a + b);
        case Mixing::Least:
            return a < b ? a : b;
    }
    return a;
}

/// A parameter of materials, and of pairs of materials.
struct LawParameter {
    const char* name;
    const char* unit;  // SI; of one of the dimensions of scene/units.hpp
    const char* doc;   // a sentence
    Mixing mixing{Mixing::GeometricMean};
    bool positive{false};  // zero is refused; else what is not negative is taken
    double fallback{-1};   // value where none is given; negative: one must be given
    double most{1e300};
};

/// The most parameters that a part reads.
inline constexpr int most_law_parameters = 4;

/// A part of a contact law.
struct LawPart {
    const char* name;    // its word in [method]
    const char* doc;     // what it is, with its source; no full stop
    bool needs_modulus;  // reads the effective modulus: of law = "hertz" alone
    int count;
    const LawParameter* parameters[most_law_parameters];

    constexpr int index_of(std::string_view parameter) const {
        for (int k = 0; k < count; ++k)
            if (parameter == parameters[k]->name) return k;
        return -1;
    }
};

/// What a part reads of a pair of materials; kernels in the precision of contacts.
template <class T>
struct LawValuesOf {
    T value[most_law_parameters];  // in the order of LawPart::parameters
    T modulus;                     // 1 / ((1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b) [Pa]; 0 where the normal law has none
    T law{};                       // its number in the list of its kind, read where pairs have different ones; 0: none
};
using LawValues = LawValuesOf<double>;

}  // namespace scree
