// The lists of all cell structures and of all storages of particles. To add one: a header and a line here; tests, benchmarks and tables
// follow.
#pragma once

#include "layouts/csr.hpp"
#include "layouts/fixed.hpp"
#include "layouts/hashed.hpp"
#include "layouts/linked.hpp"
#include "layouts/search.hpp"
#include "layouts/sorted.hpp"
#include "layouts/vectors.hpp"

namespace scree::layouts {

/// f.operator()<Cells>() for each structure.
template <class F>
void for_each_structure(F f) {
    f.template operator()<Brute>();
    f.template operator()<Vectors>();
    f.template operator()<Linked>();
    f.template operator()<Fixed>();
    f.template operator()<Csr<SerialPrefix>>();
    f.template operator()<Csr<ParallelPrefix>>();
    f.template operator()<CsrCopied>();
    f.template operator()<SortedTable>();
    f.template operator()<SortedBisected>();
    f.template operator()<Hashed<Scattered>>();
    f.template operator()<Hashed<InRows>>();
}

/// f.operator()<Particles>() for each storage.
template <class F>
void for_each_storage(F f) {
    f.template operator()<Structs>();
    f.template operator()<Points>();
    f.template operator()<Components>();
}

}  // namespace scree::layouts
