#include "raw_arrays.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "dlpack.hpp"

namespace py = pybind11;

namespace scree_python {
namespace {

/// Where numbers lie, and who owns them.
struct Place {
    void* data;
    dlpack::Device device;
    dlpack::DataType type;
    std::vector<std::int64_t> shape, strides;  // strides in elements
    std::shared_ptr<const void> owner;
};

/// What a consumer of a capsule gets; it calls the deleter when it is done, from any thread.
template <class Managed>
struct Export {
    Managed managed{};
    Place place;

    explicit Export(Place of) : place(std::move(of)) {
        managed.tensor = {place.data, place.device,       static_cast<std::int32_t>(place.shape.size()),
                          place.type, place.shape.data(), place.strides.data(),
                          0};
        managed.context = this;
        managed.deleter = [](Managed* m) { delete static_cast<Export*>(m->context); };
        if constexpr (std::is_same_v<Managed, dlpack::ManagedTensorVersioned>) {
            managed.version = {1, 0};
            managed.flags = dlpack::kReadOnly;
        }
    }
};

/// A capsule that deletes what nobody has taken: consumers give it another name.
template <class Managed>
py::object capsule_of(Place place, const char* name) {
    auto* exported = new Export<Managed>(std::move(place));
    PyObject* capsule = PyCapsule_New(&exported->managed, name, [](PyObject* self) {
        const char* now = PyCapsule_GetName(self);
        if (now == nullptr || std::string(now).rfind("used_", 0) == 0) return;
        auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(self, now));
        managed->deleter(managed);
    });
    if (capsule == nullptr) {
        delete exported;
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(capsule);
}

/// Of this version (major, minor) at most; none: before 1.0.
py::object capsule_of(Place place, const py::object& version) {
    const bool versioned = !version.is_none() && version.cast<std::pair<int, int>>().first >= 1;
    return versioned ? capsule_of<dlpack::ManagedTensorVersioned>(std::move(place), "dltensor_versioned")
                     : capsule_of<dlpack::ManagedTensor>(std::move(place), "dltensor");
}

/// Keeps an object of Python's, and lets it go under its lock.
std::shared_ptr<const void> kept(const py::object& object) {
    return {object.inc_ref().ptr(), [](const void* pointer) {
                if (Py_IsInitialized() == 0) return;  // Python has ended, and its objects with it
                const py::gil_scoped_acquire acquired;
                Py_DECREF(static_cast<PyObject*>(const_cast<void*>(pointer)));
            }};
}

py::object capsule_of_array(const py::array& array, const py::object& version) {
    const py::ssize_t size = array.itemsize();
    const char kind = array.dtype().kind();
    if (kind != 'f' && kind != 'i' && kind != 'u') throw py::type_error("DLPack takes arrays of numbers only");
    Place place{const_cast<void*>(array.data()),
                {dlpack::kCpu, 0},
                {kind == 'f'   ? dlpack::kFloat
                 : kind == 'i' ? dlpack::kInt
                               : dlpack::kUInt,
                 static_cast<std::uint8_t>(8 * size), 1},
                {},
                {},
                kept(array)};
    for (py::ssize_t a = 0; a < array.ndim(); ++a) {
        if (array.strides(a) % size != 0) throw py::buffer_error("DLPack takes no arrays whose numbers lie between each other");
        place.shape.push_back(array.shape(a));
        place.strides.push_back(array.strides(a) / size);
    }
    return capsule_of(std::move(place), version);
}

std::vector<py::ssize_t> shape_of(const scree::RawField& field) {
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(field.rows)};
    if (field.components > 1) shape.push_back(static_cast<py::ssize_t>(field.components));
    return shape;
}

std::vector<py::ssize_t> strides_of(const scree::RawField& field) {
    std::vector<py::ssize_t> strides{static_cast<py::ssize_t>(field.row_bytes)};
    if (field.components > 1) strides.push_back(static_cast<py::ssize_t>(field.component_bytes));
    return strides;
}

py::object capsule_of_field(const scree::RawField& field, const py::object& version) {
    const py::dtype type = dtype_of(field.type);
    const bool reals = field.type == scree::Field::Type::Float64, with_sign = field.type == scree::Field::Type::Int32;
    Place place{const_cast<void*>(field.data),
                {field.device >= 0 ? dlpack::kCuda : dlpack::kCpu, field.device >= 0 ? field.device : 0},
                {reals       ? dlpack::kFloat
                 : with_sign ? dlpack::kInt
                             : dlpack::kUInt,
                 static_cast<std::uint8_t>(8 * type.itemsize()), 1},
                {},
                {},
                field.owner};
    for (const py::ssize_t n : shape_of(field)) place.shape.push_back(n);
    for (const py::ssize_t bytes : strides_of(field)) place.strides.push_back(bytes / type.itemsize());
    return capsule_of(std::move(place), version);
}

}  // namespace

py::array shown(const py::dtype& type, const std::vector<py::ssize_t>& shape, const std::vector<py::ssize_t>& strides, const void* data,
                std::shared_ptr<const void> owner) {
    auto* held = new std::shared_ptr<const void>(std::move(owner));
    const py::capsule base(held, [](void* pointer) { delete static_cast<std::shared_ptr<const void>*>(pointer); });
    py::array array(type, shape, strides, data, base);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

py::dtype dtype_of(scree::Field::Type type) {
    return type == scree::Field::Type::Float64 ? py::dtype::of<double>()
           : type == scree::Field::Type::Int32 ? py::dtype::of<std::int32_t>()
                                               : py::dtype::of<std::uint32_t>();
}

void add_raw_arrays(py::module_& m) {
    py::class_<scree::RawField>(m, "RawField")
        .def_readonly("name", &scree::RawField::name)
        .def_readonly("unit", &scree::RawField::unit)
        .def_readonly("device", &scree::RawField::device)
        .def_property_readonly("shape", [](const scree::RawField& f) { return py::tuple(py::cast(shape_of(f))); })
        .def_property_readonly("strides", [](const scree::RawField& f) { return py::tuple(py::cast(strides_of(f))); })
        .def_property_readonly("dtype", [](const scree::RawField& f) { return dtype_of(f.type); })
        .def_property_readonly("pointer", [](const scree::RawField& f) { return reinterpret_cast<std::uintptr_t>(f.data); })
        .def("array",
             [](const scree::RawField& f) {
                 if (f.device >= 0) throw py::type_error("this array lies in memory of a GPU");
                 return shown(dtype_of(f.type), shape_of(f), strides_of(f), f.data, f.owner);
             })
        .def("dlpack", capsule_of_field);
    m.def("dlpack", capsule_of_array);
}

}  // namespace scree_python
