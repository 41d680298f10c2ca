#include "api/fields_now.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
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

/// Row row[slot] of `to` from each slot. Slots lie as bodies do in space, and so, mostly, do ids; where these are in disorder, writing at
/// random costs no more than reading so.
template <class T, int components>
void copy_rows(const Raw& from, const std::uint32_t* row, int threads, T* to) {
    const auto* first = static_cast<const char*>(from.data);
    const std::size_t n = from.rows, stride = from.row_bytes;
#pragma omp parallel for schedule(static) num_threads(threads) if (n > few)
    for (std::size_t slot = 0; slot < n; ++slot) std::memcpy(to + components * row[slot], first + stride * slot, components * sizeof(T));
}

}  // namespace

struct ArrayMemory::Shelf {
    static constexpr std::size_t most = 2;
    struct Piece {
        void* memory;
        std::size_t bytes;
    };
    std::mutex mutex;
    std::vector<Piece> pieces;

    ~Shelf() {
        for (const Piece& piece : pieces) std::free(piece.memory);
    }
    /// Of this size, or a little larger; null where there is none.
    Piece find(std::size_t bytes) {
        const std::lock_guard lock(mutex);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            const Piece piece = pieces[k];
            if (piece.bytes < bytes || piece.bytes > bytes + bytes / 8) continue;
            pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k));
            return piece;
        }
        return {nullptr, 0};
    }
    void put(Piece piece) {
        const std::lock_guard lock(mutex);
        if (pieces.size() == most) {
            std::free(pieces.front().memory);
            pieces.erase(pieces.begin());
        }
        pieces.push_back(piece);
    }
};

std::shared_ptr<void> ArrayMemory::take(std::size_t bytes) {
    constexpr std::size_t line = 64, large_page = std::size_t{1} << 21;
    if (!shelf_) shelf_ = std::make_shared<Shelf>();
    Shelf::Piece piece = shelf_->find(bytes);
    if (piece.memory == nullptr) {
        const std::size_t align = bytes >= large_page ? large_page : line;
        piece = {std::aligned_alloc(align, std::max(align, (bytes + align - 1) / align * align)), bytes};
        if (piece.memory == nullptr) throw std::bad_alloc();
        if (bytes >= large_page) (void)madvise(piece.memory, bytes, MADV_HUGEPAGE);  // a hint
    }
    return {piece.memory, [piece, shelf = std::weak_ptr<Shelf>(shelf_)](void* memory) {
                if (const std::shared_ptr<Shelf> there = shelf.lock()) {
                    there->put(piece);
                } else {
                    std::free(memory);
                }
            }};
}

void FieldsNow::forget() {
    fields_.clear();
    states_.clear();
    rows_.clear();
}

template <class T, int components>
Field FieldsNow::copied(const Raw& from, Field::Type type, const std::uint32_t* row) {
    const std::shared_ptr<void> values = memory_.take(std::max<std::size_t>(1, from.rows * components) * sizeof(T));
    copy_rows<T, components>(from, row, threads_, static_cast<T*>(values.get()));
    return {from.name, from.unit, type, from.rows, components, values.get(), values};
}

const State& FieldsNow::state_with(std::uint32_t parts) {
    for (const auto& [there, state] : states_) {
        if ((there & parts) == parts) return state;
    }
    return states_.emplace(parts, state_of(engine_.snapshot_of(parts))).first->second;
}

const std::uint32_t* FieldsNow::rows_of(const Raw& ids) {
    const auto* id = static_cast<const std::uint32_t*>(ids.data);
    const std::size_t n = ids.rows;
    if (n > 0 && rows_.size() == n) return rows_.data();
    std::uint32_t last = 0;
    for (std::size_t k = 0; k < n; ++k) last = std::max(last, id[k]);
    const std::size_t most = n > 0 ? std::size_t{last} + 1 : 0;
    if (n == most) return id;  // nobody has left
    std::vector<std::uint32_t> row(most);
    for (std::size_t k = 0; k < n; ++k) row[id[k]] = 1;
    std::uint32_t before = 0;
    for (std::uint32_t& r : row) before += std::exchange(r, before);
    rows_.resize(n);
    for (std::size_t k = 0; k < n; ++k) rows_[k] = row[id[k]];
    return rows_.data();
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
    const std::uint32_t* row = rows_of(*ids);
    const bool reals = from->type == Raw::Type::Float64 && from->component_bytes == sizeof(double);
    if (reals && from->components == 3) {
        fields_[name] = copied<double, 3>(*from, Field::Type::Float64, row);
    } else if (reals && from->components == 1) {
        fields_[name] = copied<double, 1>(*from, Field::Type::Float64, row);
    } else if (from->type == Raw::Type::Int32 && from->components == 1) {
        fields_[name] = copied<std::int32_t, 1>(*from, Field::Type::Int32, row);
    } else if (from->type == Raw::Type::UInt32 && from->components == 1) {
        fields_[name] = copied<std::uint32_t, 1>(*from, Field::Type::UInt32, row);
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
