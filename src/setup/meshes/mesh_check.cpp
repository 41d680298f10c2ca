// What a PLY or OFF file announces against what it holds. A binary PLY is walked by the bytes of its types, text by rows of numbers.
#include "setup/meshes/mesh_check.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "setup/placement/text_rows.hpp"

namespace scree {
namespace {

using Row = std::vector<std::string_view>;

std::int64_t count_or_throw(std::string_view field, const SourcePlace& place) {
    const std::optional<std::int64_t> count = parse_whole_number(field);
    if (!count || *count < 0 || *count > INT32_MAX) throw Error(place, fmt::format("\"{}\" is not a number of vertices or faces", field));
    return *count;
}

void require_corner(std::int64_t corner, std::int64_t vertices, const SourcePlace& place) {
    if (corner < 0 || corner >= vertices)
        throw Error(place, fmt::format("a face has the corner {}, but there are {} vertices, counted from 0", corner, vertices));
}

struct Type {
    const char* name;
    int bytes;
    enum Kind { Signed, Unsigned, Real } kind;
};

constexpr std::array<Type, 16> types{{{"char", 1, Type::Signed},
                                      {"uchar", 1, Type::Unsigned},
                                      {"short", 2, Type::Signed},
                                      {"ushort", 2, Type::Unsigned},
                                      {"int", 4, Type::Signed},
                                      {"uint", 4, Type::Unsigned},
                                      {"float", 4, Type::Real},
                                      {"double", 8, Type::Real},
                                      {"int8", 1, Type::Signed},
                                      {"uint8", 1, Type::Unsigned},
                                      {"int16", 2, Type::Signed},
                                      {"uint16", 2, Type::Unsigned},
                                      {"int32", 4, Type::Signed},
                                      {"uint32", 4, Type::Unsigned},
                                      {"float32", 4, Type::Real},
                                      {"float64", 8, Type::Real}}};

Type type_named(std::string_view name, const SourcePlace& place) {
    for (const Type& type : types)
        if (name == type.name) return type;
    throw Error(place, fmt::format("\"{}\" is not a type of numbers in a PLY file", name));
}

struct Property {
    Type type;
    std::optional<Type> counted_by;  // of a list
    bool corners{false};             // of a face
};

struct Element {
    std::string name;
    std::int64_t count{0};
    std::vector<Property> properties;
};

struct PlyHeader {
    enum { Text, LittleEndian, BigEndian } format{Text};
    std::vector<Element> elements;
    std::int64_t vertices{0};
};

Property property_of(const Row& row, const Element& element, const SourcePlace& place) {
    if (row.size() == 3) return {type_named(row[1], place), std::nullopt, false};
    if (row.size() != 5 || row[1] != "list") throw Error(place, "a property is TYPE NAME, or list TYPE TYPE NAME");
    const Type counted_by = type_named(row[2], place), type = type_named(row[3], place);
    const bool corners = element.name == "face" && (row[4] == "vertex_indices" || row[4] == "vertex_index");
    if (counted_by.kind == Type::Real || (corners && type.kind == Type::Real))
        throw Error(place, "lists are counted, and corners named, by whole numbers");
    return {type, counted_by, corners};
}

void read_format(const Row& row, PlyHeader& header, const SourcePlace& place) {
    if (row.size() >= 2 && row[1] == "ascii") {
        header.format = PlyHeader::Text;
    } else if (row.size() >= 2 && row[1] == "binary_little_endian") {
        header.format = PlyHeader::LittleEndian;
    } else if (row.size() >= 2 && row[1] == "binary_big_endian") {
        header.format = PlyHeader::BigEndian;
    } else {
        throw Error(place, "the format must be ascii, binary_little_endian or binary_big_endian");
    }
}

void require_elements(const PlyHeader& header, const SourcePlace& place) {
    for (const Element& element : header.elements)
        if (element.properties.empty()) throw Error(place, fmt::format("element \"{}\" has no property", element.name));
    if (header.vertices == 0) throw Error(place, "the header names no vertices");
}

PlyHeader read_ply_header(TextRows& rows, const SourcePlace& file) {
    Row row;
    if (!rows.next(row) || row.size() != 1 || row[0] != "ply") throw Error(file, "a PLY file begins with a line \"ply\"");
    PlyHeader header;
    bool has_format = false;
    while (rows.next(row)) {
        const std::string_view word = row[0];
        if (word == "end_header") {
            if (!has_format) throw Error(rows.here(), "the header has no line \"format\"");
            require_elements(header, rows.here());
            return header;
        }
        if (word == "format") {
            read_format(row, header, rows.here());
            has_format = true;
        } else if (word == "element") {
            if (row.size() != 3) throw Error(rows.here(), "an element has a name and a count");
            header.elements.push_back({std::string(row[1]), count_or_throw(row[2], rows.here()), {}});
            if (row[1] == "vertex") header.vertices = header.elements.back().count;
        } else if (word == "property") {
            if (header.elements.empty()) throw Error(rows.here(), "a property belongs to an element, which comes first");
            header.elements.back().properties.push_back(property_of(row, header.elements.back(), rows.here()));
        } else if (!word.starts_with("comment") && !word.starts_with("obj_info")) {
            throw Error(rows.here(), fmt::format("the header of a PLY file has no line \"{}\"", word));
        }
    }
    throw Error(file, "the header has no end_header: the file seems to be cut off");
}

Error cut_off(const SourcePlace& file, const Element& element, std::int64_t found) {
    return {file, fmt::format("{} of {} of element \"{}\" are there: the file seems to be cut off", found, element.count, element.name)};
}

/// The numbers of one row: as many as the properties ask for.
void check_row(const Row& row, const Element& element, std::int64_t vertices, const SourcePlace& place) {
    for (const std::string_view field : row) (void)number_or_throw(field, place);
    std::size_t at = 0;
    const auto left = [&](std::size_t wanted) {
        if (row.size() - at < wanted) throw Error(place, fmt::format("the row of element \"{}\" ends early", element.name));
    };
    for (const Property& property : element.properties) {
        left(1);
        if (!property.counted_by) {
            ++at;
            continue;
        }
        const std::int64_t count = count_or_throw(row[at++], place);
        left(static_cast<std::size_t>(count));
        for (std::int64_t k = 0; k < count; ++k, ++at)
            if (property.corners) require_corner(parse_whole_number(row[at]).value_or(-1), vertices, place);
    }
}

void check_text(TextRows& rows, const PlyHeader& header, const SourcePlace& file) {
    Row row;
    for (const Element& element : header.elements) {
        for (std::int64_t k = 0; k < element.count; ++k) {
            if (!rows.next(row)) throw cut_off(file, element, k);
            check_row(row, element, header.vertices, rows.here());
        }
    }
}

/// A whole number of 1, 2 or 4 bytes.
std::int64_t number_in(std::string_view bytes, Type type, bool big_endian) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        const std::size_t at = big_endian ? bytes.size() - 1 - k : k;
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at])} << (8 * k);
    }
    const std::int64_t plain = static_cast<std::int64_t>(value), range = std::int64_t{1} << (8 * type.bytes);
    return type.kind == Type::Signed && plain >= range / 2 ? plain - range : plain;
}

