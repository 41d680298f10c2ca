// The bodies of an engine as they are now, by id, one quantity at a time: each is copied at its first look after a change. What has been
// handed out stays as it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/inside.hpp"

namespace scree_v0 {

/// Memory for arrays of numbers, undefined at first. What is given back is used again, since new memory costs more than to write it; that
/// of two arrays is kept.
class ArrayMemory {
public:
    /// 64-byte aligned; it goes back when nobody holds it any more, by whichever thread.
    std::shared_ptr<void> take(std::size_t bytes);

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

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
    /// The row of each slot, from the ids of all.
    const std::uint32_t* rows_of(const ::scree::RawField& ids);
    template <class T, int components>
    Field copied(const ::scree::RawField& from, Field::Type type, const std::uint32_t* row);

    ::scree::Engine& engine_;
    const ::scree::Model& model_;
    int threads_;
    std::map<std::string, Field> fields_;
    std::map<std::uint32_t, State> states_;  // by the parts that were asked for
    std::vector<std::uint32_t> rows_;        // of each slot, where bodies have left; empty: not known yet
    ArrayMemory memory_;
};

}  // namespace scree_v0
