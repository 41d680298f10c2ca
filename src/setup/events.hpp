// [[event]] of a scene -> what happens once a measure passes a value. Until then the walls that wait for it do in the model.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "scene/scene.hpp"

namespace scree {

enum class EventAction { Stop, Add, Remove, Move, Halt, NextStage };

/// Where a wall waits for an event: a time that no run reaches, whose differences are numbers [s].
inline constexpr double never = 1e300;

struct Event {
    std::string name, column;
    bool above{true};  // of `level`, else below
    double level{0};
    double from{0};  // [s]
    EventAction action{EventAction::Stop};
    std::size_t wall{0};
    SourcePlace place;

    /// As it is told: "energy.kinetic_translation below 1e-6".
    std::string condition() const;
};

/// The model has its walls and stages. Throws scree::Error at the table.
std::vector<Event> build_events(const Scene& scene, Model& model);

/// What an event at time t changes of a model's times; nothing where it stops the run.
void apply_event(const Event& event, double t, Model& model);

}  // namespace scree
