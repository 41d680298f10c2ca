// One cell structure over one storage, chosen by name when the program runs. One virtual call per build or search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "layouts/pair_sum.hpp"
#include "layouts/scenes.hpp"
#include "layouts/search.hpp"

namespace scree::layouts {

class Layout {
public:
    virtual ~Layout() = default;
    /// Copies the particles into the storage.
    virtual void load(const Scene& scene) = 0;
    virtual void build(const Grid& grid) = 0;
    /// As build, in memory that was never used.
    virtual void build_first(const Grid& grid) = 0;
    /// Takes particles that moved, within the grid of the last build, from cell to cell; false where the structure can only be built anew.
    virtual bool update(const Grid& grid) = 0;
    virtual PairSum search(const Grid& grid, Stencil stencil, Walk walk) const = 0;
    virtual QueryCount count(const Grid& grid, Stencil stencil) const = 0;
    virtual double bytes() const = 0;
    virtual double build_bytes() const = 0;
    /// Bytes that n particles in so many cells will take, to first approximation.
    virtual double needs(double n, double cells) const = 0;
};

/// Names of cell structures and storages, in the order of results.
std::vector<std::string> structure_names();
std::vector<std::string> storage_names();

/// Throws std::invalid_argument where a name is not known.
std::unique_ptr<Layout> make_layout(const std::string& structure, const std::string& storage);

}  // namespace scree::layouts
