// Numbers of an array of a VTK XML file: as text, or as bytes that stand in the element or behind all elements, raw or in base64,
// compressed or not (VTK User's Guide, "XML file formats"; blocks of compressed data as in "VTK XML Formats" of the VTK wiki).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "setup/placement/vtk_scanner.hpp"

namespace scree {

/// What is the same for all arrays of a file.
struct VtkEncoding {
    bool lowest_first{true};      // order of the bytes of a number
    std::size_t header_bytes{4};  // of the numbers that say how long data are
    bool compressed{false};       // in blocks of zlib
    std::string_view appended{};  // data behind all elements
    bool appended_base64{false};
};

/// Where the numbers of one array stand.
struct VtkEncoded {
    enum class Form { Text, Inline, Appended } form{Form::Text};
    std::string_view content{};  // of the element: text, or base64
    std::uint64_t offset{0};     // in `appended`
};

/// Its numbers, tuple after tuple. Throws scree::Error at `place` where they are not as many as announced, are not finite, or are damaged.
/// An array has less than 2^32 tuples of four components at most. Memory is taken as data are found, not as they are announced.
std::vector<double> read_vtk_data(const VtkArray& array, const VtkEncoded& encoded, const VtkEncoding& encoding, const SourcePlace& place);

/// The type that XML files name so, such as Float64. Throws scree::Error at `place` where there is none of numbers.
VtkType vtk_xml_type_named(std::string_view name, const SourcePlace& place);

}  // namespace scree
