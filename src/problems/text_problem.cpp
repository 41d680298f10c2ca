// Reader of text files; each number is read by what it means, so that an error can say which one is missing or wrong.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "problems/build_problem.hpp"

namespace scree {
namespace {

constexpr std::int64_t most_rows = 3'000'000;  // a limit against files that are not what they seem

class Words {
public:
    explicit Words(const std::string& path) : path_(path) {
        if (std::filesystem::is_directory(path)) throw Error(fmt::format("{}: is a folder; a friction problem is a file", path));
        std::ifstream file(path, std::ios::binary);
        if (!file) throw Error(fmt::format("{}: cannot be opened for reading", path));
        text_.assign(std::istreambuf_iterator<char>(file), {});
    }

    /// Too large a number is an error; one that is too small to be stored is 0.
    double number(const std::string& what) {
        const std::string_view word = next(what);
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (end != word.data() + word.size() || error == std::errc::invalid_argument) fail(what, word, "should be a number, not");
        if (error == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
        if (!(std::abs(value) <= most_magnitude))
            fail(what, word, fmt::format("should be a number of at most {:g} in magnitude, not", most_magnitude));
        return value;
    }

    double number_from(double least, const std::string& what) {
        const double value = number(what);
        if (!(value >= least)) fail(what, word_, fmt::format("must be at least {:g}, not", least));
        return value;
    }

    std::int64_t integer(const std::string& what, std::int64_t least, std::int64_t most) {
        const std::string_view word = next(what);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) fail(what, word, "should be a whole number, not");
        if (value < least || value > most)
            fail(what, word,
                 least == most ? fmt::format("must be {}, not", least) : fmt::format("must be between {} and {}, not", least, most));
        return value;
    }

    /// Fails where as many words as `count` cannot follow.
    void require(double count, const std::string& what) const {
        if (0.5 * static_cast<double>(text_.size() - at_) + 1 < count)
            throw Error(here(), fmt::format("the file is too short for {}", what));
    }

    /// Fails unless the file ends here; some of Siconos' files have a flag, 0 or 1, at their end.
    void end() {
        const std::string expected = "the file should end after the last friction coefficient, or a flag of 0 or 1,";
        if (!skip_spaces()) return;
        const std::string_view word = next(expected);
        if (word != "0" && word != "1") fail(expected, word, "but goes on with");
        if (skip_spaces()) fail(expected, next(expected), "but goes on with");
    }

private:
    static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    /// Whether a word follows.
    bool skip_spaces() {
        for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
            if (text_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
        }
        return at_ < text_.size();
    }

    SourcePlace at(std::size_t index) const { return {path_, line_, static_cast<int>(index - line_begin_) + 1}; }
    SourcePlace here() const { return at(at_); }

    std::string_view next(const std::string& what) {
        if (!skip_spaces()) throw Error(here(), fmt::format("the file ends where {} should be", what));
        word_at_ = at_;
        const std::size_t begin = at_ + (text_[at_] == '+');
        while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
        return word_ = std::string_view(text_).substr(begin, at_ - begin);
    }

    [[noreturn]] void fail(const std::string& what, std::string_view word, const std::string& problem) const {
        throw Error(at(word_at_), fmt::format("{} {} \"{}\"", what, problem, word.substr(0, 40)));
    }

    std::string path_, text_;
    std::size_t at_{0}, line_begin_{0}, word_at_{0};
    std::string_view word_;
    int line_{1};
};

std::vector<Entry> read_dense(Words& words, std::int64_t rows) {
    words.integer("the number of rows of the dense matrix", rows, rows);
    words.integer("the number of columns of the dense matrix", rows, rows);
    words.require(static_cast<double>(rows) * static_cast<double>(rows), "all of the dense matrix");
    std::vector<Entry> entries;
    entries.reserve(rows * rows);
    for (std::int64_t column = 0; column < rows; ++column) {
        for (std::int64_t row = 0; row < rows; ++row) entries.push_back({row, column, words.number("an entry of the dense matrix")});
    }
    return entries;
}

std::vector<Entry> read_blocks(Words& words, std::int64_t contacts, std::int64_t dimensions) {
    const std::int64_t blocks = words.integer("the number of blocks", 0, contacts * contacts);
    words.require(static_cast<double>(blocks) * static_cast<double>(2 + dimensions * dimensions), "all of the blocks");
    words.integer("the number of block rows", contacts, contacts);
    words.integer("the number of block columns", contacts, contacts);
    for (int side = 0; side < 2; ++side) {
        for (std::int64_t k = 1; k <= contacts; ++k) words.integer("the end of a block row or column", k * dimensions, k * dimensions);
    }
    // Row pointers may leave out empty rows at the end.
    const std::int64_t pointers = words.integer("the number of row pointers", 1, contacts + 1);
    words.integer("the number of block indices", blocks, blocks);
    std::vector<std::int64_t> begin(contacts + 1, blocks), column(blocks);
    for (std::int64_t k = 0; k < pointers; ++k) begin[k] = words.integer("a row pointer", k == 0 ? 0 : begin[k - 1], blocks);
    for (auto& j : column) j = words.integer("the column of a block", 0, contacts - 1);
    std::vector<Entry> entries;
    for (std::int64_t i = 0; i < contacts; ++i) {
        for (std::int64_t e = begin[i]; e < begin[i + 1]; ++e) {
            words.integer("the number of a block", e, e);
            for (std::int64_t c = 0; c < dimensions; ++c) {
                for (std::int64_t r = 0; r < dimensions; ++r) {
                    entries.push_back({i * dimensions + r, column[e] * dimensions + c, words.number("an entry of a block")});
                }
            }
        }
    }
    return entries;
}

}  // namespace

FrictionProblem read_text_problem(const std::string& path) {
    Words words(path);
    const std::int64_t dimensions = words.integer("the dimension", 2, 3);
    const std::int64_t contacts = words.integer("the number of contacts", 1, most_rows / dimensions);
    const std::int64_t storage = words.integer("the storage (0 dense, 1 blocks)", 0, 1);
    const std::int64_t rows = contacts * dimensions;
    words.integer("the number of rows", rows, rows);
    words.integer("the number of columns", rows, rows);
    std::vector<Entry> entries = storage == 0 ? read_dense(words, rows) : read_blocks(words, contacts, dimensions);
    std::vector<double> q, mu;
    for (std::int64_t k = 0; k < rows; ++k) q.push_back(words.number("a number of q"));
    for (std::int64_t k = 0; k < contacts; ++k) mu.push_back(words.number_from(0, "a friction coefficient"));
    words.end();
    return build_problem(path, static_cast<int>(dimensions), std::move(entries), q, mu);
}

}  // namespace scree
