#include "output/hdf5_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.hpp"

namespace scree {
namespace {

/// Owns one HDF5 identifier.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }
    bool ok() const { return id_ >= 0; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// The library prints what fails, thread by thread: here an Error says it.
void print_nothing() {
    thread_local const bool once = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
    (void)once;
}

/// HDF5's exit handler would write to files that already failed; every file here is closed by its owner instead.
void prepare_library() {
    static const bool once = [] {
        H5dont_atexit();
        H5open();
        return true;
    }();
    (void)once;
    print_nothing();
}

herr_t keep_innermost(unsigned n, const H5E_error2_t* error, void* out) {
    if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
    return 0;
}

/// The most specific message on HDF5's error stack; the operating system's own words where there are some.
std::string library_message() {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text);
    const std::string mark = "error message = '";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return text;
    const std::size_t from = at + mark.size();
    return text.substr(from, text.find('\'', from) - from);
}

constexpr ElementType kTypes[] = {ElementType::Float64, ElementType::Float32, ElementType::Int64,
                                  ElementType::UInt32,  ElementType::Int32,   ElementType::UInt8};

Handle text_type(std::size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, std::max<std::size_t>(size, 1));
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return Handle(type, H5Tclose);
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* out) {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
}

std::string without_padding(std::string text) {
    const std::size_t end = text.find('\0');
    if (end != std::string::npos) text.resize(end);
    return text;
}

}  // namespace

std::int64_t native_type(ElementType type) {
    switch (type) {
        case ElementType::Float64:
            return H5T_NATIVE_DOUBLE;
        case ElementType::Float32:
            return H5T_NATIVE_FLOAT;
        case ElementType::Int64:
            return H5T_NATIVE_INT64;
        case ElementType::UInt32:
            return H5T_NATIVE_UINT32;
        case ElementType::Int32:
            return H5T_NATIVE_INT32;
        case ElementType::UInt8:
            return H5T_NATIVE_UINT8;
    }
    return H5T_NATIVE_DOUBLE;
}

Hdf5File::Hdf5File(const std::string& path, Mode mode) : path_(path) {
    prepare_library();
    H5Eclear2(H5E_DEFAULT);
    if (mode == Mode::Read) {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) throw Error(path + ": no such file");
        if (std::filesystem::is_directory(path, ignored)) throw Error(path + ": is a directory, not a file");
    }
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access, false, true);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    if (mode == Mode::Create) {
        file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    } else {
        file_ = H5Fopen(path.c_str(), mode == Mode::Read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access);
    }
    if (file_ >= 0) return;
    const std::string reason = library_message();
    if (mode == Mode::Read) throw Error(path + ": not a readable HDF5 file (" + reason + "); it may be cut short or of another kind");
    throw RunError("cannot open " + path + " for writing: " + reason);
}

Hdf5File::~Hdf5File() {
    if (file_ >= 0) H5Fclose(file_);
}

void Hdf5File::close() {
    if (file_ < 0) return;
    const bool flushed = H5Fflush(file_, H5F_SCOPE_LOCAL) >= 0;
    const std::string reason = flushed ? "" : library_message();
    const bool closed = H5Fclose(std::exchange(file_, -1)) >= 0;
    if (!flushed) throw RunError("cannot write " + path_ + ": " + reason);
    if (!closed) throw RunError("cannot write " + path_ + ": " + library_message());
}

void Hdf5File::flush() {
    if (H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) throw RunError("cannot write " + path_ + ": " + library_message());
}

