// The reader of text files, on files small enough to see what they must give.
#include "unit/problems/files.hpp"

namespace scree::problem_test {
namespace {

const std::string dense2 = "2\n1\n0\n2\n2\n2 2\n1.5 0.25\n-0.5 2\n-1 0.5\n0.3\n7\n";
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

TEST_CASE("a broken text file is named with what is wrong in it") {
    const Folder folder;
    const auto broken = [&](const std::string& text) { return complaint(folder.write("b.dat", text)); };
    const std::string name = folder.file("b.dat");
    CHECK(broken("").find("file ends where the dimension") != std::string::npos);
    CHECK(broken("4 1 0").find("the dimension is 4") != std::string::npos);
    CHECK(broken("3 0 0").find("number of contacts is 0") != std::string::npos);
    CHECK(broken("3 1 7").find("storage (0 dense, 1 blocks) is 7") != std::string::npos);
    CHECK(broken("3 2 0 6 5").find("number of columns is 5") != std::string::npos);
    CHECK(broken("3 900000 0 2700000 2700000 2700000 2700000 1 2").find("all of the dense matrix") != std::string::npos);
    CHECK(broken(dense2.substr(0, 20)).find("ends where") != std::string::npos);
    CHECK(broken(dense2.substr(0, dense2.size() - 7)).find("a friction coefficient") != std::string::npos);
    std::string text = dense2;
    CHECK(broken(text.replace(text.find("0.3"), 3, "-.3")).find("mu of contact 0 is -0.3") != std::string::npos);
    text = dense2;
    CHECK(broken(text.replace(text.find("1.5"), 3, "1,5")).find("\"1,5\"") != std::string::npos);
    text = dense2;
    CHECK(broken(text.replace(text.find("1.5"), 3, "nan")).find("not finite") != std::string::npos);
    text = blocks2;
    CHECK(broken(text.replace(text.find("0 1 1"), 5, "0 2 1")).find("the column of a block is 2") != std::string::npos);
    text = blocks2;
    CHECK(broken(text.replace(text.find("0 2 3"), 5, "0 4 3")).find("a row pointer is 4") != std::string::npos);
    CHECK(broken("3 2 0 6 5").find(name + ":1: ") == 0);
    CHECK(complaint(folder.file("missing")).find("cannot be opened") != std::string::npos);
    CHECK(complaint(folder.file("")).find("is a folder") != std::string::npos);
}

}  // namespace scree::problem_test
