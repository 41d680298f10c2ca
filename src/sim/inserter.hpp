// Puts bodies of [[insert]] tables in as they are due and find room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "output/summary.hpp"
#include "setup/streams/insertions.hpp"

namespace scree {

class Inserter {
public:
    /// `insertions` and `model` outlive this.
    Inserter(const std::vector<Insertion>& insertions, const Model& model);

    /// The first step after `step` at which anything may come.
    std::int64_t next_after(std::int64_t step) const;
    /// Puts in what is due at this step, where there is room. Returns a warning where a stream falls behind for the first time, else "".
    std::string insert_due(Engine& engine, std::int64_t step);

    /// For checkpoints: the step of the last look, and how many of each stream are in.
    StateField saved() const;
    /// Throws scree::Error where there is no such field, or one of another scene.
    void restore(const EngineState& from);
    bool any() const { return !streams_.empty(); }
    /// Did the look of this step happen already?
    bool looked_at(std::int64_t step) const { return looked_ >= step; }

    std::vector<InsertedBodies> summary(double time) const;

private:
    struct Stream {
        const Insertion* of;
        std::size_t in{0};  // that many have come
        int idle{0};        // looks in a row that found no room
        /// The step of its first look after `step`.
        std::int64_t next_look(std::int64_t step, double dt) const;
    };

    /// The start of body k of a stream at `at`, with its members, behind those in `rows`.
    void add_rows(const Stream& stream, std::size_t k, Vec3 at, std::vector<std::int32_t>& ids, BodyTable& rows) const;

    const Model& model_;
    std::vector<Stream> streams_;
    std::vector<bool> told_;
    std::int64_t looked_{-1};
};

}  // namespace scree
