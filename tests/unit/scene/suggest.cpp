#include "scene/suggest.hpp"

#include <doctest/doctest.h>

using namespace scree;

TEST_CASE("suggest: edit distance counts insertions, deletions, replacements and swaps") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("raduis", "radius") == 1);
    CHECK(edit_distance("radis", "radius") == 1);
}

TEST_CASE("suggest: the nearest word, or none where none is near") {
    const std::vector<std::string> known{"radius", "diameter", "classes", "kind"};
    CHECK(nearest("raduis", known) == "radius");
    CHECK(nearest("Diametre", known) == "diameter");
    CHECK(nearest("temperature", known).empty());
    CHECK(nearest("xy", {"ab"}).empty());
    CHECK(suggestion("raduis", known) == "; did you mean \"radius\"?");
    CHECK(suggestion("temperature", known) == "; known: radius, diameter, classes, kind");
    CHECK(suggestion("a", {}).empty());
}
