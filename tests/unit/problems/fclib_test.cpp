// The reader of FCLIB files, on files written here as FCLIB's own library writes them.
#include <algorithm>
#include <array>
#include <cmath>

#include "unit/problems/files.hpp"

namespace scree::problem_test {
namespace {

const std::vector<double> w{2, 0, 1, 0,  //
                            0, 3, 0, 0,  //
                            1, 0, 4, 5,  //
                            0, 0, 6, 7};
const std::vector<double> q{1, 2, 3, 4}, mu{0.5, 0.25};

const std::vector<double> w_embedded{2, 0, 0, 1, 0, 0,  //
                                     0, 3, 0, 0, 0, 0,  //
                                     0, 0, 0, 0, 0, 0,  //
                                     1, 0, 0, 4, 5, 0,  //
                                     0, 0, 0, 6, 7, 0,  //
                                     0, 0, 0, 0, 0, 0};

}  // namespace

TEST_CASE("each storage of FCLIB gives the same matrix") {
    const Folder folder;
    for (const Storage storage : {Storage::Triplets, Storage::Columns, Storage::Rows}) {
        for (const int spare : {0, 3}) {
            const std::string path = folder.file("p.hdf5");
            write_local(path, 2, fclib_matrix(4, 4, w, storage, spare), q, mu);
            const FrictionProblem read = read_friction_problem(path);
            CHECK(read.dimensions == 2);
            CHECK(dense_of(read.problem) == w_embedded);
            CHECK(read.problem.r[1].x == 3);
            CHECK(read.problem.r[1].y == 4);
            CHECK(read.problem.mu == mu);
        }
    }
}

TEST_CASE("triplets of one place are added up") {
    const Folder folder;
    FclibMatrix m = fclib_matrix(4, 4, w, Storage::Triplets);
    m.p.push_back(0);
    m.i.push_back(0);
    m.x.push_back(10);
    ++m.nz;
    write_local(folder.file("p.hdf5"), 2, m, q, mu);
    std::vector<double> expected = w_embedded;
    expected[0] = 12;
    CHECK(dense_of(read_friction_problem(folder.file("p.hdf5")).problem) == expected);
}

TEST_CASE("a published problem comes back from FCLIB as from text") {
    const Folder folder;
    const FrictionProblem text = read_friction_problem(SCREE_SOURCE_DIR "/validation/friction_problems/data/NESpheres_10_1.dat");
    const int rows = static_cast<int>(3 * text.problem.mu.size());
    std::vector<double> q3;
    for (const Vec3& v : text.problem.r) q3.insert(q3.end(), {v.x, v.y, v.z});
    write_local(folder.file("p.hdf5"), 3, fclib_matrix(rows, rows, dense_of(text.problem), Storage::Rows), q3, text.problem.mu);
    const FrictionProblem read = read_friction_problem(folder.file("p.hdf5"));
    CHECK(read.dimensions == 3);
    CHECK(read.problem.matrix.values == text.problem.matrix.values);
    CHECK(read.problem.matrix.column == text.problem.matrix.column);
    CHECK(read.problem.mu == text.problem.mu);
}

TEST_CASE("a global problem is condensed onto its contacts") {
    const Folder folder;
    // M = diag(2, 4, 8), H 3 x 2, so that W = H^T M^-1 H and q = w + H^T M^-1 f by hand. Triplets of H also as CSparse has them.
    const std::vector<double> m{2, 0, 0, 0, 4, 0, 0, 0, 8}, h{1, 0, 2, 4, 0, 8}, f{2, 4, 16};
    for (const bool swapped : {false, true}) {
        {
            FclibWriter file(folder.file("g.hdf5"));
            file.group("/fclib_global");
            file.integers("/fclib_global/spacedim", {2});
            file.matrix("/fclib_global/M", fclib_matrix(3, 3, m, Storage::Columns));
            FclibMatrix triplets = fclib_matrix(3, 2, h, Storage::Triplets);
            if (swapped) std::swap(triplets.p, triplets.i);
            file.matrix("/fclib_global/H", triplets);
            file.group("/fclib_global/vectors");
            file.numbers("/fclib_global/vectors/f", f);
            file.numbers("/fclib_global/vectors/w", {0.5, -0.5});
            file.numbers("/fclib_global/vectors/mu", {0.7});
        }
        const FrictionProblem read = read_friction_problem(folder.file("g.hdf5"));
        // W = [1/2 + 4/4, 8/4; 8/4, 16/4 + 64/8], M^-1 f = (1, 1, 2).
        CHECK(dense_of(read.problem) == std::vector<double>{1.5, 2, 0, 2, 12, 0, 0, 0, 0});
        CHECK(read.problem.r[0].x == doctest::Approx(0.5 + 1 + 2));
        CHECK(read.problem.r[0].y == doctest::Approx(-0.5 + 4 + 16));
    }
}

TEST_CASE("a global problem with more contacts than are condensed at once, and with a full matrix, is condensed right") {
    // M = I / 2 + 1 1^T, of which the inverse is 2 I - 4 / (1 + 2 n) 1 1^T (Sherman & Morrison); H = 3 I, so that W is 9 times that.
    const Folder folder;
    constexpr int n = 2 * 150;  // 256 columns are taken at a time
    std::vector<double> m(n * n, 1.0), h(n * n, 0.0);
    for (int k = 0; k < n; ++k) {
        m[k * n + k] += 0.5;
        h[k * n + k] = 3;
    }
    {
        FclibWriter file(folder.file("g.hdf5"));
        file.group("/fclib_global");
        file.integers("/fclib_global/spacedim", {2});
        file.matrix("/fclib_global/M", fclib_matrix(n, n, m, Storage::Columns));
        file.matrix("/fclib_global/H", fclib_matrix(n, n, h, Storage::Rows));
        file.group("/fclib_global/vectors");
        file.numbers("/fclib_global/vectors/f", std::vector<double>(n, 1.0));
        file.numbers("/fclib_global/vectors/w", std::vector<double>(n, 0.25));
        file.numbers("/fclib_global/vectors/mu", std::vector<double>(n / 2, 0.7));
    }
    const FrictionProblem read = read_friction_problem(folder.file("g.hdf5"));
    const std::vector<double> dense = dense_of(read.problem);
    double off = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const double expected = 9 * ((i == j ? 2.0 : 0.0) - 4.0 / (1 + 2.0 * n));
            const std::size_t row = 3 * (i / 2) + i % 2, column = 3 * (j / 2) + j % 2;
            off = std::max(off, std::fabs(dense[row * (3 * n / 2) + column] - expected));
        }
    }
    // The condition number of M is 2 n + 1 = 601: a factorisation may lose that times rounding of 18.
    CHECK(off < 601 * 18 * 2.2e-16);
    CHECK(read.problem.r[n / 2 - 1].y == doctest::Approx(0.25 + 3 * 2.0 / (1 + 2.0 * n)));
}

