#include "render/trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace scree {
namespace {

Vec3 vector_of(float x, float y, float z) {
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
}

RTCRay ray_of(const LocalRay& ray, double from, double to) {
    RTCRay r{};
    r.org_x = static_cast<float>(ray.origin.x);
    r.org_y = static_cast<float>(ray.origin.y);
    r.org_z = static_cast<float>(ray.origin.z);
    r.dir_x = static_cast<float>(ray.direction.x);
    r.dir_y = static_cast<float>(ray.direction.y);
    r.dir_z = static_cast<float>(ray.direction.z);
    r.tnear = static_cast<float>(from);
    r.tfar = static_cast<float>(to);
    r.mask = 0xffffffffu;
    return r;
}

RTCRayHit hit_of(RTCScene scene, const LocalRay& ray, double from, double to, unsigned mask = 0xffffffffu) {
    RTCRayHit hit{};
    hit.ray = ray_of(ray, from, to);
    hit.ray.mask = mask;
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &hit);
    return hit;
}

Vec3 towards(Vec3 normal, Vec3 direction) {
    return dot(normal, direction) > 0 ? -normal : normal;
}

}  // namespace

LocalTrees::LocalTrees(const World& world, Vec3 middle, double unit) : world_(world), middle_(middle), unit_(unit) {
    const auto start = std::chrono::steady_clock::now();
    // One thread: with more, the order of surfaces in a tree's leaf is left to chance, and with it which of two in one place is met.
    device_ = rtcNewDevice("threads=1");
    if (device_ == nullptr) throw RunError("Embree, which traces rays, does not start on this machine");
    solid_ = rtcNewScene(device_);
    glass_ = rtcNewScene(device_);
    rtcSetSceneFlags(solid_, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneFlags(glass_, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
    add_balls();
    add_disks();
    add_rods();
    add_meshes();
    add_solids();
    rtcCommitScene(solid_);
    rtcCommitScene(glass_);
    check();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

LocalTrees::~LocalTrees() {
    for (RTCScene scene : shapes_) rtcReleaseScene(scene);
    rtcReleaseScene(solid_);
    rtcReleaseScene(glass_);
    rtcReleaseDevice(device_);
}

void LocalTrees::check() const {
    const RTCError error = rtcGetDeviceError(device_);
    if (error == RTC_ERROR_NONE) return;
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        throw RunError("out of memory: the picture has too many bodies; cut some away, or use a machine with more");
    throw RunError("Embree, which traces rays, reports error " + std::to_string(static_cast<int>(error)));
}

RTCGeometry LocalTrees::new_geometry(RTCGeometryType type) {
    RTCGeometry geometry = rtcNewGeometry(device_, type);
    check();
    return geometry;
}

void LocalTrees::attach(RTCScene scene, RTCGeometry geometry, Picked::Kind kind, std::uint32_t first) {
    rtcSetGeometryMask(geometry, kind == Picked::Kind::Mesh ? Walls : Bodies);
    rtcCommitGeometry(geometry);
    const unsigned number = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    check();
    if (scene == glass_) {
        glass_meshes_.resize(number + 1);
        glass_meshes_[number] = first;
    } else {
        parts_.resize(std::max<std::size_t>(parts_.size(), number + 1));
        parts_[number] = {kind, first};
    }
}

float* LocalTrees::new_points(RTCGeometry geometry, std::size_t points) {
    void* buffer = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float), points);
    check();
    return static_cast<float*>(buffer);
}

void LocalTrees::add_balls() {
    if (world_.balls.empty()) return;
    RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float* p = new_points(geometry, world_.balls.size());
    for (const DrawnBall& ball : world_.balls) {
        const Vec3 c = to_local(ball.centre);
        for (const double value : {c.x, c.y, c.z, ball.radius / unit_}) *p++ = static_cast<float>(value);
    }
    attach(solid_, geometry, Picked::Kind::Ball, 0);
}

void LocalTrees::add_disks() {
    if (world_.disks.empty()) return;
    RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT);
    float* p = new_points(geometry, world_.disks.size());
    auto* normal = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_NORMAL, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), world_.disks.size()));
    check();
    for (const DrawnDisk& disk : world_.disks) {
        const Vec3 c = to_local(disk.centre);
        for (const double value : {c.x, c.y, c.z, disk.radius / unit_}) *p++ = static_cast<float>(value);
        for (const float value : {0.0f, 0.0f, 1.0f}) *normal++ = value;
    }
    attach(solid_, geometry, Picked::Kind::Disk, 0);
}

void LocalTrees::add_rods() {
    if (world_.rods.empty()) return;
    RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    float* p = new_points(geometry, 2 * world_.rods.size());
    auto* start = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(std::uint32_t), world_.rods.size()));
    check();
    for (std::size_t k = 0; k < world_.rods.size(); ++k) {
        const DrawnRod& rod = world_.rods[k];
        for (const Vec3& end : {rod.from, rod.to}) {
            const Vec3 c = to_local(end);
            for (const double value : {c.x, c.y, c.z, rod.radius / unit_}) *p++ = static_cast<float>(value);
        }
        start[k] = static_cast<std::uint32_t>(2 * k);
    }
    attach(solid_, geometry, Picked::Kind::Rod, 0);
}

