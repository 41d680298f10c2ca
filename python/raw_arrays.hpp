// Memory of the library as arrays of NumPy, and as what other libraries take without a copy: DLPack, and its form for CUDA.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include <scree/scree.hpp>

namespace scree_python {

/// An array that shows `data`, read-only, and holds on to `owner`. `strides` in bytes; none: row by row.
pybind11::array shown(const pybind11::dtype& type, const std::vector<pybind11::ssize_t>& shape, const std::vector<pybind11::ssize_t>& strides,
                      const void* data, std::shared_ptr<const void> owner);

pybind11::dtype dtype_of(scree::Field::Type type);

/// The class RawField, and dlpack(array, version).
void add_raw_arrays(pybind11::module_& m);

}  // namespace scree_python
