// Files for tests of readers: text and FCLIB, written into a folder that is removed again.
#pragma once

#include <hdf5.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "problems/friction_problem.hpp"

namespace scree::problem_test {

class Folder {
public:
    Folder() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() / ("scree-problems-" + std::to_string(getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name)) << text;
        return file(name);
    }

private:
    std::filesystem::path path_;
};

/// A matrix as FCLIB stores it.
struct FclibMatrix {
    int m, n, nz;
    std::vector<int> p, i;
    std::vector<double> x;
};

enum class Storage { Triplets, Columns, Rows };

/// Entries of a dense matrix (by rows) in one of FCLIB's storages; `spare` entries past the end, as nzmax allows.
inline FclibMatrix fclib_matrix(int m, int n, const std::vector<double>& dense, Storage storage, int spare = 0) {
    FclibMatrix out{m, n, storage == Storage::Triplets ? 0 : storage == Storage::Columns ? -1 : -2, {}, {}, {}};
    const int lines = storage == Storage::Columns ? n : m, across = storage == Storage::Columns ? m : n;
    if (storage != Storage::Triplets) out.p.push_back(0);
    for (int line = 0; line < lines; ++line) {
        for (int k = 0; k < across; ++k) {
            const int row = storage == Storage::Columns ? k : line, column = storage == Storage::Columns ? line : k;
            const double value = dense[row * n + column];
            if (value == 0) continue;
            if (storage == Storage::Triplets) out.p.push_back(row);
            out.i.push_back(storage == Storage::Triplets ? column : k);
            out.x.push_back(value);
        }
        if (storage != Storage::Triplets) out.p.push_back(static_cast<int>(out.x.size()));
    }
    if (storage == Storage::Triplets) out.nz = static_cast<int>(out.x.size());
    for (int k = 0; k < spare; ++k) {
        out.i.push_back(0);
        out.x.push_back(99);
    }
    return out;
}

/// Writes an FCLIB file group by group.
class FclibWriter {
public:
    explicit FclibWriter(const std::string& path) : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
        REQUIRE(file_ >= 0);
    }
    ~FclibWriter() { H5Fclose(file_); }
    void group(const std::string& name) { H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }
    void integers(const std::string& name, const std::vector<int>& values) { write(name, values, H5T_NATIVE_INT); }
    void numbers(const std::string& name, const std::vector<double>& values) { write(name, values, H5T_NATIVE_DOUBLE); }
    void matrix(const std::string& name, const FclibMatrix& m) {
        group(name);
        integers(name + "/nzmax", {static_cast<int>(m.x.size())});
        integers(name + "/m", {m.m});
        integers(name + "/n", {m.n});
        integers(name + "/nz", {m.nz});
        integers(name + "/p", m.p);
        integers(name + "/i", m.i);
        numbers(name + "/x", m.x);
    }

private:
    template <class T>
    void write(const std::string& name, const std::vector<T>& values, hid_t type) {
        const hsize_t size = values.size();
        const hid_t space = H5Screate_simple(1, &size, nullptr);
        const hid_t set = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        REQUIRE(set >= 0);
        if (size > 0) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(set);
        H5Sclose(space);
    }

    hid_t file_;
};

/// A local problem in FCLIB's form.
inline void write_local(const std::string& path, int dimensions, const FclibMatrix& w, const std::vector<double>& q,
                        const std::vector<double>& mu) {
    FclibWriter file(path);
    file.group("/fclib_local");
    file.integers("/fclib_local/spacedim", {dimensions});
    file.matrix("/fclib_local/W", w);
    file.group("/fclib_local/vectors");
    file.numbers("/fclib_local/vectors/q", q);
    file.numbers("/fclib_local/vectors/mu", mu);
}

/// The matrix in full, by rows, 3 rows per contact.
inline std::vector<double> dense_of(const ExplicitProblem& problem) {
    const std::size_t rows = 3 * problem.mu.size();
    std::vector<double> dense(rows * rows, 0.0);
    for (std::size_t k = 0; k < problem.mu.size(); ++k) {
        for (std::int64_t e = problem.matrix.row_start[k]; e < problem.matrix.row_start[k + 1]; ++e) {
            for (std::size_t c = 0; c < 9; ++c) {
                dense[(3 * k + c / 3) * rows + 3 * static_cast<std::size_t>(problem.matrix.column[e]) + c % 3] =
                    problem.matrix.values[e][c];
            }
        }
    }
    return dense;
}

/// What a reader says of a file; empty where it reads it.
inline std::string complaint(const std::string& path) {
    try {
        read_friction_problem(path);
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

}  // namespace scree::problem_test
