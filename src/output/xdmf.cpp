#include "output/xdmf.hpp"

#include <fmt/format.h>

#include <iterator>

namespace scree {
namespace {

struct Column {
    const char* name;
    const char* type;  // of the elements, as XDMF names it
    int bytes;
    int columns;
};

constexpr Column kColumns[] = {
    {"id", "UInt", 4, 1},      {"radius", "Float", 8, 1},   {"mass", "Float", 8, 1},
    {"material", "Int", 4, 1}, {"velocity", "Float", 8, 3}, {"angular_velocity", "Float", 8, 3},
};
constexpr Column kOrientation = {"orientation", "Float", 8, 4};

void add_item(std::string& text, const FrameEntry& frame, const Column& column, const std::string& file) {
    const std::string dimensions =
        column.columns == 1 ? fmt::format("{}", frame.bodies) : fmt::format("{} {}", frame.bodies, column.columns);
    fmt::format_to(std::back_inserter(text), R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:{}/{}</DataItem>)",
                   column.type, column.bytes, dimensions, file, frame.group, column.name);
}

void add_attribute(std::string& text, const FrameEntry& frame, const Column& column, const std::string& file) {
    // Four components have no type of their own in XDMF; "Matrix" takes any number.
    const char* kind = column.columns == 1 ? "Scalar" : column.columns == 3 ? "Vector" : "Matrix";
    fmt::format_to(std::back_inserter(text), R"(        <Attribute Name="{}" AttributeType="{}" Center="Node">)", column.name, kind);
    add_item(text, frame, column, file);
    text += "</Attribute>\n";
}

void add_frame(std::string& text, const FrameEntry& frame, const std::string& file) {
    fmt::format_to(std::back_inserter(text), "      <Grid Name=\"{}\" GridType=\"Uniform\">\n",
                   frame.group.substr(frame.group.rfind('/') + 1));
    fmt::format_to(std::back_inserter(text), "        <Time Value=\"{:.17g}\"/>\n", frame.time);
    fmt::format_to(std::back_inserter(text), "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\">",
                   frame.bodies);
    fmt::format_to(std::back_inserter(text), R"(<DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{0}">{1}:{2}</DataItem>)",
                   frame.bodies, file, points_path(frame.bodies));
    text += "</Topology>\n";
    text += R"(        <Geometry GeometryType="XYZ">)";
    add_item(text, frame, {"position", "Float", 8, 3}, file);
    text += "</Geometry>\n";
    for (const Column& column : kColumns) add_attribute(text, frame, column, file);
    if (frame.orientation) add_attribute(text, frame, kOrientation, file);
    text += "      </Grid>\n";
}

}  // namespace

std::string points_path(std::size_t bodies) {
    return fmt::format("/points/{}", bodies);
}

std::string xdmf_text(const std::vector<FrameEntry>& frames, const std::string& hdf5_name) {
    std::string text =
        "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"bodies\" GridType=\"Collection\" "
        "CollectionType=\"Temporal\">\n";
    for (const FrameEntry& frame : frames) {
        if (frame.bodies > 0) add_frame(text, frame, hdf5_name);
    }
    text += "    </Grid>\n  </Domain>\n</Xdmf>\n";
    return text;
}

}  // namespace scree
