// What this machine is used to: speeds of earlier runs, by kind of scene, in a small file of the user's (docs/terminal.md). A record that
// cannot be read or written is none; nothing here throws.
#pragma once

#include <string>

#include "engine/engine.hpp"
#include "model/model.hpp"
#include "output/summary.hpp"

namespace scree {

/// $XDG_STATE_HOME/scree/speeds.csv, without that ~/.local/state/scree/speeds.csv; empty where SCREE_NO_RECORD is set, or there is neither.
std::string speed_record_path();

/// Runs of one kind are worth comparing: method and law, dimensions, shapes, bonds and compounds, number of bodies to half a power of ten,
/// device, precision and threads.
std::string kind_of_run(const Model& model, std::int64_t bodies, const std::string& device, const EngineOptions& options);

/// Of the runs of this kind in the record; none where there are fewer than three.
UsualSpeed usual_speed(const std::string& path, const std::string& kind);

/// Adds a run [body-steps/s], keeping the last 20 of its kind and 1,000 in all.
void record_speed(const std::string& path, const std::string& kind, double speed);

}  // namespace scree
