// The reader of text files, on files small enough to see what they must give.
#include <algorithm>

#include "unit/problems/files.hpp"

namespace scree::problem_test {
namespace {

const std::string dense2 = "2\n1\n0\n2\n2\n2 2\n1.5 0.25\n-0.5 2\n-1 0.5\n0.3\n";
const std::string blocks2 =
    "2 2 1 4 4\n3 2 2\n2 4\n2 4\n3\n3\n0 2 3\n0 1 1\n"
    "0\n1 2 3 4\n1\n5 6 7 8\n2\n9 10 11 12\n"
    "0.1 0.2 0.3 0.4\n0.5 0.6\n";

}  // namespace

TEST_CASE("a dense matrix is stored by columns; two dimensions are embedded with a zero tangent") {
    const Folder folder;
    const FrictionProblem read = read_friction_problem(folder.write("p.dat", dense2));
    CHECK(read.dimensions == 2);
    // Columns (1.5, 0.25) and (-0.5, 2) of u = M r + q.
    CHECK(dense_of(read.problem) == std::vector<double>{1.5, -0.5, 0, 0.25, 2, 0, 0, 0, 0});
    CHECK(read.problem.r[0].x == -1);
    CHECK(read.problem.r[0].y == 0.5);
    CHECK(read.problem.r[0].z == 0);
    CHECK(read.problem.mu == std::vector<double>{0.3});
    CHECK(asymmetry(read.problem.matrix) == doctest::Approx(std::sqrt(2 * 0.75 * 0.75 / (1.5 * 1.5 + 0.25 * 0.25 + 0.25 + 4))));
}

TEST_CASE("blocks stand in rows, each stored by columns") {
    const Folder folder;
    const FrictionProblem read = read_friction_problem(folder.write("p.dat", blocks2));
    CHECK(dense_of(read.problem) == std::vector<double>{1, 3, 0, 5,  7,  0,  //
                                                        2, 4, 0, 6,  8,  0,  //
                                                        0, 0, 0, 0,  0,  0,  //
                                                        0, 0, 0, 9,  11, 0,  //
                                                        0, 0, 0, 10, 12, 0, 0, 0, 0, 0, 0, 0});
    CHECK(read.problem.r[1].y == 0.4);
    CHECK(read.problem.mu == std::vector<double>{0.5, 0.6});
}

TEST_CASE("both storages of the same published problem are the same problem") {
    const std::string data = SCREE_SOURCE_DIR "/validation/friction_problems/data/";
    const FrictionProblem dense = read_friction_problem(data + "FC3D_Example1.dat");
    const FrictionProblem blocks = read_friction_problem(data + "FC3D_Example1_SBM.dat");
    CHECK(dense.problem.mu.size() == 3);
    CHECK(dense_of(dense.problem) == dense_of(blocks.problem));
    CHECK(dense.problem.mu == blocks.problem.mu);
    for (int k = 0; k < 3; ++k) CHECK(norm(dense.problem.r[k] - blocks.problem.r[k]) == 0);
}

TEST_CASE("a broken text file is named with the line, the column and what is wrong there") {
    const Folder folder;
    const std::string name = folder.file("b.dat");
    const auto broken = [&](const std::string& text) {
        const std::string said = complaint(folder.write("b.dat", text));
        return said.substr(std::min(said.size(), name.size()));
    };
    const auto with = [&](std::string text, const std::string& old, const std::string& instead) {
        return broken(text.replace(text.find(old), old.size(), instead));
    };
    CHECK(broken("") == ":1:1: the file ends where the dimension should be");
    CHECK(broken("4 1 0") == ":1:1: the dimension must be between 2 and 3, not \"4\"");
    CHECK(broken("3 0 0") == ":1:3: the number of contacts must be between 1 and 1000000, not \"0\"");
    CHECK(broken("3 1 7") == ":1:5: the storage (0 dense, 1 blocks) must be between 0 and 1, not \"7\"");
    CHECK(broken("3 2 0\n 6  5") == ":2:5: the number of columns must be 6, not \"5\"");
    CHECK(broken("3 1.5 0") == ":1:3: the number of contacts should be a whole number, not \"1.5\"");
    CHECK(broken("3 99999999999999999999 0") == ":1:3: the number of contacts should be a whole number, not \"99999999999999999999\"");
    CHECK(broken("3 900000 0 2700000 2700000 2700000 2700000 1 2").find("the file is too short for all of the dense matrix") !=
          std::string::npos);
    CHECK(broken(dense2.substr(0, 20)).find(": the file ends where ") != std::string::npos);
    CHECK(broken(dense2.substr(0, dense2.size() - 4)).find(": the file ends where a friction coefficient should be") != std::string::npos);
    CHECK(with(dense2, "0.3", "-.3") == ":10:1: a friction coefficient must be at least 0, not \"-.3\"");
    CHECK(with(dense2, "1.5", "1,5") == ":7:1: an entry of the dense matrix should be a number, not \"1,5\"");
    CHECK(with(dense2, "1.5", "nan").find(":7:1: an entry of the dense matrix should be a number of at most 1e+150") == 0);
    CHECK(with(dense2, "0.25", "-1e999").find(":7:5: an entry of the dense matrix should be a number of at most 1e+150") == 0);
    CHECK(with(dense2, "-1 0.5", "-1 1e308").find(":9:4: a number of q should be a number of at most 1e+150") == 0);
    CHECK(with(dense2, "0.3", "1e400").find(":10:1: a friction coefficient should be a number of at most 1e+150") == 0);
    CHECK(broken(dense2 + "0.4 5") ==
          ":11:1: the file should end after the last friction coefficient, or a flag of 0 or 1, but goes on with \"0.4\"");
    CHECK(broken(dense2 + "1 \n") == "");
    CHECK(broken(dense2 + "0\n 1\n").find(":12:2: the file should end") == 0);
    CHECK(with(blocks2, "0 1 1", "0 2 1") == ":8:3: the column of a block must be between 0 and 1, not \"2\"");
    CHECK(with(blocks2, "0 2 3", "0 4 3") == ":7:3: a row pointer must be between 0 and 3, not \"4\"");
    CHECK(complaint(folder.file("missing")).find("cannot be opened") != std::string::npos);
    CHECK(complaint(folder.file("")).find("is a folder") != std::string::npos);
}

TEST_CASE("a number too small to be stored is zero; words may be signed with +") {
    const Folder folder;
    std::string text = dense2;
    text.replace(text.find("1.5"), 3, "1e-999");
    text.replace(text.find("0.3"), 3, "+.3");
    const FrictionProblem read = read_friction_problem(folder.write("p.dat", text));
    CHECK(dense_of(read.problem)[0] == 0);
    CHECK(read.problem.mu[0] == 0.3);
}

}  // namespace scree::problem_test
