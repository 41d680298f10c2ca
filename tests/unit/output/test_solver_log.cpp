// solver.csv: a line per step, none lost and none twice, whatever a killed run or a full disk left.
#include <doctest/doctest.h>

#include <filesystem>

#include "base/error.hpp"
#include "output/atomic_file.hpp"
#include "output/solver_log.hpp"
#include "unit/output/temporary_directory.hpp"

using namespace scree;

namespace {

/// Reports of the steps first … last, each with numbers of its own.
std::vector<ConeReport> reports(std::int64_t first, std::int64_t last) {
    std::vector<ConeReport> steps;
    for (std::int64_t k = first; k <= last; ++k) steps.push_back({k, 10 * k, 3 + k % 5, 1 / (3.0 * static_cast<double>(k)), k % 4 != 0});
    return steps;
}

std::string whole_file(const std::string& path, std::int64_t last) {
    SolverLog(path, 1e-3).add(reports(1, last));
    return read_file(path);
}

}  // namespace

TEST_CASE("solver log: header and lines, residuals that read back exactly") {
    const TemporaryDirectory dir;
    SolverLog log(dir.file("solver.csv"), 0.5);
    log.add({{1, 12, 40, 1.0 / 3, true}, {2, 0, 0, 0, true}});
    log.add({{3, 7, 500, 2.5e-3, false}});
    CHECK(log.unwritten().empty());
    CHECK(read_file(dir.file("solver.csv")) ==
          "step,time,contacts,iterations,residual,converged\n1,0.5,12,40,0.3333333333333333,1\n2,1,0,0,0,1\n3,1.5,7,500,0.0025,0\n");
    CHECK(std::strtod("0.3333333333333333", nullptr) == 1.0 / 3);
}

TEST_CASE("solver log: a restart drops later lines and one cut short, and goes on") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("solver.csv"), whole = whole_file(dir.file("whole.csv"), 30);
    for (const std::size_t cut : {std::size_t{0}, std::size_t{9}}) {  // as it is; within the last line
        const std::string text = whole_file(path, 25);
        write_text(path, text.substr(0, text.size() - cut));
        SolverLog log(path, 1e-3, 20, "");
        log.add(reports(21, 30));
        CHECK(read_file(path) == whole);
    }
    SolverLog from_start(path, 1e-3, 0, "");
    from_start.add(reports(1, 30));
    CHECK(read_file(path) == whole);
}

TEST_CASE("solver log: a full disk is an error, and the lines it kept out are not lost") {
    const TemporaryDirectory dir;
    const std::string path = dir.file("solver.csv"), whole = whole_file(dir.file("whole.csv"), 300);
    std::string unwritten;
    {
        SolverLog log(path, 1e-3);
        log.add(reports(1, 20));
        const FileSizeLimit limit(std::filesystem::file_size(path) + 300);  // some of the next lines fit
        const std::string message = message_of<RunError>([&] { log.add(reports(21, 200)); });
        CHECK(message.find("solver.csv") != std::string::npos);
        unwritten = log.unwritten();
    }
    CHECK(read_file(path).size() < whole.size());
    SolverLog log(path, 1e-3, 200, unwritten);
    log.add(reports(201, 300));
    CHECK(read_file(path) == whole);
    // A checkpoint from before that batch wants none of them.
    SolverLog earlier(path, 1e-3, 20, unwritten);
    earlier.add(reports(21, 300));
    CHECK(read_file(path) == whole);
}

TEST_CASE("solver log: another file is refused and stays") {
    const TemporaryDirectory dir;
    for (const char* text : {"", "step,time", "step,time,a\n1,0,1\n"}) {
        write_text(dir.file("solver.csv"), text);
        CHECK(message_of<Error>([&] { SolverLog(dir.file("solver.csv"), 1, 0, ""); }).find("not the solver.csv") != std::string::npos);
        CHECK(read_file(dir.file("solver.csv")) == text);
    }
}
