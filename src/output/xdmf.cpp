#include "output/xdmf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "output/geometry_file.hpp"

namespace scree {
namespace {

struct Column {
    const char* name;  // that the viewer shows
    const char* type;  // of the elements, as XDMF names it
    int bytes;
    int columns;
    const char* path;  // below the group; null: the name
};

constexpr Column kBodyColumns[] = {
    {"id", "UInt", 4, 1, nullptr},
    {"radius", "Float", 8, 1, nullptr},
    {"mass", "Float", 8, 1, nullptr},
    {"material", "Int", 4, 1, nullptr},
};
constexpr Column kShape = {"shape", "Int", 4, 1, nullptr};
constexpr Column kOwner = {"owner", "Int", 4, 1, nullptr};
constexpr Column kTriangleColumns[] = {
    {"id", "UInt", 4, 1, "body"},
    {"material", "Int", 4, 1, nullptr},
    {"speed", "Float", 4, 1, nullptr},
};

/// Appends the text of one file.
class Writer {
public:
    Writer(std::string& text, const std::string& file) : out_(std::back_inserter(text)), file_(file) {}

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(out_, format, std::forward<Arguments>(arguments)...);
    }
    void item(const Column& column, std::size_t rows, const std::string& path) {
        add(R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}{}">{}:{}</DataItem>)", column.type, column.bytes, rows,
            column.columns == 1 ? "" : fmt::format(" {}", column.columns), file_, path);
    }
    void attribute(const Column& column, const char* centre, std::size_t rows, const std::string& group) {
        // Four components have no type of their own in XDMF; "Matrix" takes any number.
        const char* kind = column.columns == 1 ? "Scalar" : column.columns == 3 ? "Vector" : "Matrix";
        add(R"(        <Attribute Name="{}" AttributeType="{}" Center="{}">)", column.name, kind, centre);
        item(column, rows, group + "/" + (column.path ? column.path : column.name));
        add("</Attribute>\n");
    }
    void geometry(int bytes, std::size_t rows, const std::string& path) {
        add(R"(        <Geometry GeometryType="XYZ">)");
        item({"", "Float", bytes, 3, nullptr}, rows, path);
        add("</Geometry>\n");
    }
    void triangles(std::size_t count, const std::string& path) {
        add(R"(        <Topology TopologyType="Triangle" NumberOfElements="{}">)", count);
        item({"", "Int", 4, 3, nullptr}, count, path);
        add("</Topology>\n");
    }

private:
    std::back_insert_iterator<std::string> out_;
    const std::string& file_;
};

void add_bodies(Writer& to, const FrameEntry& frame, const std::string& name) {
    to.add("      <Grid Name=\"{}\" GridType=\"Uniform\">\n        <Time Value=\"{:.17g}\"/>\n", name, frame.time);
    to.add("        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\">", frame.bodies);
    to.item({"", "Int", 4, 1, nullptr}, frame.bodies, points_path(frame.bodies));
    to.add("</Topology>\n");
    const int bytes = frame.single ? 4 : 8;
    to.geometry(bytes, frame.bodies, frame.group + "/position");
    for (const Column& column : kBodyColumns) to.attribute(column, "Node", frame.bodies, frame.group);
    if (frame.velocity) to.attribute({"velocity", "Float", bytes, 3, nullptr}, "Node", frame.bodies, frame.group);
    if (frame.angular_velocity) to.attribute({"angular_velocity", "Float", bytes, 3, nullptr}, "Node", frame.bodies, frame.group);
    if (frame.orientation) to.attribute({"orientation", "Float", bytes, 4, nullptr}, "Node", frame.bodies, frame.group);
    if (frame.shape) to.attribute(kShape, "Node", frame.bodies, frame.group);
    if (frame.owner) to.attribute(kOwner, "Node", frame.bodies, frame.group);
    for (const ColumnEntry& column : frame.columns)
        to.attribute({column.name.c_str(), "Float", bytes, static_cast<int>(column.components), nullptr}, "Node", frame.bodies,
                     frame.group);
    to.add("      </Grid>\n");
}

void add_polyhedra(Writer& to, const FrameEntry& frame) {
    const std::string group = frame.group + "/surface";
    to.add("      <Grid Name=\"polyhedra\" GridType=\"Uniform\">\n        <Time Value=\"{:.17g}\"/>\n", frame.time);
    to.triangles(frame.surface.triangles, group + "/topology");
    to.geometry(4, frame.surface.points, group + "/points");
    for (const Column& column : kTriangleColumns) to.attribute(column, "Cell", frame.surface.triangles, group);
    to.add("      </Grid>\n");
}

void add_wall(Writer& to, const FrameEntry& frame, const std::vector<WallSurface>& walls, std::size_t w) {
    const WallSurface& wall = walls[w];
    const std::string key = wall_key(walls, w), group = frame.walls + "/" + key;
    to.add("      <Grid Name=\"{}\" GridType=\"Uniform\">\n        <Time Value=\"{:.17g}\"/>\n", key, frame.time);
    to.triangles(wall.triangle.size(), group + "/triangles");
    if (wall.moves && frame.walls_moved) {
        to.geometry(4, wall.vertex.size(), moved_wall_path(frame.group, key));
    } else {
        to.geometry(8, wall.vertex.size(), group + "/vertices");
    }
    to.add("      </Grid>\n");
}

}  // namespace

std::string points_path(std::size_t bodies) {
    return fmt::format("/points/{}", bodies);
}

std::string moved_wall_path(const std::string& frame, const std::string& key) {
    return frame + "/wall_points/" + key;
}

XdmfGrids xdmf_grids(const std::vector<FrameEntry>& frames, const WallSets& sets) {
    for (const auto& [group, walls] : sets) {
        if (std::any_of(walls.begin(), walls.end(), [](const WallSurface& wall) { return !wall.triangle.empty(); }))
            return XdmfGrids::BodiesAndSurfaces;
    }
    const bool any = std::any_of(frames.begin(), frames.end(), [](const FrameEntry& frame) { return frame.surface.triangles > 0; });
    return any ? XdmfGrids::BodiesAndSurfaces : XdmfGrids::Bodies;
}

std::string xdmf_frame(const FrameEntry& frame, XdmfGrids grids, const WallSets& sets, const std::string& hdf5_name) {
    std::string text;
    if (frame.bodies == 0) return text;
    Writer to(text, hdf5_name);
    const std::string name = frame.group.substr(frame.group.rfind('/') + 1);
    if (grids == XdmfGrids::Bodies) {
        add_bodies(to, frame, name);
        return text;
    }
    to.add("      <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n      <Time Value=\"{:.17g}\"/>\n", name,
           frame.time);
    add_bodies(to, frame, "bodies");
    if (frame.surface.triangles > 0) add_polyhedra(to, frame);
    const auto set = sets.find(frame.walls);
    for (std::size_t w = 0; set != sets.end() && w < set->second.size(); ++w) {
        const WallSurface& wall = set->second[w];
        if (!wall.triangle.empty() && wall.active(frame.time)) add_wall(to, frame, set->second, w);
    }
    to.add("      </Grid>\n");
    return text;
}

std::string xdmf_text(const std::vector<FrameEntry>& frames, const WallSets& sets, const std::string& hdf5_name) {
    std::string text =
        "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"frames\" GridType=\"Collection\" "
        "CollectionType=\"Temporal\">\n";
    const XdmfGrids grids = xdmf_grids(frames, sets);
    for (const FrameEntry& frame : frames) text += xdmf_frame(frame, grids, sets, hdf5_name);
    return text + kXdmfEnd;
}

}  // namespace scree