bool Hdf5File::exists(const std::string& path) const {
    print_nothing();
    // H5Lexists asks for every group on the way to be there.
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        if (H5Lexists(file_, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return path == "/" || H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
}

bool Hdf5File::is_single(const std::string& path) const {
    print_nothing();
    if (!exists(path)) return false;
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(set.ok() ? H5Dget_type(set) : -1, H5Tclose);
    return type.ok() && H5Tequal(type, H5T_NATIVE_FLOAT) > 0;
}

std::vector<std::string> Hdf5File::children(const std::string& path) const {
    print_nothing();
    std::vector<std::string> names;
    if (!exists(path)) return names;
    const Handle group(H5Gopen2(file_, path.c_str(), H5P_DEFAULT), H5Gclose);
    if (!group.ok() || H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names) < 0) read_failed(path);
    return names;
}

void Hdf5File::make_group(const std::string& path) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const Handle group(H5Gcreate2(file_, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!group.ok()) write_failed(path);
}

void Hdf5File::remove(const std::string& path) {
    if (H5Ldelete(file_, path.c_str(), H5P_DEFAULT) < 0) write_failed(path);
}

void Hdf5File::move(const std::string& from, const std::string& to) {
    if (H5Lmove(file_, from.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0) write_failed(to);
}

void Hdf5File::link(const std::string& existing, const std::string& path) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    if (H5Lcreate_hard(file_, existing.c_str(), file_, path.c_str(), links, H5P_DEFAULT) < 0) write_failed(path);
}

void Hdf5File::write(const std::string& path, ElementType type, const void* values, std::size_t rows, std::size_t columns, bool compress) {
    const hsize_t extent[2] = {rows, columns};
    const int rank = columns == 1 ? 1 : 2;
    const Handle space(H5Screate_simple(rank, extent, nullptr), H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);  // equal content, equal bytes
    // Below a few kilobytes the index of chunks takes more than compression saves.
    if (compress && rows * columns * element_bytes(type) > 4096) {
        // Chunks of about half a megabyte: HDF5's chunk cache holds a megabyte.
        const hsize_t chunk[2] = {std::min<hsize_t>(rows, 65536 / columns), columns};
        H5Pset_chunk(creation, rank, chunk);
        H5Pset_shuffle(creation);
        if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(creation, 1);
    }
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const Handle set(H5Dcreate2(file_, path.c_str(), native_type(type), space, links, creation, H5P_DEFAULT), H5Dclose);
    if (!set.ok()) write_failed(path);
    if (rows > 0 && H5Dwrite(set, native_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) write_failed(path);
}

void Hdf5File::write_text(const std::string& path, const std::string& text) {
    const Handle type = text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);  // equal content, equal bytes
    const Handle set(H5Dcreate2(file_, path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
    if (!set.ok() || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0) write_failed(path);
}

void Hdf5File::write_attribute_of(const std::string& path, const std::string& name, std::int64_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate_by_name(file_, path.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    if (!attribute.ok() || H5Awrite(attribute, type, value) < 0) write_failed(path + "@" + name);
}

void Hdf5File::write_attribute(const std::string& path, const std::string& name, double value) {
    write_attribute_of(path, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::write_attribute(const std::string& path, const std::string& name, std::int64_t value) {
    write_attribute_of(path, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::write_attribute(const std::string& path, const std::string& name, const std::string& value) {
    const Handle type = text_type(value.size());
    write_attribute_of(path, name, type, value.c_str());
}

Hdf5Array Hdf5File::read(const std::string& path) const {
    print_nothing();
    if (!exists(path)) read_failed(path);
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) read_failed(path);
    const Handle type(H5Dget_type(set), H5Tclose);
    const Handle space(H5Dget_space(set), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t extent[2] = {0, 1};
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, extent, nullptr) < 0) wrong_kind(path);
    const ElementType* found = nullptr;
    for (const ElementType& candidate : kTypes) {
        if (H5Tequal(type, native_type(candidate)) > 0) found = &candidate;
    }
    if (!found) wrong_kind(path);
    require_stored(path, set, static_cast<double>(extent[0]) * static_cast<double>(extent[1]) * static_cast<double>(element_bytes(*found)));
    Hdf5Array array{*found, static_cast<std::size_t>(extent[0]), static_cast<std::size_t>(extent[1]), {}};
    array.bytes.resize(array.rows * array.columns * StateField::size_of(array.type));
    if (array.rows > 0 && H5Dread(set, native_type(*found), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()) < 0) read_failed(path);
    return array;
}

Hdf5Array Hdf5File::read_wide(const std::string& path) const {
    print_nothing();
    Hdf5Array array = read(path);
    if (array.type != ElementType::Float32) return array;
    std::vector<float> single(array.rows * array.columns);
    copy_bytes(array, single.data());
    const std::vector<double> wide(single.begin(), single.end());
    array.type = ElementType::Float64;
    array.bytes.resize(wide.size() * sizeof(double));
    if (!wide.empty()) std::memcpy(array.bytes.data(), wide.data(), array.bytes.size());
    return array;
}

std::string Hdf5File::read_text(const std::string& path) const {
    print_nothing();
    if (!exists(path)) read_failed(path);
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) read_failed(path);
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) wrong_kind(path);
    require_stored(path, set, static_cast<double>(H5Tget_size(type)));
    std::string text(H5Tget_size(type), '\0');
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) read_failed(path);
    return without_padding(std::move(text));
}

bool Hdf5File::has_attribute(const std::string& path, const std::string& name) const {
    print_nothing();
    return exists(path) && H5Aexists_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

void Hdf5File::read_attribute_into(const std::string& path, const std::string& name, std::int64_t type, void* value) const {
    print_nothing();
    if (!has_attribute(path, name)) read_failed(path + "@" + name);
    const Handle attribute(H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!attribute.ok() || H5Aread(attribute, type, value) < 0) read_failed(path + "@" + name);
}

double Hdf5File::read_double(const std::string& path, const std::string& name) const {
    double value = 0;
    read_attribute_into(path, name, H5T_NATIVE_DOUBLE, &value);
    return value;
}

std::int64_t Hdf5File::read_int(const std::string& path, const std::string& name) const {
    std::int64_t value = 0;
    read_attribute_into(path, name, H5T_NATIVE_INT64, &value);
    return value;
}

std::string Hdf5File::read_string(const std::string& path, const std::string& name) const {
    print_nothing();
    if (!has_attribute(path, name)) read_failed(path + "@" + name);
    const Handle attribute(H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) wrong_kind(path + "@" + name);
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, text.data()) < 0) read_failed(path + "@" + name);
    return without_padding(std::move(text));
}

void Hdf5File::require_stored(const std::string& path, std::int64_t set, double bytes) const {
    const Handle creation(H5Dget_create_plist(set), H5Pclose);
    // Deflate shrinks to no less than 1/1032 (zlib's technical details).
    const double most = creation.ok() && H5Pget_nfilters(creation) > 0 ? 1032 : 1;
    std::error_code error;
    const auto file = static_cast<double>(std::filesystem::file_size(path_, error));
    if (error || bytes > most * std::min(file, static_cast<double>(H5Dget_storage_size(set)))) read_failed(path);
}

void Hdf5File::copy_bytes(const Hdf5Array& array, void* to) {
    if (!array.bytes.empty()) std::memcpy(to, array.bytes.data(), array.bytes.size());
}

void Hdf5File::wrong_kind(const std::string& path) const {
    throw Error(path_ + ": " + path + " is not an array of the kind that Scree writes there");
}

void Hdf5File::write_failed(const std::string& what) const {
    throw RunError("cannot write " + what + " into " + path_ + ": " + library_message());
}

void Hdf5File::read_failed(const std::string& what) const {
    throw Error(path_ + ": cannot read " + what + "; the file may be damaged or of another kind");
}

}  // namespace scree
