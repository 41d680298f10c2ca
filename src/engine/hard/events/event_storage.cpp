// The event system as named fields, and back.
#include "base/error.hpp"
#include "engine/hard/events/event_system.hpp"
#include "engine/state_fields.hpp"

namespace scree {

namespace {

constexpr std::size_t reals = 7, integers = 6;  // of a body

}  // namespace

EngineState EventSystem::save() const {
    EngineState out;
    std::vector<double> real;
    std::vector<std::int32_t> integer;
    for (const HardBody& b : bodies_) {
        real.insert(real.end(), {b.position.x, b.position.y, b.position.z, b.velocity.x, b.velocity.y, b.velocity.z, b.clock});
        integer.insert(integer.end(), b.cell.begin(), b.cell.end());
        integer.insert(integer.end(), b.image.begin(), b.image.end());
    }
    put(out, "event.flight", real);
    put(out, "event.cells", integer);
    put(out, "event.sums", std::vector<double>{sums_.virial, start_energy_, lost_, lost_time_});
    put(out, "event.counts", std::vector<std::int64_t>{sums_.collisions, sums_.wall_collisions});
    put(out, "event.impulse", sums_.impulse);
    return out;
}

void EventSystem::load(const EngineState& saved) {
    const auto real = take_field<double>(saved, "event.flight"), sums = take_field<double>(saved, "event.sums"),
               impulse = take_field<double>(saved, "event.impulse");
    const auto integer = take_field<std::int32_t>(saved, "event.cells");
    const auto counts = take_field<std::int64_t>(saved, "event.counts");
    if (real.size() != reals * bodies_.size() || integer.size() != integers * bodies_.size() || sums.size() != 4 || counts.size() != 2)
        throw Error("the checkpoint does not fit the scene: it holds another number of hard particles");
    if (impulse.size() != sums_.impulse.size()) throw Error("the checkpoint does not fit the scene: it has other walls");
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const double* x = real.data() + reals * i;
        const std::int32_t* c = integer.data() + integers * i;
        HardBody& b = bodies_[i];
        b.position = {x[0], x[1], x[2]};
        b.velocity = {x[3], x[4], x[5]};
        b.clock = x[6];
        for (std::size_t k = 0; k < 3; ++k) {
            b.cell[k] = c[k];
            b.image[k] = c[3 + k];
            if (b.cell[k] < 0 || b.cell[k] >= cells_[k]) throw Error("the checkpoint is damaged: a hard particle is in no cell");
        }
    }
    sums_.virial = sums[0];
    start_energy_ = sums[1];
    lost_ = sums[2];
    lost_time_ = sums[3];
    sums_.collisions = watched_ = counts[0];
    sums_.wall_collisions = counts[1];
    watched_ += counts[1];
    sums_.impulse = impulse;
    foresee_all();
}

}  // namespace scree
