// Bodies that a program puts in and takes out by calls between two steps: those of [[insert]] tables with on_call, and any that a call has
// taken out before. A call puts in all that it asks for, or nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/summary.hpp"
#include "scene/scene.hpp"
#include "setup/streams/insertions.hpp"
#include "sim/remover.hpp"

namespace scree {

/// What a call asks for. Velocities, angular velocities and orientations: none, one for all, or one for each.
struct AskedBodies {
    std::string stock;                             // empty: bodies that a call has taken out, by their ids
    std::vector<std::uint32_t> ids;                // which of the stock; empty: the next
    std::size_t count{0};                          // how many, where neither ids nor positions say it
    std::vector<Vec3> position;                    // of centres of mass [m]; empty: where there is room in the stock's region
    std::vector<Vec3> velocity, angular_velocity;  // none: as the stock comes, else at rest [m/s], [rad/s]
    std::vector<Quat> orientation;                 // principal frame -> world; none: as the stock has them, else as they were taken
};

class Stocks {
public:
    /// All of these outlive this.
    Stocks(const Scene& scene, const std::vector<Insertion>& insertions, const Remover& remover, const Model& model);

    /// Returns the ids of what came, in the order asked for. Throws scree::Error, before anything changes, where bodies are not there to be
    /// had, places touch bodies, walls that are there or each other, or are out of the domain, and where numbers are not finite: of round
    /// bodies and of polyhedra beside walls by their own surface, else by the spheres that bound them. O(bodies).
    std::vector<std::uint32_t> insert(Engine& engine, std::int64_t step, const AskedBodies& asked);
    /// Takes bodies out, compounds with their members. Throws scree::Error, before anything changes, where one is not there, or is a
    /// member or part of a machine. O(bodies).
    void remove(Engine& engine, const std::vector<std::uint32_t>& ids);

    std::vector<std::string> names() const;
    /// What of a stock is not in, in the order in which it comes. Throws scree::Error where there is no such stock.
    std::vector<std::uint32_t> left(Engine& engine, const std::string& name) const;

    /// Is there anything to save?
    bool any() const { return !stocks_.empty() || in_.bodies > 0 || out_.bodies > 0; }
    /// For checkpoints: what came and went, and what may come again.
    std::vector<StateField> saved() const;
    /// Throws scree::Error where the fields are those of another scene.
    void restore(const EngineState& from);

    /// What came of each stock.
    std::vector<InsertedBodies> summary() const;
    /// What came without a stock, and what went, where anything did.
    std::optional<InsertedBodies> others() const;
    std::optional<RemovedBodies> removed() const;

private:
    struct Sum {
        std::int64_t bodies{0};
        double mass{0};  // [kg]
    };
    struct Stock {
        const Insertion* of;
        std::size_t next{0};    // the search for what comes next begins here
        std::vector<Sum> came;  // of each part
        std::int64_t all() const;
    };
    /// A body of a call, and its start.
    struct Coming;
    /// Which bodies are there, or wait to come back.
    struct Presence;

    const Stock& find(const std::string& name) const;
    std::vector<std::size_t> free_of(const Stock& stock, const Presence& now) const;
    /// The bodies asked for, without starts.
    std::vector<Coming> choose(const AskedBodies& asked, const Presence& now);
    /// All but their places, where none are given.
    void give_starts(const AskedBodies& asked, std::vector<Coming>& bodies) const;
    void find_places(Engine& engine, std::int64_t step, std::vector<Coming>& bodies) const;
    void check_places(Engine& engine, const Snapshot& now, const std::vector<Coming>& bodies) const;
    void check_walls(const Snapshot& now, const Presence& present, const std::vector<Coming>& bodies) const;
    std::string name_of(const std::vector<Coming>& bodies, std::size_t k) const;
    void require_method(const char* what) const;
    bool is_of_stock(std::int32_t id) const;

    const Scene& scene_;
    const Remover& remover_;
    const Model& model_;
    std::vector<Stock> stocks_;
    std::map<std::int32_t, Quat> taken_;  // what calls have taken out, of no stock, and how it was turned
    Sum in_, out_;                        // without a stock; of all
};

}  // namespace scree
