#include "api/fields_now.hpp"

#include <algorithm>
#include <cstring>

#include "model/cell.hpp"

namespace scree_v0 {
namespace {

using Raw = ::scree::RawField;  // the engine's, not that of the headers

constexpr std::size_t few = 20000;  // bodies, for which a second thread is not worth its waking

/// The least of a snapshot that holds a field.
std::uint32_t parts_of(const std::string& name) {
    using namespace ::scree;
    static const std::map<std::string, std::uint32_t> parts{
        {"id", 0},
        {"position", kSnapshotPositions},
        {"velocity", kSnapshotVelocities},
        {"angular_velocity", kSnapshotSpins},
        {"orientation", kSnapshotOrientations},
        {"force", kSnapshotForces},
        {"torque", kSnapshotForces},
        {"radius", kSnapshotConstants},
        {"mass", kSnapshotConstants},
        {"material", kSnapshotConstants},
        {"shape", kSnapshotConstants},
        {"owner", kSnapshotConstants},
    };
    const auto found = parts.find(name);
    return found == parts.end() ? std::uint32_t{kSnapshotColumns} : found->second;
}

/// Row `place[slot]` of `to` from each slot. Slots lie in space as bodies do, and so, mostly, do ids: writing at random where ids are in
/// disorder costs no more than reading so.
template <class T, int components>
void copy_rows(const Raw& from, const std::uint32_t* place, int threads, T* to) {
    const auto* first = static_cast<const char*>(from.data);
    const std::size_t n = from.rows, stride = from.row_bytes;
#pragma omp parallel for schedule(static) num_threads(threads) if (n > few)
    for (std::size_t slot = 0; slot < n; ++slot) std::memcpy(to + components * place[slot], first + stride * slot, components * sizeof(T));
}

template <class T, int components>
Field copied(const Raw& from, Field::Type type, const std::uint32_t* place, int threads) {
    const std::shared_ptr<T[]> values(new T[std::max<std::size_t>(1, from.rows * components)]);
    copy_rows<T, components>(from, place, threads, values.get());
    return {from.name, from.unit, type, from.rows, components, values.get(), values};
}

}  // namespace

void FieldsNow::forget() {
    fields_.clear();
    states_.clear();
    places_.clear();
}

const State& FieldsNow::state_with(std::uint32_t parts) {
    for (const auto& [there, state] : states_) {
        if ((there & parts) == parts) return state;
    }
    return states_.emplace(parts, state_of(engine_.snapshot_of(parts))).first->second;
}

void FieldsNow::place(const Raw& ids) {
    const auto* id = static_cast<const std::uint32_t*>(ids.data);
    const std::size_t n = ids.rows;
    places_.assign(id, id + n);
    const std::size_t most = n > 0 ? static_cast<std::size_t>(*std::max_element(id, id + n)) + 1 : 0;
    if (most == n) return;  // nobody has left
    std::vector<std::uint32_t> row(most);
    for (std::size_t k = 0; k < n; ++k) row[id[k]] = 1;
    std::uint32_t before = 0;
    for (std::uint32_t& r : row) before += std::exchange(r, before);
    for (std::uint32_t& p : places_) p = row[p];
}

bool FieldsNow::copy_straight(const std::string& name) {
    const bool moved_home = (name == "position" || name == "velocity") && ::scree::cell_of(model_).any();
    if (parts_of(name) == ::scree::kSnapshotColumns || name == "owner" || moved_home) return false;
    const std::vector<Raw> raw = engine_.raw_fields();
    const auto named = [&raw](const std::string& wanted) -> const Raw* {
        const auto found = std::find_if(raw.begin(), raw.end(), [&](const Raw& f) { return f.name == wanted; });
        return found == raw.end() || found->device >= 0 ? nullptr : &*found;
    };
    const Raw *from = named(name), *ids = named("id");
    if (from == nullptr || ids == nullptr || ids->type != Raw::Type::UInt32) return false;
    if (places_.size() != ids->rows) place(*ids);
    const bool reals = from->type == Raw::Type::Float64 && from->component_bytes == sizeof(double);
    if (reals && from->components == 3) {
        fields_[name] = copied<double, 3>(*from, Field::Type::Float64, places_.data(), threads_);
    } else if (reals && from->components == 1) {
        fields_[name] = copied<double, 1>(*from, Field::Type::Float64, places_.data(), threads_);
    } else if (from->type == Raw::Type::Int32 && from->components == 1) {
        fields_[name] = copied<std::int32_t, 1>(*from, Field::Type::Int32, places_.data(), threads_);
    } else if (from->type == Raw::Type::UInt32 && from->components == 1) {
        fields_[name] = copied<std::uint32_t, 1>(*from, Field::Type::UInt32, places_.data(), threads_);
    } else {
        return false;
    }
    return true;
}

const Field* FieldsNow::find(const std::string& name) {
    if (const auto found = fields_.find(name); found != fields_.end()) return &found->second;
    const bool at_hand = states_.count(::scree::kSnapshotAll) > 0;
    if (at_hand || !copy_straight(name)) {
        const State& state = state_with(parts_of(name));
        if (!state.has(name)) return nullptr;
        fields_[name] = state.field(name);
    }
    return &fields_[name];
}

}  // namespace scree_v0
