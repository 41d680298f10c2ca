// The state of all bodies at one time, and contacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <scree/config.hpp>
#include <scree/errors.hpp>

namespace scree_v0 {

/// A column of numbers, rows × components, row by row. Holds on to what it shows.
struct Field {
    enum class Type { Float64, Int32, UInt32 };
    std::string name;
    std::string unit;
    Type type{Type::Float64};
    std::size_t rows{0}, components{1};
    const void* data{nullptr};
    std::shared_ptr<const void> owner;

    /// The numbers as what `type` says: double, std::int32_t or std::uint32_t.
    template <class T>
    std::span<const T> as() const {
        static_assert(sizeof(T) == 8 || sizeof(T) == 4);
        return {static_cast<const T*>(data), rows * components};
    }
};

/// An array of the engine's own, in its order of bodies: number c of row k is row_bytes * k + component_bytes * c behind `data`. Read-only.
/// While one lives, or a copy of it, the simulation stays as it is (Simulation::raw_fields); the memory is there as long.
struct RawField {
    std::string name;
    std::string unit;
    Field::Type type{Field::Type::Float64};
    std::size_t rows{0}, components{1};
    std::size_t row_bytes{0}, component_bytes{0};
    const void* data{nullptr};
    int device{-1};  // number of the GPU whose memory it is; -1: the host's
    std::shared_ptr<const void> owner;
};

/// One touching contact of body `a` with body `b`, or, where `wall` is not below 0, with the wall of that number.
struct Contact {
    std::uint32_t a{0}, b{0};
    std::int32_t wall{-1};
    std::int32_t kind{0};  // of polyhedra: 1 vertex and face, 2 edge and edge, 3 edge and face, 4 face and face; else 0
    double point[3]{};     // [m]
    double normal[3]{};    // unit, from a to b
    double overlap{0};     // [m]
    double force[3]{};     // on a [N]
    double torque[3]{};    // couple on a beside the force at the point [N m]
    double area{0};        // of the patch where polyhedra meet [m2]
};

/// Bodies at one time, in the order of their ids. Copied out of the engine once; what it shows stays as it is when the simulation goes on.
class SCREE_API State {
public:
    struct Content;  // of the library
    explicit State(std::shared_ptr<const Content> content);

    std::int64_t step() const;
    double time() const;  // [s]
    std::size_t size() const;

    /// "id", "position", "velocity", "angular_velocity", "force", "radius", "mass", "material", and where the scene has them "orientation"
    /// (w, x, y, z), "torque", "shape", "owner" and further columns, as frames hold them.
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;
    /// Without a copy. Throws SceneError where there is no such field.
    Field field(const std::string& name) const;

private:
    std::shared_ptr<const Content> content_;
};

}  // namespace scree_v0
