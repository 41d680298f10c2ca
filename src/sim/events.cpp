#include "sim/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace scree {

namespace {
constexpr const char* kField = "events";
}

Events::Events(const std::vector<Event>& events, const std::vector<std::string>& columns)
    : events_(events), happened_(events.size(), never) {
    for (const Event& event : events_) {
        const auto found = std::find(columns.begin(), columns.end(), event.column);
        if (found == columns.end()) {
            const std::string of = event.column.substr(0, event.column.find('.')) + ".";
            std::string known;
            for (const std::string& column : columns)
                if (column.rfind(of, 0) == 0) known += (known.empty() ? "; there are " : ", ") + column;
            throw Error(event.place, fmt::format("event \"{}\": no measure gives the column \"{}\"{}", event.name, event.column,
                                                 known.empty() ? ": add a [[measure]] that does" : known));
        }
        column_.push_back(static_cast<std::size_t>(found - columns.begin()));
    }
}

std::vector<const Event*> Events::look(const std::vector<std::optional<double>>& row, double t, Model& model) {
    std::vector<const Event*> now;
    for (std::size_t e = 0; e < events_.size(); ++e) {
        const Event& event = events_[e];
        const std::optional<double>& value = row.at(column_[e]);
        if (happened_[e] < never || t < event.from || !value) continue;
        if (event.above ? !(*value > event.level) : !(*value < event.level)) continue;
        happened_[e] = t;
        apply_event(event, t, model);
        now.push_back(&event);
    }
    return now;
}

StateField Events::saved() const {
    StateField field;
    field.name = kField;
    field.type = StateField::Type::Float64;
    field.bytes.resize(happened_.size() * sizeof(double));
    std::memcpy(field.bytes.data(), happened_.data(), field.bytes.size());
    return field;
}

void Events::restore(const EngineState& from, Model& model) {
    const StateField* field = from.find(kField);
    if (field == nullptr || field->bytes.size() != happened_.size() * sizeof(double))
        throw Error("the checkpoint is damaged: what it says of [[event]] tables is incomplete");
    std::memcpy(happened_.data(), field->bytes.data(), field->bytes.size());
    // In the order in which they happened: stages end one after the other.
    std::vector<std::size_t> order(events_.size());
    for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return happened_[a] < happened_[b]; });
    for (const std::size_t e : order)
        if (happened_[e] < never) apply_event(events_[e], happened_[e], model);
}

std::vector<EventReport> Events::summary() const {
    std::vector<EventReport> all;
    for (std::size_t e = 0; e < events_.size(); ++e)
        all.push_back({events_[e].name, happened_[e] < never ? std::optional<double>(happened_[e]) : std::nullopt});
    return all;
}

}  // namespace scree