void check_binary(std::string_view bytes, const PlyHeader& header, const SourcePlace& file) {
    const bool big_endian = header.format == PlyHeader::BigEndian;
    for (const Element& element : header.elements) {
        for (std::int64_t k = 0; k < element.count; ++k) {
            const auto take = [&](std::int64_t count) {
                if (count < 0 || static_cast<std::uint64_t>(count) > bytes.size()) throw cut_off(file, element, k);
                const std::string_view taken = bytes.substr(0, static_cast<std::size_t>(count));
                bytes.remove_prefix(taken.size());
                return taken;
            };
            for (const Property& property : element.properties) {
                const Type type = property.type;
                if (!property.counted_by) {
                    take(type.bytes);
                    continue;
                }
                const std::int64_t count = number_in(take(property.counted_by->bytes), *property.counted_by, big_endian);
                const std::string_view list = take(count * type.bytes);
                for (std::size_t at = 0; property.corners && at < list.size(); at += static_cast<std::size_t>(type.bytes))
                    require_corner(number_in(list.substr(at, static_cast<std::size_t>(type.bytes)), type, big_endian), header.vertices,
                                   file);
            }
        }
    }
}

}  // namespace

void check_ply(const std::string& path, const SourcePlace& place) {
    TextRows rows(path, place);
    const SourcePlace file{path, 0, 0};
    const PlyHeader header = read_ply_header(rows, file);
    if (header.format == PlyHeader::Text) {
        check_text(rows, header, file);
    } else {
        check_binary(rows.rest(), header, file);
    }
}

void check_off(const std::string& path, const SourcePlace& place) {
    TextRows rows(path, place);
    const SourcePlace file{path, 0, 0};
    Row row;
    if (!rows.next(row) || !row[0].ends_with("OFF")) throw Error(file, "an OFF file begins with \"OFF\"");
    row.erase(row.begin());
    if (row.empty() && !rows.next(row)) throw Error(file, "the numbers of vertices and faces are missing: the file seems to be cut off");
    if (row.size() < 2) throw Error(rows.here(), "the numbers of vertices and faces are needed");
    const std::int64_t vertices = count_or_throw(row[0], rows.here()), faces = count_or_throw(row[1], rows.here());
    for (std::int64_t k = 0; k < vertices; ++k) {
        if (!rows.next(row)) throw Error(file, fmt::format("{} of {} vertices are there: the file seems to be cut off", k, vertices));
        if (row.size() < 3) throw Error(rows.here(), "a vertex has x, y and z");
        for (std::size_t axis = 0; axis < 3; ++axis) (void)number_or_throw(row[axis], rows.here());
    }
    for (std::int64_t k = 0; k < faces; ++k) {
        if (!rows.next(row)) throw Error(file, fmt::format("{} of {} faces are there: the file seems to be cut off", k, faces));
        const std::int64_t corners = count_or_throw(row[0], rows.here());
        if (corners > static_cast<std::int64_t>(row.size()) - 1) throw Error(rows.here(), fmt::format("{} corners are needed", corners));
        for (std::int64_t c = 1; c <= corners; ++c)
            require_corner(parse_whole_number(row[static_cast<std::size_t>(c)]).value_or(-1), vertices, rows.here());
    }
}

}  // namespace scree
