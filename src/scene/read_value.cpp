#include "scene/read_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "scene/suggest.hpp"

namespace scree {
namespace {

/// The node in hand and everything a message about it needs.
struct Input {
    const toml::node& node;
    const Key& key;
    const std::string& label;
    SourcePlace place;
    bool planar;  // the scene has two dimensions

    [[noreturn]] void fail(const std::string& message) const { throw Error(place, fmt::format("{}: {}", label, message)); }
    [[noreturn]] void wrong_type(const std::string& expected) const { fail(fmt::format("expected {}, not {}", expected, what_it_is())); }

    std::string what_it_is() const {
        switch (node.type()) {
            case toml::node_type::string:
                return fmt::format("\"{}\"", **node.as_string());
            case toml::node_type::boolean:
                return **node.as_boolean() ? "true" : "false";
            case toml::node_type::integer:
                return fmt::format("{}", **node.as_integer());
            case toml::node_type::floating_point:
                return fmt::format("{}", **node.as_floating_point());
            case toml::node_type::array:
                return fmt::format("a list of {}", node.as_array()->size());
            case toml::node_type::table:
                return "a table";
            default:
                return "a date or time";
        }
    }
    Input part(const toml::node& element) const { return {element, key, label, place_of(element, place), planar}; }
};

std::string number_words(const Key& key) {
    if (key.type == Type::Function) {
        Key plain;
        plain.dimension = key.dimension;
        plain.type = Type::Number;
        return fmt::format("{} or a table {{ {} = … }}", number_words(plain), fmt::join(key.table->key_names(), " = …, "));
    }
    const DimensionWords& words = words_of(key.dimension);
    if (key.dimension == Dimension::Number) return "a number";
    return fmt::format("{} (a number in {}, or text such as \"{}\")", words.name, words.unit, words.example);
}

void check_bounds(const Input& in, double value) {
    const Key& key = in.key;
    const bool low_fault = key.low_open ? value <= key.low : value < key.low;
    if (!low_fault && value <= key.high) return;
    std::string bounds;
    if (key.low == key.high) {
        bounds = fmt::format("{}", key.low);
    } else if (key.low == -kInfinity) {
        bounds = fmt::format("at most {}", key.high);
    } else {
        bounds = fmt::format("{} {}", key.low_open ? "above" : "at least", key.low);
        if (key.high < kInfinity) bounds += fmt::format(" and at most {}", key.high);
    }
    in.fail(fmt::format("must be {}, not {}{}", bounds, value, key.reason.empty() ? "" : " (" + key.reason + ")"));
}

/// A finite number in SI; infinite where the key allows it. Bounds are the caller's.
double number(const Input& in) {
    double value = 0;
    if (const auto* integer = in.node.as_integer()) {
        value = static_cast<double>(**integer);
    } else if (const auto* floating = in.node.as_floating_point()) {
        value = **floating;
    } else if (const auto* text = in.node.as_string()) {
        const Quantity quantity = parse_quantity(**text, in.key.dimension);
        if (!quantity.problem.empty()) in.fail(quantity.problem);
        value = quantity.value;
    } else {
        in.wrong_type(number_words(in.key));
    }
    if (std::isnan(value)) in.fail("must be a number, not nan");
    if (std::isinf(value) && !in.key.may_be_infinite) in.fail("must be finite");
    return value + 0.0;  // no negative zero, so that text written again reads the same
}

const toml::array& array_of(const Input& in, std::size_t size, const std::string& expected) {
    const toml::array* array = in.node.as_array();
    if (!array || (size > 0 && array->size() != size)) in.wrong_type(expected);
    return *array;
}

/// In two dimensions [x, y], or of what turns a number.
Vec3 planar_vector(const Input& in) {
    if (in.key.about_z) return {0, 0, number(in)};
    const toml::array* array = in.node.as_array();
    if (array && array->size() == 3) in.fail("expected two numbers [x, y], not three: the scene has dimensions = 2");
    array_of(in, 2, fmt::format("two numbers [x, y], each {}", number_words(in.key)));
    return {number(in.part((*array)[0])), number(in.part((*array)[1])), in.key.third};
}

Vec3 vector(const Input& in) {
    if (in.planar) return planar_vector(in);
    const toml::array& array = array_of(in, 3, fmt::format("three numbers [x, y, z], each {}", number_words(in.key)));
    return {number(in.part(array[0])), number(in.part(array[1])), number(in.part(array[2]))};
}

std::vector<Vec3> points(const Input& in) {
    const auto least = static_cast<std::size_t>(in.key.low), most = static_cast<std::size_t>(in.key.high);
    const char* form = in.planar ? "[[x, y], …]" : "[[x, y, z], …]";
    const std::string expected =
        least == most ? fmt::format("a list of {} points {}", least, form) : fmt::format("a list of points {}", form);
    const toml::array& array = array_of(in, 0, expected);
    std::vector<Vec3> result;
    const bool single = least == 1 && !array.empty() && !array[0].is_array();
    if (single) return {vector(in)};
    if (array.size() < least || array.size() > most) in.wrong_type(expected);
    for (const toml::node& point : array) result.push_back(vector(in.part(point)));
    return result;
}

std::int64_t integer(const Input& in) {
    const auto* node = in.node.as_integer();
    if (!node) in.wrong_type("a whole number");
    check_bounds(in, static_cast<double>(**node));
    return **node;
}

std::string text(const Input& in, const std::string& expected) {
    const auto* node = in.node.as_string();
    if (!node) in.wrong_type(expected);
    const bool control = std::any_of((*node)->begin(), (*node)->end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
    if (control) in.fail("must not contain line breaks or other control characters");
    return **node;
}

std::string word(const Input& in) {
    const Key& key = in.key;
    std::string value = text(in, fmt::format("one of {}", fmt::join(key.words, ", ")));
    if (std::find(key.words.begin(), key.words.end(), value) != key.words.end()) return value;
    if (std::find(key.planned.begin(), key.planned.end(), value) != key.planned.end())
        in.fail(fmt::format("\"{}\" is not in this version, which has {} only", value, fmt::join(key.words, ", ")));
    const std::string close = nearest(value, key.words);
    in.fail(fmt::format("\"{}\" is not one of {}{}", value, fmt::join(key.words, ", "),
                        close.empty() ? "" : fmt::format("; did you mean \"{}\"?", close)));
}

std::string path(const Input& in, const std::string& folder) {
    const std::string value = text(in, "a file name in quotes");
    if (value.empty()) in.fail("needs a file name");
    const std::filesystem::path joined = std::filesystem::path(folder) / value;
    return std::filesystem::absolute(joined).lexically_normal().string();
}

std::string name(const Input& in) {
    std::string value = text(in, "a name in quotes");
    if (value.empty()) in.fail("must not be empty");
    if (in.key.refers_to.empty() && !is_identifier(value))
        in.fail(fmt::format("\"{}\" is not a name: use letters, digits, _ and -", value));
    return value;
}

std::vector<std::int64_t> counts(const Input& in) {
    std::string expected = in.planar ? "two whole numbers [nx, ny]" : "three whole numbers [nx, ny, nz]";
    if (!in.key.empty_word.empty()) expected += fmt::format(" or \"{}\"", in.key.empty_word);
    const toml::array& array = array_of(in, in.planar ? 2 : 3, expected);
    if (in.planar) return {integer(in.part(array[0])), integer(in.part(array[1])), 1};
    return {integer(in.part(array[0])), integer(in.part(array[1])), integer(in.part(array[2]))};
}

std::vector<double> interval(const Input& in) {
    const toml::array& array = array_of(in, 2, fmt::format("two numbers [from, to], each {}", number_words(in.key)));
    return {number(in.part(array[0])), number(in.part(array[1]))};
}

/// "none" leaves a side open.
std::vector<double> limits(const Input& in) {
    const toml::array& array = array_of(in, 2, fmt::format("two numbers [low, high], each {} or \"none\"", number_words(in.key)));
    std::vector<double> ends{-kInfinity, kInfinity};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto* text = array[i].as_string();
        if (!text || **text != "none") ends[i] = number(in.part(array[i]));
    }
    return ends;
}

std::vector<double> numbers(const Input& in) {
    const auto least = static_cast<std::size_t>(in.key.low), most = static_cast<std::size_t>(in.key.high);
    const std::string expected = fmt::format("a list of {} to {} numbers, each {}", least, most, number_words(in.key));
    const toml::array& array = array_of(in, 0, expected);
    if (array.size() < least || array.size() > most) in.wrong_type(expected);
    std::vector<double> result;
    for (const toml::node& part : array) result.push_back(number(in.part(part)));
    return result;
}

std::vector<std::array<double, 4>> spheres(const Input& in) {
    const toml::array& array = array_of(in, 0, "a list of spheres [[x, y, z, r], …]");
    if (array.empty()) in.wrong_type("a list of spheres [[x, y, z, r], …]");
    std::vector<std::array<double, 4>> result;
    for (const toml::node& sphere : array) {
        const Input own = in.part(sphere);
        const toml::array& parts = array_of(own, 4, fmt::format("four numbers [x, y, z, r], each {}", number_words(in.key)));
        std::array<double, 4>& xyzr = result.emplace_back();
        for (std::size_t i = 0; i < 4; ++i) xyzr[i] = number(own.part(parts[i]));
        if (!(xyzr[3] > 0)) own.part(parts[3]).fail(fmt::format("the radius must be above 0, not {}", xyzr[3]));
    }
    return result;
}

std::vector<double> quaternion(const Input& in) {
    std::string expected = "four numbers [w, x, y, z]";
    if (!in.key.empty_word.empty()) expected += fmt::format(" or \"{}\"", in.key.empty_word);
    std::vector<double> q;
    for (const toml::node& part : array_of(in, 4, expected)) q.push_back(number(in.part(part)));
    return q;
}

std::vector<std::string> name_pair(const Input& in) {
    const toml::array& array = array_of(in, 2, "two names [\"a\", \"b\"]");
    return {name(in.part(array[0])), name(in.part(array[1]))};
}

std::vector<std::string> names(const Input& in) {
    const char* expected = "a name, or a list of names [\"a\", \"b\", …]";
    if (in.node.is_string()) return {name(in)};
    const toml::array& array = array_of(in, 0, expected);
    if (array.empty()) in.wrong_type(expected);
    std::vector<std::string> result;
    for (const toml::node& part : array) result.push_back(name(in.part(part)));
    return result;
}

bool flag(const Input& in) {
    const auto* node = in.node.as_boolean();
    if (!node) in.wrong_type("true or false");
    if (!**node && in.key.low >= 1) in.fail("can only be true; leave it out otherwise");
    return **node;
}

}  // namespace

SourcePlace place_of(const toml::node& node, const SourcePlace& fallback) {
    const toml::source_region& source = node.source();
    if (!source.path || !source.begin) return fallback;
    if (source.path->starts_with("--set ")) return {*source.path, 0, 0};
    return {*source.path, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

bool is_identifier(const std::string& name) {
    return !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
}

Value read_value(const toml::node& node, const Key& key, const std::string& label, const SourcePlace& fallback, const std::string& folder,
                 std::int64_t dimensions) {
    const Input in{node, key, label, place_of(node, fallback), dimensions == 2};
    if (!key.empty_word.empty() && node.is_string() && **node.as_string() == key.empty_word) return std::monostate{};
    switch (key.type) {
        case Type::Flag:
            return flag(in);
        case Type::Integer:
            return integer(in);
        case Type::Function:
        case Type::Number: {
            const double value = number(in);
            check_bounds(in, value);
            return value;
        }
        case Type::Word:
            return word(in);
        case Type::Text:
            return text(in, "text in quotes");
        case Type::Path:
            return path(in, folder);
        case Type::Name:
            return name(in);
        case Type::NamePair:
            return name_pair(in);
        case Type::Names:
            return names(in);
        case Type::Vector:
            return vector(in);
        case Type::Points:
            return points(in);
        case Type::Quaternion:
            return quaternion(in);
        case Type::Counts:
            return counts(in);
        case Type::Interval:
            return interval(in);
        case Type::Limits:
            return limits(in);
        case Type::Numbers:
            return numbers(in);
        case Type::Spheres:
            return spheres(in);
        case Type::Table:
        case Type::Tables:
        case Type::NamedTables:
            break;
    }
    in.fail("is a table, not a value");
}

}  // namespace scree
