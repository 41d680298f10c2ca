#include "collide/contact_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

class CsvContacts final : public ContactFile {
public:
    explicit CsvContacts(const std::string& path) : path_(path), temporary_(temporary_name(path)) {
        file_ = std::fopen(temporary_.c_str(), "wb");
        if (file_ == nullptr) failed();
        put("a,b,ax,ay,az,bx,by,bz,nx,ny,nz,distance\n");
    }
    ~CsvContacts() override {
        if (file_ == nullptr) return;
        std::fclose(file_);
        ::unlink(temporary_.c_str());
    }
    void write(const std::vector<Contact>& contacts) override {
        text_.clear();
        // {} is the shortest text that reads back as the same number.
        for (const Contact& c : contacts) {
            fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{},{},{},{},{},{}\n", c.a, c.b, c.point_a.x, c.point_a.y,
                           c.point_a.z, c.point_b.x, c.point_b.y, c.point_b.z, c.normal.x, c.normal.y, c.normal.z, c.distance);
        }
        put(text_);
    }
    void finish() override {
        std::FILE* file = file_;
        file_ = nullptr;
        if (std::fclose(file) != 0) {
            const int error = errno;
            ::unlink(temporary_.c_str());
            errno = error;
            failed();
        }
        publish_file(temporary_, path_);
    }

private:
    void put(const std::string& text) {
        if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failed();
    }
    [[noreturn]] void failed() const { throw RunError("cannot write " + path_ + ": " + std::strerror(errno)); }

    std::string path_, temporary_, text_;
    std::FILE* file_{nullptr};
};

/// One array of the file, filled row by row.
struct Column {
    const char* name;
    hid_t type;
    hsize_t width;
    hid_t set{-1};
};

class Hdf5Contacts final : public ContactFile {
public:
    Hdf5Contacts(const std::string& path, std::int64_t count) : path_(path), temporary_(temporary_name(path)) {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        columns_ = {{{"a", H5T_NATIVE_UINT32, 1},
                     {"b", H5T_NATIVE_UINT32, 1},
                     {"point_a", H5T_NATIVE_DOUBLE, 3},
                     {"point_b", H5T_NATIVE_DOUBLE, 3},
                     {"normal", H5T_NATIVE_DOUBLE, 3},
                     {"distance", H5T_NATIVE_DOUBLE, 1}}};
        file_ = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        if (file_ < 0) failed();
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_obj_track_times(how, false);  // the same contacts are the same bytes
        for (Column& c : columns_) {
            const std::array<hsize_t, 2> size{static_cast<hsize_t>(count), c.width};
            const hid_t space = H5Screate_simple(c.width == 1 ? 1 : 2, size.data(), nullptr);
            c.set = H5Dcreate2(file_, c.name, c.type, space, H5P_DEFAULT, how, H5P_DEFAULT);
            H5Sclose(space);
        }
        H5Pclose(how);
        for (const Column& c : columns_) {
            if (c.set < 0) discard_and_fail();
        }
    }
    ~Hdf5Contacts() override {
        if (file_ < 0) return;
        (void)close();
        ::unlink(temporary_.c_str());
    }
    void write(const std::vector<Contact>& contacts) override {
        const std::size_t n = contacts.size();
        if (n == 0) return;
        std::vector<std::uint32_t> a(n), b(n);
        std::vector<Vec3> point_a(n), point_b(n), normal(n);
        std::vector<double> distance(n);
        for (std::size_t k = 0; k < n; ++k) {
            a[k] = contacts[k].a;
            b[k] = contacts[k].b;
            point_a[k] = contacts[k].point_a;
            point_b[k] = contacts[k].point_b;
            normal[k] = contacts[k].normal;
            distance[k] = contacts[k].distance;
        }
        const std::array<const void*, 6> values{a.data(), b.data(), point_a.data(), point_b.data(), normal.data(), distance.data()};
        for (std::size_t k = 0; k < columns_.size(); ++k) put(columns_[k], values[k], n);
        done_ += n;
    }
    void finish() override {
        if (!close()) discard_and_fail();
        publish_file(temporary_, path_);
    }

private:
    void put(const Column& c, const void* values, std::size_t rows) const {
        const std::array<hsize_t, 2> first{done_, 0}, count{rows, c.width};
        const hid_t space = H5Dget_space(c.set);
        const hid_t memory = H5Screate_simple(c.width == 1 ? 1 : 2, count.data(), nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr);
        const herr_t status = H5Dwrite(c.set, c.type, memory, space, H5P_DEFAULT, values);
        H5Sclose(memory);
        H5Sclose(space);
        if (status < 0) failed();
    }
    bool close() {
        herr_t status = 0;
        for (Column& c : columns_) {
            if (c.set >= 0) status = std::min(status, H5Dclose(c.set));
            c.set = -1;
        }
        status = std::min(status, H5Fclose(file_));
        file_ = -1;
        return status >= 0;
    }
    [[noreturn]] void discard_and_fail() {
        if (file_ >= 0) (void)close();
        ::unlink(temporary_.c_str());
        failed();
    }
    [[noreturn]] void failed() const {
        throw RunError("cannot write " + path_ + ": HDF5 reports an error; is the disk full, or the folder missing?");
    }

    std::string path_, temporary_;
    hid_t file_{-1};
    hsize_t done_{0};
    std::array<Column, 6> columns_{};
};

std::string ending_of(const std::string& path) {
    return std::filesystem::path(path).extension().string();
}

}  // namespace

void check_contact_file(const std::string& path, const std::string& input) {
    const std::string ending = ending_of(path);
    if (ending != ".csv" && ending != ".h5" && ending != ".hdf5") {
        throw Error(fmt::format("-o {}: contacts are written as .csv, or as .h5; end the name in one of these", path));
    }
    check_destination("-o", path, input, "the bodies in", {spill_name(path)});
}

std::string spill_name(const std::string& path) {
    return path + ".pairs.tmp";
}

std::unique_ptr<ContactFile> make_contact_file(const std::string& path, std::int64_t count) {
    if (ending_of(path) == ".csv") return std::make_unique<CsvContacts>(path);
    return std::make_unique<Hdf5Contacts>(path, count);
}

}  // namespace scree
