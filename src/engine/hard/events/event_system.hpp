// Hard particles, event by event. In: a model of spheres (or disks) between planes or in a periodic box. Out: the same, later, after every
// collision in its exact order. Each body has a clock of its own, the time of its last collision, and flies straight from there; cells find
// who may meet whom, a queue holds one event per body. What a body does next is a function of clocks, places and velocities alone, never
// of when one looked, so batches and restarts change no bit.
// Sources: Alder & Wainwright 1959 (J. Chem. Phys. 31:459); Lubachevsky 1991 (J. Comput. Phys. 94:255) for one event per body.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/hard/events/event_queue.hpp"
#include "engine/snapshot.hpp"
#include "model/hard_box.hpp"
#include "model/model.hpp"

namespace scree {

/// A body since its last collision.
struct HardBody {
    Vec3 position;     // at its clock [m]
    Vec3 velocity;     // [m/s]
    double clock{0};   // [s]
    double radius{0};  // [m]
    double inverse_mass{0};
    std::int32_t material{0};
    std::array<std::int32_t, 3> cell{};   // where it is now
    std::array<std::int32_t, 3> image{};  // periods that it has crossed since its clock
    std::uint32_t collisions{0};          // counts up; tells whether an event that was foreseen still holds
};

class EventSystem {
public:
    /// Bodies must not overlap, and periods must be three diameters or longer, as setup/ sees to.
    explicit EventSystem(const Model& model);

    /// Carries out all events up to `time` [s]. Throws RunError where collisions follow each other without end (inelastic collapse).
    void run_to(double time);

    /// Places at `time`, which no event may lie before, wrapped into the box.
    std::vector<Vec3> positions(double time) const;
    std::vector<Vec3> velocities() const;
    /// Sums since the start, up to `time`.
    HardReport report(double time) const;

    /// All that the next event needs, and back.
    EngineState save() const;
    void load(const EngineState& saved);
    std::size_t bytes() const;
    /// What so many bodies take, about one a cell.
    static std::size_t bytes_for(std::size_t bodies) { return bodies * body_bytes + EventQueue::bytes_for(bodies); }

private:
    static constexpr std::int32_t no_partner = -1;
    static constexpr std::int32_t first_plane = -2;  // plane k is partner first_plane - k

    /// The next collision that a body foresees.
    struct Foreseen {
        double time;
        std::int32_t partner;
        std::uint32_t partner_collisions;
    };
    /// The next border of its cell that a body crosses.
    struct Crossing {
        double time;
        std::int32_t axis, direction;
    };

    static constexpr std::size_t body_bytes = sizeof(HardBody) + sizeof(Foreseen) + sizeof(Crossing) + 3 * sizeof(std::int32_t);

    void choose_cells();
    void enter_cells();
    void foresee_all();
    std::size_t cell_number(const std::array<std::int32_t, 3>& cell) const;
    void insert(std::int32_t i);
    void remove(std::int32_t i);

    /// Two bodies at the later of their clocks, from the one with the lower number, so that either side finds the same bits.
    struct Approach {
        Vec3 r, v;       // place and velocity of the lower number relative to the other's image
        double from;     // [s]
        double sum;      // of radii [m]
        double speeds2;  // sum of the squares of both speeds [m2/s2]
    };
    Approach approach(std::int32_t i, std::int32_t j, const std::array<std::int32_t, 3>& wrap) const;
    static double pair_time(const Approach& pair);
    double plane_time(const HardBody& b, std::size_t plane) const;
    Crossing next_crossing(const HardBody& b) const;
    /// visit(j, wrap) for all bodies in the cells around that of i, or, with an axis, those at `side` along it alone. `wrap`: periods that
    /// lead to the image of j which is near.
    template <class Visit>
    void around(std::int32_t i, int axis, int side, Visit visit) const;
    /// Collisions of i with bodies in cells around its own: all, or those at `side` along `axis` that it has just come near to.
    void look_around(std::int32_t i, int axis, int side);
    void foresee(std::int32_t i);
    void queue(std::int32_t i);

    void cross(std::int32_t i);
    void collide(std::int32_t i, std::int32_t j, double time);
    void bounce(std::int32_t i, std::size_t plane, double time);
    void advance(HardBody& b, double time) const;
    double restitution(std::int32_t a, std::int32_t b, double approach) const;
    void lose(double energy, double time);
    void watch_progress(double time);

    Model model_;
    HardBox box_;
    int dimensions_;
    double largest_{0};  // diameter [m]
    std::vector<HardBody> bodies_;
    struct PlaneOf {
        Plane plane;
        std::int32_t wall, material;
    };
    std::vector<PlaneOf> planes_;

    std::array<std::int32_t, 3> cells_{1, 1, 1};
    std::array<double, 3> cell_low_{}, cell_width_{1, 1, 1}, period_{};
    std::vector<std::int32_t> head_, next_, before_;  // bodies of each cell

    std::vector<Foreseen> foreseen_;
    std::vector<Crossing> crossing_;
    EventQueue queue_;

    HardReport sums_;
    double start_energy_{0};         // kinetic, of the start [J]
    double lost_{0}, lost_time_{0};  // energy lost so far [J], and the same times when [J s]
    std::int64_t watched_{0};        // collisions when progress was looked at last
    double watched_time_{0};
};

}  // namespace scree