void LocalTrees::fill_triangles(RTCGeometry geometry, const std::vector<Vec3>& vertex,
                                const std::vector<std::array<std::int32_t, 3>>& triangle, bool local) {
    auto* p = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertex.size()));
    auto* t = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), triangle.size()));
    check();
    for (const Vec3& v : vertex) {
        const Vec3 c = local ? v : to_local(v);
        for (const double value : {c.x, c.y, c.z}) *p++ = static_cast<float>(value);
    }
    for (const auto& corners : triangle) {
        for (const std::int32_t corner : corners) *t++ = static_cast<std::uint32_t>(corner);
    }
}

void LocalTrees::add_meshes() {
    for (std::size_t m = 0; m < world_.meshes.size(); ++m) {
        const DrawnMesh& mesh = world_.meshes[m];
        if (mesh.triangle.empty()) continue;
        RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_TRIANGLE);
        fill_triangles(geometry, mesh.vertex, mesh.triangle, false);
        solid_walls_ = solid_walls_ || mesh.opacity >= 1;
        attach(mesh.opacity < 1 ? glass_ : solid_, geometry, Picked::Kind::Mesh, static_cast<std::uint32_t>(m));
    }
}

void LocalTrees::add_solids() {
    for (const DrawnShape& shape : world_.shapes) {
        RTCScene scene = rtcNewScene(device_);
        shapes_.push_back(scene);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
        RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_TRIANGLE);
        fill_triangles(geometry, shape.vertex, shape.triangle, true);
        rtcSetGeometryMask(geometry, All);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
        check();
    }
    for (std::size_t k = 0; k < world_.solids.size(); ++k) {
        const DrawnSolid& solid = world_.solids[k];
        RTCGeometry geometry = new_geometry(RTC_GEOMETRY_TYPE_INSTANCE);
        rtcSetGeometryInstancedScene(geometry, shapes_[static_cast<std::size_t>(solid.shape)]);
        const double size = solid.size / unit_;
        const Vec3 x = size * rotate(solid.turn, Vec3{1, 0, 0}), y = size * rotate(solid.turn, Vec3{0, 1, 0});
        const Vec3 z = size * rotate(solid.turn, Vec3{0, 0, 1}), c = to_local(solid.centre);
        float matrix[12];
        float* to = matrix;
        for (const Vec3& column : {x, y, z, c}) {
            for (const double value : {column.x, column.y, column.z}) *to++ = static_cast<float>(value);
        }
        rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, matrix);
        attach(solid_, geometry, Picked::Kind::Solid, static_cast<std::uint32_t>(k));
    }
}

Met LocalTrees::met_by(const RTCRayHit& hit, const LocalRay& ray, Vec3& outward) const {
    Met met;
    if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID) return met;
    const bool is_solid = hit.hit.instID[0] != RTC_INVALID_GEOMETRY_ID;
    const Part& part = parts_[is_solid ? hit.hit.instID[0] : hit.hit.geomID];
    const bool own_rows = part.kind == Picked::Kind::Solid || part.kind == Picked::Kind::Mesh;
    met.kind = part.kind;
    met.index = own_rows ? part.first : part.first + hit.hit.primID;
    met.distance = static_cast<double>(hit.ray.tfar);
    met.point = ray.origin + met.distance * ray.direction;
    outward = vector_of(hit.hit.Ng_x, hit.hit.Ng_y, hit.hit.Ng_z);
    switch (part.kind) {
        case Picked::Kind::Ball: {
            // Onto the ball in double precision.
            const DrawnBall& ball = world_.balls[met.index];
            const Vec3 centre = to_local(ball.centre), out = met.point - centre;
            const double length = norm(out);
            met.face = length > 0 ? out / length : -ray.direction;
            outward = met.face;
            met.point = centre + (ball.radius / unit_) * met.face;
            met.normal = met.face = towards(met.face, ray.direction);
            return met;
        }
        case Picked::Kind::Solid: {
            const DrawnSolid& solid = world_.solids[met.index];
            const DrawnShape& shape = world_.shapes[static_cast<std::size_t>(solid.shape)];
            const Vec3 flat = normalized(rotate(solid.turn, outward));
            outward = towards(flat, to_local(solid.centre) - met.point);  // convex about its centre
            met.face = towards(flat, ray.direction);
            met.normal = met.face;
            if (!shape.normal.empty()) {
                const auto& t = shape.triangle[hit.hit.primID];
                const auto at = [&](std::size_t corner) { return shape.normal[static_cast<std::size_t>(t[corner])]; };
                const auto u = static_cast<double>(hit.hit.u), v = static_cast<double>(hit.hit.v);
                const Vec3 smooth = normalized(rotate(solid.turn, (1 - u - v) * at(0) + u * at(1) + v * at(2)));
                met.normal = dot(smooth, met.face) > 0 ? smooth : met.face;
            }
            return met;
        }
        default:
            met.normal = met.face = towards(normalized(outward), ray.direction);
            return met;
    }
}

