// The committed reference page is the one the schema gives, and every key of the schema says what it is.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "scene/parse.hpp"
#include "scene/schema.hpp"

using namespace scree;

TEST_CASE("reference: docs/scene_reference.md is up to date") {
    const std::string path = std::string(SCREE_SOURCE_DIR) + "/docs/scene_reference.md";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    // To renew it: SCREE_WRITE_REFERENCE=1 test_scene -tc="reference*"
    if (std::getenv("SCREE_WRITE_REFERENCE")) {
        std::ofstream(path) << scene_reference();
    } else {
        CHECK_MESSAGE(text.str() == scene_reference(), "renew it: SCREE_WRITE_REFERENCE=1 test_scene");
    }
}

TEST_CASE("reference: every key is documented once, and bound") {
    const std::function<void(const Table&)> check = [&](const Table& table) {
        for (const Key& key : table.keys) {
            CHECK_MESSAGE(table.find(key.name) == &key, key.name, " is twice in ", table.header);
            if (key.table) {
                CHECK(key.edit);
                CHECK(key.visit);
                check(*key.table);
            } else {
                CHECK_MESSAGE(key.doc.ends_with("."), key.name, " of ", table.header, " needs a sentence");
                CHECK(key.set);
                CHECK(key.get);
                CHECK((key.type == Type::Word || (key.type == Type::Names && key.refers_to.empty())) == !key.words.empty());
            }
        }
        if (!table.selector.empty()) CHECK(table.find(table.selector));
    };
    check(scene_schema());
}
