// Measures of a scene -> columns of series.csv. Columns are fixed at the start; a sample fills those of the measures that are due.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "scene/scene.hpp"

namespace scree {

class Measures {
public:
    /// Throws Error where two measures would give the same column, or a wall is unknown.
    Measures(const Scene& scene, const Model& model);

    const std::vector<std::string>& columns() const { return columns_; }
    std::size_t count() const { return measures_.size(); }
    /// Simulated time between two samples of measure `m` [s]; 0: with every frame.
    double every(std::size_t m) const { return measures_[m].every; }

    /// The row in which every measure with due[m] has its columns filled. Only what is due is computed.
    std::vector<std::optional<double>> sample(Engine& engine, const std::vector<bool>& due) const;

    /// Whether the engine has to account for dissipated energy.
    static bool need_energy(const Scene& scene);

private:
    struct One {
        std::string kind;
        double every{0};
        std::size_t first{0};            // column
        Region region;                   // mass_in
        std::vector<std::size_t> walls;  // wall_load
    };
    void add_columns(const SceneMeasure& measure, const Model& model, One& one);

    std::vector<One> measures_;
    std::vector<std::string> columns_;
};

}  // namespace scree
