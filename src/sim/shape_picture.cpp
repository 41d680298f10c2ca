#include "sim/shape_picture.hpp"

#include <fmt/format.h>

#include <cmath>

#include "render/canvas.hpp"
#include "render/tracer.hpp"

namespace scree {
namespace {

constexpr int kSide = 700;    // of the picture of one [pixels]
constexpr int kSamples = 16;  // of a pixel
constexpr std::uint32_t kMeshColour = 0xb9c2cc;
constexpr std::uint32_t kSpheresColour = 0xd9a441;  // of spheres that fill a mesh, which are many and alike
constexpr std::size_t kManySpheres = 200;

void add_part(World& world, const FaceList& part, Rgb colour) {
    DrawnMesh mesh;
    mesh.vertex = part.vertex;
    mesh.colour = colour;
    for (const auto& loop : part.face) {
        for (std::size_t k = 2; k < loop.size(); ++k) mesh.triangle.push_back({loop[0], loop[k - 1], loop[k]});
    }
    world.meshes.push_back(std::move(mesh));
}

}  // namespace

void draw_shape(const ClosedMesh& mesh, const std::vector<Ball>& spheres, const std::vector<FaceList>& parts, const std::string& path) {
    World left, right;
    std::vector<Reach> reaches;
    DrawnMesh& surface = left.meshes.emplace_back();
    surface.vertex = mesh.vertex;
    surface.triangle = mesh.triangle;
    surface.colour = from_screen(kMeshColour);
    for (const Vec3& v : mesh.vertex) reaches.push_back({v, 0});
    for (std::size_t k = 0; k < spheres.size(); ++k) {
        const Vec3 centre{spheres[k][0], spheres[k][1], spheres[k][2]};
        right.balls.push_back({centre, spheres[k][3], spheres.size() > kManySpheres ? from_screen(kSpheresColour) : category_colour(k)});
        reaches.push_back({centre, spheres[k][3]});
    }
    for (std::size_t k = 0; k < parts.size(); ++k) add_part(right, parts[k], category_colour(k));

    const bool two = !spheres.empty() || !parts.empty();
    const PictureSize each{kSide, kSide};
    Canvas canvas({two ? 2 * kSide : kSide, kSide});
    const double h = canvas.text_height();
    Camera camera;
    camera.field = 0.5;
    camera.eye = viewer_direction(-60, 22);
    fit(camera, each, reaches, {0.05, 0.95, 0.03 + 2 * h / kSide, 0.97 - 2 * h / kSide});
    Quality quality;
    quality.samples = kSamples;
    for (World* world : {&left, &right}) {
        if (world == &right && !two) continue;
        world->to_sun = normalized(viewer_direction(-98, 52));
        canvas.paste(Tracer(*world, camera, each).draw(quality), world == &left ? 0 : kSide, 0);
    }
    canvas.text(fmt::format("mesh, {} triangles", mesh.triangle.size()), h, 1.8 * h, Align::Left);
    if (!spheres.empty()) canvas.text(fmt::format("{} spheres", spheres.size()), kSide + h, 1.8 * h, Align::Left);
    if (!parts.empty()) canvas.text(fmt::format("{} convex parts", parts.size()), kSide + h, 1.8 * h, Align::Left);
    const double pixel = camera.pixel(each), length = round_step(0.3 * kSide * pixel / 2.5, 1);
    canvas.length_bar(h, kSide - h, length / pixel, length_text(length));
    canvas.write_png(path);
}

}  // namespace scree
