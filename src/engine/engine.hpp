// The engine as outsiders see it: one abstract class, one virtual call per batch of steps. Which flavor stands behind it is chosen when the
// program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "model/model.hpp"

namespace scree {

enum class Device { Auto, Cpu, Cuda };
enum class Precision { Double, Mixed };

struct EngineOptions {
    Device device{Device::Auto};  // Auto: the CPU, unless a GPU answers
    Precision precision{Precision::Double};
    int threads{0};            // CPU threads, 0: all
    bool track_energy{false};  // accumulate dissipated energies (a little slower)
    bool shuffle{false};       // visit kernel indices in shuffled order: must change nothing (tests)
};

/// A running system. Not thread-safe: one caller at a time.
class Engine {
public:
    virtual ~Engine() = default;

    /// Advances by up to `steps` steps; fewer where a fault ends the batch.
    virtual BatchReport advance(std::int64_t steps) = 0;

    virtual RunCounters counters() const = 0;
    virtual Snapshot snapshot() = 0;
    virtual Measurement measure() = 0;
    virtual RegionSum sum_in(const Region& region) = 0;
    /// Touching contacts at the state reached, sorted by (a, b or wall); does not advance history.
    virtual std::vector<ContactRecord> contacts() = 0;
    /// Hash of all body state by id; equal hashes mean equal bits.
    virtual std::uint64_t state_hash() = 0;

    virtual EngineState save() = 0;
    /// Continues from a saved state; the walls of the model may differ from the saved ones (matched by name).
    /// Throws scree::Error where the fields do not fit the model.
    virtual void load(const EngineState& state) = 0;

    virtual std::vector<StageTime> stage_times() const = 0;
    virtual std::size_t memory_bytes() const = 0;
    virtual std::string device_name() const = 0;
};

/// Makes an engine of the flavor asked for. Throws scree::Error where the device is not there.
std::unique_ptr<Engine> make_engine(const Model& model, const EngineOptions& options);

/// A line that says whether a CUDA device answers, and if not, why. Never throws.
std::string describe_cuda();
bool cuda_available();
/// Whether work asked of `device` runs on CUDA. Throws scree::Error where that is asked for and no device answers.
bool runs_on_cuda(Device device);

}  // namespace scree
