#include "output/geometry_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace scree {
namespace {

constexpr const char* kAxes[3] = {"axis_a", "axis_b", "axis_c"};  // of smooth shapes, over their bounding radius

void damaged(const Hdf5File& file, const std::string& group) {
    throw Error(file.path() + ": the arrays of " + group + " do not fit together; the file is damaged");
}

/// True where every number is at least 0 and below `limit`.
template <class Numbers>
bool all_below(const Numbers& numbers, std::size_t limit) {
    return std::all_of(numbers.begin(), numbers.end(), [limit](std::int32_t k) { return k >= 0 && static_cast<std::size_t>(k) < limit; });
}

/// Face loops cover the list of vertices from its start to its end, each with three or more.
bool loops_fit(const ShapeFaces& shape) {
    const std::vector<std::int32_t>& start = shape.face_start;
    if (start.empty() || start.front() != 0 || start.back() != static_cast<std::int32_t>(shape.face_vertex.size())) return false;
    for (std::size_t f = 0; f + 1 < start.size(); ++f) {
        if (start[f + 1] - start[f] < 3) return false;
    }
    return all_below(shape.face_vertex, shape.vertex.size());
}

WallSurface read_wall(const Hdf5File& file, const std::string& group, const std::string& name) {
    WallSurface wall;
    wall.name = file.has_attribute(group, "name") ? file.read_string(group, "name") : name;
    wall.material = static_cast<std::int32_t>(file.read_int(group, "material"));
    wall.moves = file.read_int(group, "moves") != 0;
    wall.active_from = file.read_double(group, "active_from");
    wall.active_to = file.read_double(group, "active_to");
    if (file.exists(group + "/vertices")) {
        wall.vertex = file.read<Vec3>(group + "/vertices");
        wall.triangle = file.read<std::array<std::int32_t, 3>>(group + "/triangles");
    }
    if (file.exists(group + "/plane_point")) {
        wall.plane_point = file.read<Vec3>(group + "/plane_point");
        wall.plane_normal = file.read<Vec3>(group + "/plane_normal");
    }
    bool fits = wall.plane_point.size() == wall.plane_normal.size();
    for (const auto& triangle : wall.triangle) fits = fits && all_below(triangle, wall.vertex.size());
    if (!fits) damaged(file, group);
    return wall;
}

}  // namespace

void write_shapes(Hdf5File& file, const std::vector<ShapeFaces>& shapes) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const std::string group = fmt::format("/shapes/{:03d}", k);
        file.make_group(group);
        file.write_attribute(group, "name", shapes[k].name);
        file.write_attribute(group, "volume", shapes[k].volume);
        if (shapes[k].smooth()) {
            for (int axis = 0; axis < 3; ++axis) file.write_attribute(group, kAxes[axis], along(shapes[k].smooth_axes, axis));
            file.write_attribute(group, "side", shapes[k].smooth_side);
            file.write_attribute(group, "top", shapes[k].smooth_top);
            if (shapes[k].smooth_stick > 0) file.write_attribute(group, "stick", shapes[k].smooth_stick);
        }
        file.write(group + "/vertices", shapes[k].vertex);
        file.write(group + "/face_start", shapes[k].face_start);
        file.write(group + "/face_vertex", shapes[k].face_vertex);
    }
}

std::vector<ShapeFaces> read_shapes(const Hdf5File& file) {
    std::vector<std::string> names = file.children("/shapes");
    // Past a thousand shapes, names are no longer in the order of numbers.
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    std::vector<ShapeFaces> shapes;
    for (const std::string& name : names) {
        const std::string group = "/shapes/" + name;
        ShapeFaces shape;
        shape.name = file.read_string(group, "name");
        shape.volume = file.read_double(group, "volume");
        shape.vertex = file.read<Vec3>(group + "/vertices");
        shape.face_start = file.read<std::int32_t>(group + "/face_start");
        shape.face_vertex = file.read<std::int32_t>(group + "/face_vertex");
        if (file.has_attribute(group, kAxes[0])) {
            for (int axis = 0; axis < 3; ++axis) along(shape.smooth_axes, axis) = file.read_double(group, kAxes[axis]);
            shape.smooth_side = file.read_double(group, "side");
            shape.smooth_top = file.read_double(group, "top");
            if (file.has_attribute(group, "stick")) shape.smooth_stick = file.read_double(group, "stick");
        }
        if (!loops_fit(shape)) damaged(file, group);
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

std::string wall_key(const std::vector<WallSurface>& walls, std::size_t w) {
    const std::string& name = walls[w].name;
    const auto same_name = [&name](const WallSurface& wall) { return wall.name == name; };
    const bool taken = std::any_of(walls.begin(), walls.begin() + static_cast<std::ptrdiff_t>(w), same_name);
    const bool plain = !name.empty() && name.find_first_of("./") == std::string::npos;
    return plain && !taken ? name : fmt::format("wall.{}", w);
}

void write_walls(Hdf5File& file, const std::string& group, const std::vector<WallSurface>& walls) {
    file.make_group(group);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallSurface& wall = walls[w];
        const std::string own = group + "/" + wall_key(walls, w);
        file.make_group(own);
        file.write_attribute(own, "index", static_cast<std::int64_t>(w));
        file.write_attribute(own, "name", wall.name);
        file.write_attribute(own, "material", static_cast<std::int64_t>(wall.material));
        file.write_attribute(own, "moves", static_cast<std::int64_t>(wall.moves));
        file.write_attribute(own, "active_from", wall.active_from);
        file.write_attribute(own, "active_to", wall.active_to);
        if (!wall.vertex.empty()) {
            file.write(own + "/vertices", wall.vertex);
            file.write(own + "/triangles", wall.triangle, true);
        }
        if (!wall.plane_point.empty()) {
            file.write(own + "/plane_point", wall.plane_point);
            file.write(own + "/plane_normal", wall.plane_normal);
        }
    }
}

WallSets read_wall_sets(const Hdf5File& file) {
    WallSets sets;
    for (const std::string& root : file.children("/")) {
        if (root != "walls" && root.rfind("walls_", 0) != 0) continue;
        const std::string group = "/" + root;
        const std::vector<std::string> names = file.children(group);
        std::vector<WallSurface> walls(names.size());
        for (const std::string& name : names) {
            const auto index = static_cast<std::size_t>(file.read_int(group + "/" + name, "index"));
            if (index >= walls.size()) damaged(file, group);
            walls[index] = read_wall(file, group + "/" + name, name);
        }
        sets[group] = std::move(walls);
    }
    return sets;
}

}  // namespace scree
