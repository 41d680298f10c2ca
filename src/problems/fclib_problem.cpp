// Reader of FCLIB files. A matrix is a group of m, n, nz, p, i, x: nz >= 0 triplets (p rows, i columns), -1 compressed columns, -2
// compressed rows. Siconos writes triplets the other way about (p columns, as CSparse has them); where only that reading fits the sizes it
// is taken.
#include <fmt/format.h>
#include <hdf5.h>

#include <Eigen/Sparse>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "problems/build_problem.hpp"

namespace scree {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

class Fclib {
public:
    explicit Fclib(const std::string& path) : path_(path) {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        if (file_ < 0) throw Error(fmt::format("{}: is not an HDF5 file that can be read", path));
    }
    ~Fclib() { H5Fclose(file_); }
    Fclib(const Fclib&) = delete;
    Fclib& operator=(const Fclib&) = delete;

    const std::string& path() const { return path_; }
    bool has(const std::string& name) const {
        // Each part of the path must exist before the next may be asked for.
        for (std::size_t at = name.find('/', 1);; at = name.find('/', at + 1)) {
            if (H5Lexists(file_, name.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
            if (at == std::string::npos) return true;
        }
    }
    bool is_array(const std::string& name) const {
        if (!has(name)) return false;
        const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
        if (set >= 0) H5Dclose(set);
        return set >= 0;
    }
    std::vector<double> numbers(const std::string& name) const { return read<double>(name, H5T_NATIVE_DOUBLE); }
    std::vector<std::int64_t> integers(const std::string& name) const { return read<std::int64_t>(name, H5T_NATIVE_INT64); }
    std::int64_t integer(const std::string& name) const {
        const auto all = integers(name);
        if (all.size() != 1) throw Error(fmt::format("{}: {} should be one number, not {}", path_, name, all.size()));
        return all[0];
    }

private:
    template <class T>
    std::vector<T> read(const std::string& name, hid_t type) const {
        if (!has(name)) throw Error(fmt::format("{}: there is no {}", path_, name));
        const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
        if (set < 0) throw Error(fmt::format("{}: {} is not an array", path_, name));
        const hid_t space = H5Dget_space(set);
        std::vector<T> values(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
        const herr_t status = values.empty() ? 0 : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Sclose(space);
        H5Dclose(set);
        if (status < 0) throw Error(fmt::format("{}: {} does not hold numbers, or is damaged", path_, name));
        return values;
    }

    std::string path_;
    hid_t file_;
};

struct Matrix {
    std::int64_t rows, columns;
    std::vector<Entry> entries;

    Sparse sparse() const {
        std::vector<Eigen::Triplet<double>> triplets;
        triplets.reserve(entries.size());
        for (const Entry& e : entries) triplets.emplace_back(static_cast<int>(e.row), static_cast<int>(e.column), e.value);
        Sparse result(rows, columns);
        result.setFromTriplets(triplets.begin(), triplets.end());
        return result;
    }
};

bool in_range(const Matrix& m) {
    return std::all_of(m.entries.begin(), m.entries.end(),
                       [&](const Entry& e) { return e.row >= 0 && e.row < m.rows && e.column >= 0 && e.column < m.columns; });
}

Matrix read_matrix(const Fclib& file, const std::string& group) {
    if (file.is_array(group)) {
        throw Error(
            fmt::format("{}: {} is an array; FCLIB has a group of m, n, nz, p, i, x here. Write a dense matrix as triplets: nz = m n, p "
                        "rows, i columns",
                        file.path(), group));
    }
    Matrix m{file.integer(group + "/m"), file.integer(group + "/n"), {}};
    const std::int64_t nz = file.integer(group + "/nz");
    const auto p = file.integers(group + "/p"), i = file.integers(group + "/i");
    const auto x = file.numbers(group + "/x");
    const auto fail = [&](const std::string& what) { throw Error(fmt::format("{}: matrix {}: {}", file.path(), group, what)); };
    if (m.rows < 0 || m.columns < 0 || std::max(m.rows, m.columns) > 100'000'000) fail(fmt::format("size {} x {}", m.rows, m.columns));
    if (nz < -2) fail(fmt::format("nz is {}; it must be -2, -1 or the number of triplets", nz));
    if (nz >= 0) {
        const auto count = static_cast<std::size_t>(nz);
        if (p.size() < count || i.size() < count || x.size() < count) fail("p, i or x is shorter than nz");
        for (std::size_t k = 0; k < count; ++k) m.entries.push_back({p[k], i[k], x[k]});
        if (!in_range(m)) {
            for (Entry& e : m.entries) std::swap(e.row, e.column);
        }
    } else {
        const bool by_columns = nz == -1;
        const std::int64_t lines = by_columns ? m.columns : m.rows;
        if (static_cast<std::int64_t>(p.size()) != lines + 1) fail(fmt::format("p has {} numbers; it must have {}", p.size(), lines + 1));
        const auto most = static_cast<std::int64_t>(std::min(i.size(), x.size()));
        for (std::int64_t line = 0; line < lines; ++line) {
            if (p[line] < 0 || p[line + 1] < p[line] || p[line + 1] > most) fail("p does not ascend, or points past the end of i and x");
            for (std::int64_t e = p[line]; e < p[line + 1]; ++e) {
                m.entries.push_back(by_columns ? Entry{i[e], line, x[e]} : Entry{line, i[e], x[e]});
            }
        }
    }
    if (!in_range(m)) fail(fmt::format("an index is outside {} x {}", m.rows, m.columns));
    return m;
}

Eigen::VectorXd vector_of(const Fclib& file, const std::string& name, std::int64_t size) {
    const auto values = file.numbers(name);
    if (static_cast<std::int64_t>(values.size()) != size) {
        throw Error(fmt::format("{}: {} has {} numbers; the matrices ask for {}", file.path(), name, values.size(), size));
    }
    return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

void check_size(const Fclib& file, const char* name, const Matrix& m, std::int64_t rows, std::int64_t columns) {
    if (m.rows == rows && m.columns == columns) return;
    throw Error(fmt::format("{}: matrix {} is {} x {}; it must be {} x {}", file.path(), name, m.rows, m.columns, rows, columns));
}

constexpr std::int64_t columns_at_once = 256;
constexpr std::size_t most_entries = 100'000'000;  // of a condensed matrix: 2.4 GB, and as much again while it is sorted

/// A^-1, applied to some columns at a time, so that memory follows what is not zero in the result.
class Inverse {
public:
    /// Throws Error where A, called `what`, is singular.
    Inverse(const Fclib& file, std::string what, const Sparse& a) : file_(file), what_(std::move(what)), lu_(a) {
        if (lu_.info() != Eigen::Success) fail();
    }
    Eigen::MatrixXd operator()(const Eigen::MatrixXd& b) {
        Eigen::MatrixXd result = lu_.solve(b);
        if (!result.allFinite()) fail();
        return result;
    }

private:
    [[noreturn]] void fail() const { throw Error(fmt::format("{}: {} is singular", file_.path(), what_)); }

    const Fclib& file_;
    std::string what_;
    Eigen::SparseLU<Sparse> lu_;
};

/// Adds what is not zero of `block`, whose first column is `first` in the matrix. Throws Error where that becomes too much.
void append_columns(const Fclib& file, const Eigen::MatrixXd& block, std::int64_t first, std::vector<Entry>& entries) {
    for (Eigen::Index c = 0; c < block.cols(); ++c) {
        for (Eigen::Index r = 0; r < block.rows(); ++r) {
            if (block(r, c) != 0) entries.push_back({r, first + c, block(r, c)});
        }
    }
    if (entries.size() > most_entries) {
        throw Error(fmt::format("{}: condensed onto its contacts the matrix has more than {} entries; give a smaller problem", file.path(),
                                most_entries));
    }
}

FrictionProblem finish(const Fclib& file, const std::string& group, std::vector<Entry> entries, const Eigen::VectorXd& q) {
    const std::int64_t dimensions = file.integer(group + "/spacedim");
    const std::vector<double> mu = file.numbers(group + "/vectors/mu");
    if (dimensions != 2 && dimensions != 3) {
        throw Error(fmt::format("{}: {}/spacedim is {}; it must be 2 or 3", file.path(), group, dimensions));
    }
    return build_problem(file.path(), static_cast<int>(dimensions), std::move(entries), {q.begin(), q.end()}, mu);
}

/// Equality constraints V^T r + R l + s = 0 are eliminated: W - V R^-1 V^T, q - V R^-1 s.
FrictionProblem read_local(const Fclib& file) {
    const std::string group = "/fclib_local";
    Matrix w = read_matrix(file, group + "/W");
    check_size(file, "W", w, w.rows, w.rows);
    Eigen::VectorXd q = vector_of(file, group + "/vectors/q", w.rows);
    if (!file.has(group + "/R")) return finish(file, group, std::move(w.entries), q);
    const Matrix v = read_matrix(file, group + "/V"), r = read_matrix(file, group + "/R");
    check_size(file, "R", r, r.rows, r.rows);
    check_size(file, "V", v, w.rows, r.rows);
    Inverse solved(file, "matrix R", r.sparse());
    const Sparse from = v.sparse(), to = from.transpose();
    q -= from * solved(vector_of(file, group + "/vectors/s", r.rows));
    for (std::int64_t at = 0; at < w.rows; at += columns_at_once) {
        const std::int64_t count = std::min(columns_at_once, w.rows - at);
        append_columns(file, -(from * solved(Eigen::MatrixXd(to.middleCols(at, count)))), at, w.entries);
    }
    return finish(file, group, std::move(w.entries), q);
}

/// v = M^-1 (H r + G l + f), G^T v + b = 0: W and q are H^T v + w for each unit r and for none.
FrictionProblem read_global(const Fclib& file) {
    const std::string group = "/fclib_global";
    const Matrix m = read_matrix(file, group + "/M"), h = read_matrix(file, group + "/H");
    check_size(file, "M", m, m.rows, m.rows);
    check_size(file, "H", h, m.rows, h.columns);
    const Eigen::VectorXd f = vector_of(file, group + "/vectors/f", m.rows);
    Eigen::VectorXd q = vector_of(file, group + "/vectors/w", h.columns);
    Matrix system = m;
    Eigen::VectorXd b(0);
    if (file.has(group + "/G")) {
        const Matrix g = read_matrix(file, group + "/G");
        check_size(file, "G", g, m.rows, g.columns);
        b = vector_of(file, group + "/vectors/b", g.columns);
        system.rows = system.columns = m.rows + g.columns;
        for (const Entry& e : g.entries) {
            system.entries.push_back({e.row, m.rows + e.column, -e.value});
            system.entries.push_back({m.rows + e.column, e.row, e.value});
        }
    }
    Inverse solved(file, b.size() > 0 ? "the system of M and G" : "matrix M", system.sparse());
    const Sparse to = h.sparse(), from = to.transpose();
    Eigen::VectorXd free(system.rows);
    free << f, -b;
    q += from * solved(free).topRows(m.rows);
    std::vector<Entry> w;
    for (std::int64_t at = 0; at < h.columns; at += columns_at_once) {
        const std::int64_t count = std::min(columns_at_once, h.columns - at);
        Eigen::MatrixXd right = Eigen::MatrixXd::Zero(system.rows, count);
        right.topRows(m.rows) = Eigen::MatrixXd(to.middleCols(at, count));
        append_columns(file, from * solved(right).topRows(m.rows), at, w);
    }
    // What should cancel leaves rounding behind, which would fill the matrix.
    double largest = 0;
    for (const Entry& e : w) largest = std::max(largest, std::abs(e.value));
    std::erase_if(w, [&](const Entry& e) { return std::abs(e.value) <= 1e-15 * largest; });
    return finish(file, group, std::move(w), q);
}

}  // namespace

FrictionProblem read_fclib_problem(const std::string& path) {
    const Fclib file(path);
    if (file.has("/fclib_local")) return read_local(file);
    if (file.has("/fclib_global")) return read_global(file);
    throw Error(fmt::format("{}: is an HDF5 file, but has neither fclib_local nor fclib_global", path));
}

}  // namespace scree
