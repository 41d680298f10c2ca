// One HDF5 file, owned. In: arrays, text and attributes under paths such as "/frames/000000/position"; out: the same, read back.
// Every failure while writing is a RunError (a full disk), every failure while reading an Error (a foreign or damaged file).
// Files are opened without HDF5's locks, so that a viewer may read a run that goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/quat.hpp"
#include "base/vec3.hpp"
#include "engine/snapshot.hpp"

namespace scree {

using ElementType = StateField::Type;

/// An array as it lies in a file: rows × columns elements, row by row.
struct Hdf5Array {
    ElementType type{ElementType::Float64};
    std::size_t rows{0};
    std::size_t columns{1};
    std::vector<std::byte> bytes;
};

/// How a C++ type is stored: element type and number of columns.
template <class T>
struct ElementOf;
template <ElementType Type>
struct OneElement {
    static constexpr ElementType type = Type;
    static constexpr std::size_t columns = 1;
};
template <>
struct ElementOf<double> : OneElement<ElementType::Float64> {};
template <>
struct ElementOf<float> : OneElement<ElementType::Float32> {};
template <>
struct ElementOf<std::int64_t> : OneElement<ElementType::Int64> {};
template <>
struct ElementOf<std::uint32_t> : OneElement<ElementType::UInt32> {};
template <>
struct ElementOf<std::int32_t> : OneElement<ElementType::Int32> {};
template <>
struct ElementOf<std::uint8_t> : OneElement<ElementType::UInt8> {};
template <class T>
struct ElementOf<Vec3T<T>> : ElementOf<T> {
    static constexpr std::size_t columns = 3;
};
template <>
struct ElementOf<Quat> : ElementOf<double> {
    static constexpr std::size_t columns = 4;
};
template <class T, std::size_t n>
struct ElementOf<std::array<T, n>> : ElementOf<T> {
    static constexpr std::size_t columns = n;
};

/// Bytes of one element.
constexpr std::size_t element_bytes(ElementType type) {
    return type == ElementType::Float64 || type == ElementType::Int64 ? 8 : type == ElementType::UInt8 ? 1 : 4;
}

/// HDF5's own number (hid_t) of the type of elements in memory.
std::int64_t native_type(ElementType type);

class Hdf5File {
public:
    enum class Mode { Create, Append, Read };  // Create replaces what was there

    /// Opens or creates. Throws RunError (Create, Append) or Error (Read).
    Hdf5File(const std::string& path, Mode mode);
    ~Hdf5File();  // closes and drops errors: writers call close()
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    /// Writes out what is left and closes. Throws RunError where that fails.
    void close();

    /// Hands everything written so far to the system. Throws RunError.
    void flush();

    bool exists(const std::string& path) const;
    /// Does the array at `path` hold numbers of single precision? False where there is no array.
    bool is_single(const std::string& path) const;
    /// Names of the links in a group, sorted; empty where there is no such group.
    std::vector<std::string> children(const std::string& path) const;
    void make_group(const std::string& path);
    /// Removes a link; the space is not given back to the file system.
    void remove(const std::string& path);

    /// Gives a link another path; the group it goes to must be there.
    void move(const std::string& from, const std::string& to);

    /// Makes `path` a second name of the array at `existing`: both stay until both are removed. Missing groups on the way are made.
    void link(const std::string& existing, const std::string& path);

    /// Writes rows × columns elements; missing groups on the way are made. `compress` shuffles and deflates (level 1): worth it
    /// for integers and constant columns, not for the random mantissas of positions and velocities.
    void write(const std::string& path, ElementType type, const void* values, std::size_t rows, std::size_t columns, bool compress = false);
    template <class T>
    void write(const std::string& path, const std::vector<T>& values, bool compress = false) {
        static_assert(sizeof(T) == ElementOf<T>::columns * element_bytes(ElementOf<T>::type));
        write(path, ElementOf<T>::type, values.data(), values.size(), ElementOf<T>::columns, compress);
    }
    void write_text(const std::string& path, const std::string& text);
    void write_attribute(const std::string& path, const std::string& name, double value);
    void write_attribute(const std::string& path, const std::string& name, std::int64_t value);
    void write_attribute(const std::string& path, const std::string& name, const std::string& value);

    Hdf5Array read(const std::string& path) const;
    /// The same with numbers of single precision in double.
    Hdf5Array read_wide(const std::string& path) const;
    /// Reads an array that must have the element type and columns of T; numbers of single precision do for those of double.
    template <class T>
    std::vector<T> read(const std::string& path) const {
        const Hdf5Array array = ElementOf<T>::type == ElementType::Float64 ? read_wide(path) : read(path);
        if (array.type != ElementOf<T>::type || array.columns != ElementOf<T>::columns) wrong_kind(path);
        std::vector<T> values(array.rows);
        copy_bytes(array, values.data());
        return values;
    }
    std::string read_text(const std::string& path) const;
    bool has_attribute(const std::string& path, const std::string& name) const;
    double read_double(const std::string& path, const std::string& name) const;
    std::int64_t read_int(const std::string& path, const std::string& name) const;
    std::string read_string(const std::string& path, const std::string& name) const;

    const std::string& path() const { return path_; }

private:
    void write_attribute_of(const std::string& path, const std::string& name, std::int64_t type, const void* value);
    void read_attribute_into(const std::string& path, const std::string& name, std::int64_t type, void* value) const;
    /// Throws Error where the data set `set` at `path` claims more `bytes` than the file can hold: a damaged one may claim any number.
    void require_stored(const std::string& path, std::int64_t set, double bytes) const;
    static void copy_bytes(const Hdf5Array& array, void* to);
    [[noreturn]] void wrong_kind(const std::string& path) const;
    [[noreturn]] void write_failed(const std::string& what) const;
    [[noreturn]] void read_failed(const std::string& what) const;

    std::string path_;
    std::int64_t file_{-1};  // hid_t, below 0 once closed
};

}  // namespace scree
