// Measures of a scene -> columns of series.csv. Columns are fixed at the start; a sample fills those of the measures that are due.
// Under the cone method columns without meaning there are left out: elastic and dissipated energies, and the work of walls. `total` is then
// kinetic + potential + removed energy, which contacts, stops and motors change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "model/hard_box.hpp"
#include "output/cone_totals.hpp"
#include "scene/scene.hpp"
#include "sim/inserter.hpp"
#include "sim/measured_body.hpp"
#include "sim/measured_stress.hpp"
#include "sim/remover.hpp"
#include "sim/stocks.hpp"

namespace scree {

class Measures {
public:
    /// Throws Error where two measures would give the same column, or a wall, body or joint is unknown.
    /// The streams are those that kind = "streams" tells of, and outlive this.
    Measures(const Scene& scene, const Model& model, const Inserter* inserter = nullptr, const Remover* remover = nullptr,
             const Stocks* stocks = nullptr);

    const std::vector<std::string>& columns() const { return columns_; }
    std::size_t count() const { return measures_.size(); }
    /// Simulated time between two samples of measure `m` [s]; 0: with every frame.
    double every(std::size_t m) const { return measures_[m].every; }

    /// What the person should know of the measures: those that have no columns.
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// The row in which every measure with due[m] has its columns filled, but for cells whose value there is not: of a body that was
    /// removed, of a joint that the engine has no state of, of a solver before its first step. Only what is due is computed.
    std::vector<std::optional<double>> sample(Engine& engine, const std::vector<bool>& due) const;

    /// Takes note of steps done, for measures that sum over them.
    void note(const std::vector<ConeReport>& steps);
    /// The row of these measures is on file: what sums over steps starts anew.
    void start_anew(const std::vector<bool>& due);
    /// Sums over the steps since the last row, for a checkpoint, and back.
    std::vector<NamedConeTotals> sums() const;
    void restore(const std::vector<NamedConeTotals>& sums);

    /// Whether the engine has to account for dissipated energy: only under the penalty method: contacts of the others are rigid.
    static bool need_energy(const Scene& scene);

private:
    class Sampled;
    struct One {
        std::string kind, name;
        double every{0};
        std::size_t first{0};            // column
        Region region;                   // mass_in
        std::vector<std::size_t> walls;  // wall_load, wall_place
        std::vector<Vec3> points, axes;  // of their motions
        std::size_t joint{0};            // joint
        MeasuredBody body;               // body
        StressRegion stress;             // stress
        ConeTotals solver;               // solver, since its last row
    };
    void find_named(const Model& model);
    void add_columns(const SceneMeasure& measure, const Model& model, One& one);
    /// What streams have brought and taken, by columns.
    std::vector<std::pair<std::string, double>> stream_values(double time) const;
    std::vector<std::optional<double>> values_of_one(const One& one, Sampled& from) const;

    const Model& model_;
    const Inserter* inserter_;
    const Remover* remover_;
    const Stocks* stocks_;
    bool cone_{false}, hard_{false}, fluid_{false};
    HardBox box_;  // of hard particles
    Vec3 gravity_;
    TimeFunction acceleration_[3];  // beside it
    Cell cell_;                     // at the start
    int dimensions_;
    std::optional<std::int64_t> compounds_start_;  // bodies at the start, where the model has compounds
    std::vector<bool> named_, bare_;               // by id, where any body is named: it is none of the grains; it touches nothing
    std::vector<One> measures_;
    std::vector<std::string> columns_;
    std::vector<std::string> warnings_;
};

}  // namespace scree