Span LocalTrees::kept(const LocalRay& ray) const {
    Span span;
    for (const Section& section : world_.sections) {
        const double height = dot(section.normal, ray.origin) - (section.offset - dot(section.normal, middle_)) / unit_;
        const double slope = dot(section.normal, ray.direction);
        if (slope < 0) {
            span.from = std::max(span.from, -height / slope);
        } else if (slope > 0) {
            span.to = std::min(span.to, -height / slope);
        } else if (height > 0) {
            span.to = -1;
        }
    }
    return span;
}

bool LocalTrees::inside_at(const LocalRay& ray, double from, Met& met) const {
    // The first surface that the ray leaves a body by, without having entered it, is that body's. Where bodies overlap, others may be
    // entered before: a few of these are passed.
    constexpr int most = 4;
    std::array<Met, most> entered;
    double at = from;
    for (int k = 0; k < most; ++k) {
        Vec3 outward;
        const Met next = met_by(hit_of(solid_, ray, at, std::numeric_limits<double>::infinity(), Bodies), ray, outward);
        if (next.kind == Picked::Kind::Nothing) return false;
        const bool known =
            std::any_of(entered.begin(), entered.begin() + k, [&](const Met& e) { return e.kind == next.kind && e.index == next.index; });
        const bool closed = next.kind == Picked::Kind::Ball || next.kind == Picked::Kind::Solid;  // rods do not fill what they pass
        if (closed && dot(outward, ray.direction) > 0 && !known) {
            met = next;
            met.distance = from;
            met.point = ray.origin + from * ray.direction;
            return true;
        }
        entered[static_cast<std::size_t>(k)] = next;
        at = next.distance * (1 + 4e-7) + 1e-7;
    }
    return false;
}

Met LocalTrees::first(const LocalRay& ray) const {
    const Span span = kept(ray);
    if (span.from > span.to) return {};
    if (Met met; span.from > 0 && inside_at(ray, span.from, met)) {
        // The plane that it comes in by is the one that it passes last.
        for (const Section& section : world_.sections) {
            const double height = dot(section.normal, met.point) - (section.offset - dot(section.normal, middle_)) / unit_;
            if (dot(section.normal, ray.direction) < 0 && std::fabs(height) < 1e-9 * std::max(1.0, span.from))
                met.normal = met.face = section.normal;
        }
        return met;
    }
    Vec3 outward;
    return met_by(hit_of(solid_, ray, span.from, span.to), ray, outward);
}

void Panes::add(const One& pane) {
    for (std::size_t k = 0; k < count; ++k) {
        if (each[k].wall != pane.wall || each[k].enters != pane.enters) continue;
        if (pane.before(each[k])) each[k] = pane;
        return;
    }
    if (count < most) each[count++] = pane;
}

namespace {

/// Takes note of every pane on a ray, and lets the ray go on.
struct Gathering {
    RTCIntersectContext context;  // first: Embree hands it back
    const std::vector<std::uint32_t>* meshes;
    const World* world;
    Panes panes;
};

void gather(const RTCFilterFunctionNArguments* a) {
    auto* gathering = reinterpret_cast<Gathering*>(a->context);
    const auto* hit = reinterpret_cast<const RTCHit*>(a->hit);
    const auto* ray = reinterpret_cast<const RTCRay*>(a->ray);
    const Vec3 direction = vector_of(ray->dir_x, ray->dir_y, ray->dir_z), normal = vector_of(hit->Ng_x, hit->Ng_y, hit->Ng_z);
    const std::uint32_t mesh = (*gathering->meshes)[hit->geomID];
    gathering->panes.add({mesh, hit->primID, gathering->world->meshes[mesh].wall, dot(normal, direction) < 0,
                          static_cast<double>(ray->tfar), towards(normalized(normal), direction)});
    a->valid[0] = 0;
}

}  // namespace

Panes LocalTrees::panes(const LocalRay& ray, double to) const {
    Gathering gathering;
    rtcInitIntersectContext(&gathering.context);
    gathering.context.filter = gather;
    gathering.meshes = &glass_meshes_;
    gathering.world = &world_;
    const Span span = kept(ray);
    RTCRayHit hit{};
    hit.ray = ray_of(ray, span.from, std::min(span.to, to));
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    if (span.from <= span.to) rtcIntersect1(glass_, &gathering.context, &hit);
    Panes& panes = gathering.panes;
    std::sort(panes.each.begin(), panes.each.begin() + static_cast<std::ptrdiff_t>(panes.count),
              [](const Panes::One& a, const Panes::One& b) { return a.before(b); });
    return panes;
}

bool LocalTrees::blocked(const LocalRay& ray, double reach, Kinds kinds) const {
    const Span span = kept(ray);  // it starts in what is kept, or on its border, and once out it does not come back
    if (span.to <= 0) return false;
    RTCRay r = ray_of(ray, 0, std::min(reach, span.to));
    r.mask = kinds;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(solid_, &context, &r);
    return r.tfar < 0;
}

}  // namespace scree
