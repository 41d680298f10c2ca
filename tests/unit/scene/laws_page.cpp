// The page of contact laws (scene/laws_page.hpp): every declared law is on it, and its curves are the laws' own.
#include "scene/laws_page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "laws/kinds.hpp"

namespace scree {
namespace {

TEST_CASE("laws page: each declared law has a formula and grains, and each parameter a line") {
    const std::string page = laws_page();
    for (const LawKind& kind : law_kinds()) {
        for (const LawPart* part : kind.parts) {
            CAPTURE(part->name);
            const LawText text = law_text(kind.key, part->name);
            CHECK_FALSE(text.formula.empty());
            CHECK_FALSE(text.grains.empty());
            CHECK(page.find(std::string("`") + kind.key + " = \"" + part->name + "\"`") != std::string::npos);
        }
    }
    for (const LawParameter* p : law_parameters()) CHECK(page.find(std::string("| `") + p->name + "` | " + p->unit) != std::string::npos);
    CHECK(law_text("law", "no such law").formula.empty());
}

TEST_CASE("laws page: docs/laws.md is up to date") {
    std::ifstream file(std::string(SCREE_SOURCE_DIR) + "/docs/laws.md");
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    CHECK_MESSAGE(text.str() == laws_page(), "write it anew: build/bin/scree reference --laws > docs/laws.md");
}

TEST_CASE("laws page: every normal law and law of cohesion has a curve that pushes at depth") {
    const std::vector<LawCurve> curves = law_curves();
    CHECK(static_cast<int>(curves.size()) == PlasticLaws::count + CohesionLaws::count);
    for (const LawCurve& curve : curves) {
        CAPTURE(curve.law);
        REQUIRE(curve.overlap.size() == curve.force.size());
        REQUIRE(curve.overlap.size() > 100);
        const auto deepest = std::max_element(curve.overlap.begin(), curve.overlap.end()) - curve.overlap.begin();
        CHECK(curve.force[static_cast<std::size_t>(deepest)] > 0);
    }
    const std::string csv = law_curves_csv();
    CHECK(csv.rfind("kind,law,overlap,force\n", 0) == 0);
}

}  // namespace
}  // namespace scree
