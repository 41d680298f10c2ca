// checkpoint.h5: everything a run needs to go on bit for bit. In: the engine's fields as bytes, the scene, a few counters; out: the same.
// Written under a temporary name and renamed once it is on the disk: a failure leaves the old checkpoint whole. Ends with a seal
// (output/seal.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"
#include "output/cone_totals.hpp"
#include "output/frame_geometry.hpp"
#include "output/hdf5_file.hpp"

namespace scree {

struct Checkpoint {
    std::string version;    // of the program that wrote it
    std::string scene;      // Scene::resolved
    std::string device;     // for the reader's eyes
    std::string precision;  // "double" | "mixed"
    double dt{0};           // step [s]; a restart keeps it
    std::int64_t step{0};
    double time{0};  // [s]
    std::int64_t bodies{0};
    std::int64_t next_frame{0};
    std::vector<std::string> warnings;  // given so far, so that none is repeated
    std::vector<NamedConeTotals> cone;  // so far, of the run and of measures; empty under the penalty method
    std::string solver_lines;           // of solver.csv that could not be written
    std::vector<std::string> files;     // digests of the files that a restart needs unchanged (sim/kept_files.hpp)
    bool of_fault{false};               // read from fault.h5: nothing to go on from
    EngineState engine;
    std::function<void(const FieldSink&)> each_field;  // gives the engine's fields when they are written, in place of `engine`
};

/// Replaces the checkpoint at `path`. Throws RunError; the old one then stays.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Throws Error where the file is missing, cut short, damaged, or not a checkpoint.
Checkpoint read_checkpoint(const std::string& path);

/// The state found at a fault: the fields of a checkpoint, and one frame with its contacts. Throws RunError.
void write_fault(const std::string& path, const Checkpoint& checkpoint, const std::string& message, const Snapshot& snapshot,
                 const std::vector<ContactRecord>& contacts, const FrameGeometry& geometry = {});

/// What an HDF5 file of Scree holds: "scree frames", "scree checkpoint", "scree fault". Throws Error for others.
std::string file_format(const Hdf5File& file);

}  // namespace scree
