// The last frame of a GSD file of HOOMD's schema (gsd.readthedocs.io, "HOOMD schema").
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/quat.hpp"
#include "setup/placement/body_columns.hpp"
#include "setup/placement/gsd_file.hpp"

namespace scree {

namespace {

class HoomdFrame {
public:
    explicit HoomdFrame(const GsdFile& file) : file_(file), last_(file.frames() - 1) {
        particles_ = particles_of(last_).value_or(particles_of(0).value_or(0));
        // What a frame lacks is as in the first one, as long as that has as many particles.
        first_counts_ = particles_ == particles_of(0).value_or(0);
    }

    std::uint64_t particles() const { return particles_; }

    /// Numbers of each particle; none where they are all of the schema's default.
    std::vector<double> read(const char* name, std::uint64_t columns) const {
        const std::string chunk = fmt::format("particles/{}", name);
        if (file_.has(chunk, last_)) return file_.read(chunk, last_, particles_, columns);
        return first_counts_ ? file_.read(chunk, 0, particles_, columns) : std::vector<double>{};
    }

private:
    std::optional<std::uint64_t> particles_of(std::uint64_t frame) const {
        const std::vector<double> count = file_.read("particles/N", frame, 1, 1);
        if (count.empty()) return std::nullopt;
        if (!(count[0] >= 0 && count[0] <= std::numeric_limits<std::int32_t>::max() && count[0] == std::floor(count[0])))
            throw Error(file_.place(), fmt::format("particles/N of frame {}, {}, is not a number of bodies", frame, count[0]));
        return static_cast<std::uint64_t>(count[0]);
    }

    const GsdFile& file_;
    std::uint64_t last_, particles_{0};
    bool first_counts_{false};
};

/// Components to columns from `first` on.
void store(const std::vector<double>& values, Column first, std::size_t components, BodyColumns& bodies) {
    for (std::size_t c = 0; c < components; ++c) {
        std::vector<double>& column = bodies.of(static_cast<Column>(static_cast<std::size_t>(first) + c));
        column.reserve(values.size() / components);
        for (std::size_t at = c; at < values.size(); at += components) column.push_back(values[at]);
    }
}

/// Angular velocities from angular momenta, quaternions p = 2 q (0, L) with q the orientation and L the angular momentum in the frame of
/// the body, along whose axes the moments of inertia are (HOOMD-blue, "particle properties"). No spin about axes without inertia.
void store_spins(const HoomdFrame& frame, BodyColumns& bodies) {
    const std::vector<double> momentum = frame.read("angmom", 4), inertia = frame.read("moment_inertia", 3);
    if (momentum.empty() || inertia.empty()) return;
    std::vector<double> spins;
    spins.reserve(inertia.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        Quat q{};
        if (bodies.has(Column::Qw)) {
            q = {bodies.of(Column::Qw)[k], bodies.of(Column::Qx)[k], bodies.of(Column::Qy)[k], bodies.of(Column::Qz)[k]};
            if (!std::isnormal(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)) throw bodies.fault(k, "the quaternion has no length");
            q = normalized(q);
        }
        const double* p = &momentum[4 * k];
        const Quat twice = conjugate(q) * Quat{p[0], p[1], p[2], p[3]};
        const auto spin = [&](double of_twice, std::size_t axis) {
            const double moment = inertia[3 * k + axis];
            return moment > 0 ? 0.5 * of_twice / moment : 0.0;
        };
        const Vec3 w = rotate(q, {spin(twice.x, 0), spin(twice.y, 1), spin(twice.z, 2)});
        if (!std::isfinite(w.x + w.y + w.z)) throw bodies.fault(k, "angmom over moment_inertia is not a finite number");
        spins.insert(spins.end(), {w.x, w.y, w.z});
    }
    store(spins, Column::Wx, 3, bodies);
}

}  // namespace

BodyColumns read_gsd(const std::string& path, std::string_view bytes, bool sized) {
    const GsdFile file(path, bytes);
    if (file.schema() != "hoomd")
        throw Error(file.place(), fmt::format("the GSD file has schema \"{}\": those of schema \"hoomd\" hold bodies", file.schema()));
    BodyColumns bodies{.head = file.place()};
    bodies.item = "particle";
    if (file.frames() == 0) throw Error(file.place(), "the GSD file has no frames");
    const HoomdFrame frame(file);
    if (frame.particles() == 0) return bodies;
    const std::vector<double> places = frame.read("position", 3);
    if (places.empty()) throw Error(file.place(), "the last frame has no particles/position, the centres of bodies");
    store(places, Column::X, 3, bodies);
    bodies.row.resize(frame.particles());
    std::iota(bodies.row.begin(), bodies.row.end(), 0);
    const std::vector<double> owners = frame.read("body", 1);
    const auto owned = std::find_if(owners.begin(), owners.end(), [](double owner) { return owner >= 0; });
    if (owned != owners.end())
        throw bodies.fault(static_cast<std::size_t>(owned - owners.begin()),
                           fmt::format("it belongs to rigid body {}: those are not read, write the file with their centres alone", *owned));
    store(frame.read("diameter", 1), Column::Diameter, 1, bodies);
    if (!bodies.has(Column::Diameter) && !sized) bodies.of(Column::Diameter).assign(bodies.size(), 1.0);
    store(frame.read("velocity", 3), Column::Vx, 3, bodies);
    store(frame.read("orientation", 4), Column::Qw, 4, bodies);
    store_spins(frame, bodies);
    store(frame.read("typeid", 1), Column::Type, 1, bodies);
    // Types count from 0 in the file, from 1 here.
    if (!bodies.has(Column::Type)) bodies.of(Column::Type).assign(bodies.size(), 0.0);
    for (double& type : bodies.of(Column::Type)) type += 1;
    return bodies;
}

}  // namespace scree