TEST_CASE("equality constraints are eliminated") {
    const Folder folder;
    SUBCASE("global: G^T v + b = 0 fixes the second velocity") {
        {
            FclibWriter file(folder.file("g.hdf5"));
            file.group("/fclib_global");
            file.integers("/fclib_global/spacedim", {2});
            file.matrix("/fclib_global/M", fclib_matrix(2, 2, {2, 0, 0, 4}, Storage::Rows));
            file.matrix("/fclib_global/H", fclib_matrix(2, 2, {1, 0, 0, 1}, Storage::Rows));
            file.matrix("/fclib_global/G", fclib_matrix(2, 1, {0, 1}, Storage::Columns));
            file.group("/fclib_global/vectors");
            file.numbers("/fclib_global/vectors/f", {6, 7});
            file.numbers("/fclib_global/vectors/w", {0, 0});
            file.numbers("/fclib_global/vectors/b", {-5});
            file.numbers("/fclib_global/vectors/mu", {0.7});
        }
        const FrictionProblem read = read_friction_problem(folder.file("g.hdf5"));
        CHECK(dense_of(read.problem)[0] == doctest::Approx(0.5));
        CHECK(std::fabs(dense_of(read.problem)[4]) < 1e-15);  // nothing moves it
        CHECK(read.problem.r[0].x == doctest::Approx(3));
        CHECK(read.problem.r[0].y == doctest::Approx(5));
    }
    SUBCASE("local: V^T r + R l + s = 0") {
        {
            FclibWriter file(folder.file("g.hdf5"));
            file.group("/fclib_local");
            file.integers("/fclib_local/spacedim", {2});
            file.matrix("/fclib_local/W", fclib_matrix(2, 2, {1, 0, 0, 1}, Storage::Rows));
            file.matrix("/fclib_local/V", fclib_matrix(2, 1, {2, 4}, Storage::Columns));
            file.matrix("/fclib_local/R", fclib_matrix(1, 1, {-8}, Storage::Columns));
            file.group("/fclib_local/vectors");
            file.numbers("/fclib_local/vectors/q", {1, 1});
            file.numbers("/fclib_local/vectors/s", {16});
            file.numbers("/fclib_local/vectors/mu", {0.7});
        }
        const FrictionProblem read = read_friction_problem(folder.file("g.hdf5"));
        // l = (V^T r + s) / 8: W + V V^T / 8, q + 2 V.
        CHECK(dense_of(read.problem) == std::vector<double>{1.5, 1, 0, 1, 3, 0, 0, 0, 0});
        CHECK(read.problem.r[0].x == 5);
        CHECK(read.problem.r[0].y == 9);
    }
}

