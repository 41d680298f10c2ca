// What bench_layouts measures: a common case, and studies that each vary one or two things about it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "layouts/layout.hpp"

namespace scree::layouts {

struct Case {
    std::string operation{"search"};  // build, first, rebuild, update, search, reorder
    std::string structure{"csr"}, storage{"points"};
    Stencil stencil{Stencil::Half};
    Walk walk{Walk::Particles};
    bool sorted{false};
    double cell{1};   // width in diameters
    double near{6};   // neighbours of a particle, or `packed`
    double drift{0};  // of rebuild and update: standard deviation of a particle's step along each axis, in diameters
    Id n{1000000};

    /// The number of decimal digits that tell the studies' values apart.
    static std::string text(double value) {
        std::string s = std::to_string(value);
        s.erase(s.find_last_not_of('0') + 1);
        if (s.back() == '.') s.pop_back();
        return s;
    }
    std::string name() const {
        return operation + '/' + structure + '/' + storage + (stencil == Stencil::Half ? "/half" : "/full") +
               (walk == Walk::Cells ? "/cells" : "/particles") + (sorted ? "/sorted" : "/unsorted") + "/cell:" + text(cell) +
               "/near:" + (near == packed ? "packed" : text(near)) + (drift > 0 ? "/drift:" + text(drift) : "") + "/n:" + std::to_string(n);
    }
    /// Cases of one scene come together, and in them those of one layout, so that each is made once.
    auto rank() const { return std::tuple(n, near, sorted, cell, structure, storage, operation, drift, walk, stencil); }
};

/// The two ways of the prefix sum leave the same structure behind.
inline bool searched_alike(const std::string& structure) {
    return structure == "csr_parallel_prefix";
}

/// Build and search, in every structure. All pairs are left out where they take more than some seconds.
inline void add_sizes(std::vector<Case>& cases) {
    for (const std::string& structure : structure_names()) {
        for (const Id n : {1000u, 10000u, 100000u, 1000000u, 10000000u}) {
            if (structure == "brute" && n > 100000) continue;
            for (const bool sorted : {false, true}) {
                if (structure == "brute" && sorted) continue;
                Case c;
                c.structure = structure;
                c.n = n;
                c.sorted = sorted;
                if (!searched_alike(structure)) cases.push_back(c);
                c.operation = "build";
                if (structure != "brute") cases.push_back(c);
            }
        }
    }
}

inline void add_stencils(std::vector<Case>& cases, const std::string& structure) {
    for (const bool sorted : {false, true}) {
        Case c;
        c.structure = structure;
        c.sorted = sorted;
        c.stencil = Stencil::Full;
        cases.push_back(c);
    }
}

/// Storage against order: unsorted particles by their numbers, by cells, and sorted ones.
inline void add_storages(std::vector<Case>& cases, const std::string& structure) {
    for (const std::string& storage : storage_names()) {
        for (const auto& [sorted, walk] : {std::pair{false, Walk::Particles}, {false, Walk::Cells}, {true, Walk::Particles}}) {
            Case c;
            c.structure = structure;
            c.storage = storage;
            c.sorted = sorted;
            c.walk = walk;
            cases.push_back(c);
        }
    }
}

/// Occupancy against width of cells, with particles in the order of cells, as a simulation would keep them.
inline void add_cells(std::vector<Case>& cases, const std::string& structure) {
    for (const double near : {0.1, 1.0, 6.0, 12.0, packed}) {
        for (const double cell : {0.5, 1.0, 1.5, 2.0}) {
            Case c;
            c.structure = structure;
            c.sorted = true;
            c.near = near;
            c.cell = cell;
            cases.push_back(c);
            c.operation = "build";
            cases.push_back(c);
        }
    }
}

/// How cells are kept up to date: in new memory, anew in old memory, or particle by particle. And what sorting the particles costs.
inline void add_upkeep(std::vector<Case>& cases, const std::string& structure) {
    Case c;
    c.structure = structure;
    c.operation = "first";
    cases.push_back(c);
    for (const double drift : {0.01, 0.1}) {
        c.drift = drift;
        for (const bool sorted : {false, true}) {
            c.sorted = sorted;
            c.operation = "rebuild";
            cases.push_back(c);
            c.operation = "update";
            if (structure == "vectors") cases.push_back(c);
        }
    }
}

inline std::vector<Case> all_cases() {
    std::vector<Case> cases;
    add_sizes(cases);
    for (const std::string& structure : structure_names()) {
        if (structure == "brute" || searched_alike(structure)) continue;
        add_stencils(cases, structure);
        add_storages(cases, structure);
        add_cells(cases, structure);
        add_upkeep(cases, structure);
    }
    for (const std::string& storage : storage_names()) {
        for (const bool sorted : {false, true}) {
            Case c;
            c.operation = "reorder";
            c.storage = storage;
            c.sorted = sorted;
            cases.push_back(c);
        }
    }
    const auto before = [](const Case& a, const Case& b) { return a.rank() < b.rank(); };
    std::sort(cases.begin(), cases.end(), before);
    cases.erase(std::unique(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.rank() == b.rank(); }), cases.end());
    return cases;
}

}  // namespace scree::layouts
