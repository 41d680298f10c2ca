// The page of contact laws (docs/laws.md) and their curves, from the laws themselves (laws/kinds.hpp).
#pragma once

#include <string>
#include <vector>

#include "laws/part.hpp"

namespace scree {

/// Markdown: of each law its word, formula, source and needs; which law is for which grain.
std::string laws_page();

/// Force against overlap of a declared law with the values that the page names.
struct LawCurve {
    std::string kind, law;
    std::vector<double> overlap, force;  // [m], [N]; force positive where it pushes; of cohesion the whole force, beside Hertz's
};
std::vector<LawCurve> law_curves();
/// law_curves() as CSV: kind, law, overlap, force.
std::string law_curves_csv();

/// Formula and grains of a law, by its kind's key and its name; empty where the page has none.
struct LawText {
    std::string formula, grains;
};
LawText law_text(const std::string& kind, const std::string& law);

}  // namespace scree