TEST_CASE("a broken FCLIB file is named with what is wrong in it") {
    const Folder folder;
    const std::string path = folder.file("b.hdf5");
    const auto broken = [&](int dimensions, const FclibMatrix& m, const std::vector<double>& q_, const std::vector<double>& mu_) {
        write_local(path, dimensions, m, q_, mu_);
        const std::string said = complaint(path);
        CHECK(said.find(path) == 0);
        return said;
    };
    const FclibMatrix rows = fclib_matrix(4, 4, w, Storage::Rows);
    CHECK(broken(5, rows, q, mu).find("spacedim is 5") != std::string::npos);
    CHECK(broken(2, rows, {1, 2, 3}, mu).find("q has 3 numbers") != std::string::npos);
    CHECK(broken(2, rows, q, {0.1}).find("1 contacts") != std::string::npos);
    CHECK(broken(2, rows, q, {0.1, -1}).find("mu of contact 1") != std::string::npos);
    FclibMatrix m = rows;
    m.i[1] = 4;
    CHECK(broken(2, m, q, mu).find("outside 4 x 4") != std::string::npos);
    m = rows;
    m.p[2] = 100;
    CHECK(broken(2, m, q, mu).find("p does not ascend") != std::string::npos);
    m = rows;
    m.nz = -3;
    CHECK(broken(2, m, q, mu).find("nz is -3") != std::string::npos);
    m = rows;
    m.x[0] = NAN;
    CHECK(broken(2, m, q, mu).find("the matrix is nan in row 0, column 0; it must be at most 1e+150") != std::string::npos);
    CHECK(broken(2, rows, {1, 2, 1e308, 4}, mu).find("number 2 of q is 1e+308; it must be at most 1e+150") != std::string::npos);
    {
        FclibWriter file(path);
        file.group("/fclib_local");
        file.numbers("/fclib_local/W", w);
    }
    CHECK(complaint(path).find("/fclib_local/W is an array; FCLIB has a group") != std::string::npos);
    { FclibWriter nothing(path); }
    CHECK(complaint(path).find("neither fclib_local nor fclib_global") != std::string::npos);
    {
        FclibWriter file(path);
        file.group("/fclib_local");
    }
    CHECK(complaint(path).find("there is no /fclib_local/W/m") != std::string::npos);
    write_local(path, 2, rows, q, mu);
    std::filesystem::resize_file(path, 700);
    CHECK(complaint(path).find("not an HDF5 file that can be read") != std::string::npos);
}

}  // namespace scree::problem_test
