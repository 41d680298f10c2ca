#include "sim/part_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "output/atomic_file.hpp"
#include "setup/shapes.hpp"

namespace scree {

namespace {

std::string ending_of(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::string stl_of(const std::vector<FaceList>& parts) {
    std::string text;
    auto out = std::back_inserter(text);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        fmt::format_to(out, "solid part{}\n", k + 1);
        for (const auto& loop : parts[k].face) {
            const auto corner = [&](std::size_t j) { return parts[k].vertex[static_cast<std::size_t>(loop[j])]; };
            for (std::size_t j = 2; j < loop.size(); ++j) {
                const Vec3 area = cross(corner(j - 1) - corner(0), corner(j) - corner(0));
                const Vec3 n = norm(area) > 0 ? normalized(area) : Vec3{};
                fmt::format_to(out, "facet normal {} {} {}\nouter loop\n", n.x, n.y, n.z);
                for (const Vec3& p : {corner(0), corner(j - 1), corner(j)}) fmt::format_to(out, "vertex {} {} {}\n", p.x, p.y, p.z);
                fmt::format_to(out, "endloop\nendfacet\n");
            }
        }
        fmt::format_to(out, "endsolid part{}\n", k + 1);
    }
    return text;
}

std::string obj_of(const std::vector<FaceList>& parts) {
    std::string text;
    auto out = std::back_inserter(text);
    std::int32_t first = 1;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        fmt::format_to(out, "o part{}\n", k + 1);
        for (const Vec3& p : parts[k].vertex) fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
        for (const auto& loop : parts[k].face) {
            text += 'f';
            for (const std::int32_t v : loop) fmt::format_to(out, " {}", v + first);
            text += '\n';
        }
        first += static_cast<std::int32_t>(parts[k].vertex.size());
    }
    return text;
}

std::string ply_of(const std::vector<FaceList>& parts) {
    std::size_t vertices = 0, faces = 0;
    for (const FaceList& part : parts) {
        vertices += part.vertex.size();
        faces += part.face.size();
    }
    std::string text = fmt::format(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nelement face {}\n"
        "property list int int vertex_indices\nproperty int part\nend_header\n",
        vertices, faces);
    auto out = std::back_inserter(text);
    for (const FaceList& part : parts)
        for (const Vec3& p : part.vertex) fmt::format_to(out, "{} {} {}\n", p.x, p.y, p.z);
    std::int32_t first = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        for (const auto& loop : parts[k].face) {
            fmt::format_to(out, "{}", loop.size());
            for (const std::int32_t v : loop) fmt::format_to(out, " {}", v + first);
            fmt::format_to(out, " {}\n", k + 1);
        }
        first += static_cast<std::int32_t>(parts[k].vertex.size());
    }
    return text;
}

}  // namespace

bool is_mesh_name(const std::string& path) {
    const std::string ending = ending_of(path);
    return ending == "stl" || ending == "obj" || ending == "ply";
}

std::vector<FaceList> balls_of(const std::vector<Ball>& spheres) {
    SceneShape shape;
    shape.name = "ball";
    shape.kind = "geodesic";
    const Scene none;  // it names no file
    const ConvexShape ball = build_shape(none, shape);
    FaceList unit{ball.vertex, {}};
    for (std::size_t f = 0; f < ball.faces(); ++f)
        unit.face.emplace_back(ball.face_vertex.begin() + ball.face_start[f], ball.face_vertex.begin() + ball.face_start[f + 1]);
    std::vector<FaceList> balls;
    for (const Ball& b : spheres) {
        balls.push_back(unit);
        for (Vec3& p : balls.back().vertex) p = Vec3{b[0], b[1], b[2]} + b[3] * p;
    }
    return balls;
}

void write_parts(const std::vector<FaceList>& parts, const std::string& path) {
    const std::string ending = ending_of(path);
    write_file_atomically(path, ending == "stl" ? stl_of(parts) : ending == "obj" ? obj_of(parts) : ply_of(parts));
}

}  // namespace scree
