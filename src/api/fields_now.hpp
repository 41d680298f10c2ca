// The bodies of an engine as they are now, by id, one quantity at a time: each is copied at its first look after a change. What has been
// handed out stays as it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/inside.hpp"

namespace scree_v0 {

class FieldsNow {
public:
    /// threads: of copies; the numbers do not depend on it.
    FieldsNow(::scree::Engine& engine, const ::scree::Model& model, int threads) : engine_(engine), model_(model), threads_(threads) {}

    /// Null where there is no such field.
    const Field* find(const std::string& name);
    /// All fields.
    const State& whole() { return state_with(::scree::kSnapshotAll); }
    void forget();

private:
    const State& state_with(std::uint32_t parts);
    /// Straight from the engine's memory where that has what snapshots show. False where it has not.
    bool copy_straight(const std::string& name);
    /// Makes places_ of the ids of all slots.
    void place(const ::scree::RawField& ids);

    ::scree::Engine& engine_;
    const ::scree::Model& model_;
    int threads_;
    std::map<std::string, Field> fields_;
    std::map<std::uint32_t, State> states_;  // by the parts that were asked for
    std::vector<std::uint32_t> places_;      // row of each slot; empty: not known yet
};

}  // namespace scree_v0
