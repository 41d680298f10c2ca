// The trees of boxes that rays go through, as Embree has them, and what a ray met. In local units: the height that the camera sees at its
// middle is 1, and the middle is the origin.
#pragma once

#include <embree3/rtcore.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "render/world.hpp"

namespace scree {

/// Where a ray met something.
struct Met {
    Picked::Kind kind{Picked::Kind::Nothing};
    std::uint32_t index{0};
    double distance{0};  // along the ray
    Vec3 point, normal;  // unit, towards where the ray came from
    Vec3 face;           // the same of the flat surface: where rays start
};

/// Panes of glass that a ray goes through: of each wall the nearest one that it enters by, and the nearest that it leaves by.
struct Panes {
    static constexpr std::size_t most = 32;
    struct One {
        std::uint32_t mesh{0}, triangle{0}, wall{0};
        bool enters{false};
        double distance{0};
        Vec3 normal;  // unit, towards where the ray came from
        /// Of two triangles at one distance the one with the lower number, whatever order they are met in.
        bool before(const One& other) const {
            return distance != other.distance ? distance < other.distance
                   : mesh != other.mesh       ? mesh < other.mesh
                                              : triangle < other.triangle;
        }
    };
    std::array<One, most> each{};
    std::size_t count{0};
    void add(const One& pane);
};

/// What of a ray lies in what is kept of the world: [from, to], empty where from > to.
struct Span {
    double from{0}, to{std::numeric_limits<double>::infinity()};
};

/// A ray in local units.
struct LocalRay {
    Vec3 origin, direction;
};

class LocalTrees {
public:
    LocalTrees(const World& world, Vec3 middle, double unit);
    ~LocalTrees();
    LocalTrees(const LocalTrees&) = delete;
    LocalTrees& operator=(const LocalTrees&) = delete;

    Vec3 to_local(Vec3 p) const { return (p - middle_) / unit_; }
    double unit() const { return unit_; }
    bool any_glass() const { return !glass_meshes_.empty(); }
    double seconds() const { return seconds_; }

    Met first(const LocalRay& ray) const;
    /// Those nearer than `to`, the nearest first.
    Panes panes(const LocalRay& ray, double to) const;
    /// Without sections the whole ray. What is kept is convex: it is one span.
    Span kept(const LocalRay& ray) const;
    /// Things that a ray may meet, apart from glass.
    enum Kinds : std::uint32_t { Bodies = 1, Walls = 2, All = 3 };
    /// Is any of these nearer than `reach`?
    bool blocked(const LocalRay& ray, double reach, Kinds kinds) const;
    bool any_solid_walls() const { return solid_walls_; }

private:
    void add_balls();
    void add_disks();
    void add_rods();
    void add_solids();
    void add_meshes();
    RTCGeometry new_geometry(RTCGeometryType type);
    void attach(RTCScene scene, RTCGeometry geometry, Picked::Kind kind, std::uint32_t first);
    float* new_points(RTCGeometry geometry, std::size_t points);
    void fill_triangles(RTCGeometry geometry, const std::vector<Vec3>& vertex, const std::vector<std::array<std::int32_t, 3>>& triangle,
                        bool local);
    void check() const;
    Met met_by(const RTCRayHit& hit, const LocalRay& ray, Vec3& outward) const;
    /// The body in which the ray is as it comes in through a section at `from`, as a flat piece of that plane.
    bool inside_at(const LocalRay& ray, double from, Met& met) const;

    struct Part {
        Picked::Kind kind;
        std::uint32_t first;  // row of its list that primitive 0 stands for
    };

    const World& world_;
    Vec3 middle_;
    double unit_;
    RTCDevice device_{nullptr};
    RTCScene solid_{nullptr}, glass_{nullptr};
    std::vector<RTCScene> shapes_;
    std::vector<Part> parts_;                  // by the number of their geometry among solid things
    std::vector<std::uint32_t> glass_meshes_;  // rows of World::meshes, by geometry
    bool solid_walls_{false};
    double seconds_{0};
};

}  // namespace scree
