// Reader of text files; each number is read by what it means, so that an error can say which one is missing or wrong.
#include <fmt/format.h>

#include <charconv>
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

    double number(const std::string& what) {
        const std::string_view word = next(what);
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() && error != std::errc::result_out_of_range) fail(what, word);
        if (end != word.data() + word.size()) fail(what, word);
        return value;
    }

    std::int64_t integer(const std::string& what, std::int64_t least, std::int64_t most) {
        const std::string_view word = next(what);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) fail(what, word);
        if (value < least || value > most) {
            throw Error(fmt::format("{}:{}: {} is {}; it must be between {} and {}", path_, line_, what, value, least, most));
        }
        return value;
    }

    std::size_t left() const { return text_.size() - at_; }

private:
    static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    std::string_view next(const std::string& what) {
        while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n';
        if (at_ == text_.size()) throw Error(fmt::format("{}:{}: the file ends where {} should be", path_, line_, what));
        const std::size_t begin = at_ + (text_[at_] == '+');
        while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
        return std::string_view(text_).substr(begin, at_ - begin);
    }

    [[noreturn]] void fail(const std::string& what, std::string_view word) const {
        throw Error(fmt::format("{}:{}: {} should be a number, not \"{}\"", path_, line_, what, word.substr(0, 40)));
    }

    std::string path_, text_;
    std::size_t at_{0};
    std::int64_t line_{1};
};

std::vector<Entry> read_dense(Words& words, std::int64_t rows) {
    words.integer("the number of rows of the dense matrix", rows, rows);
    words.integer("the number of columns of the dense matrix", rows, rows);
    if (words.left() / 2 + 1 < static_cast<std::size_t>(rows) * rows) words.integer("all of the dense matrix", 1, 0);
    std::vector<Entry> entries;
    entries.reserve(rows * rows);
    for (std::int64_t column = 0; column < rows; ++column) {
        for (std::int64_t row = 0; row < rows; ++row) entries.push_back({row, column, words.number("an entry of the dense matrix")});
    }
    return entries;
}

std::vector<Entry> read_blocks(Words& words, std::int64_t contacts, std::int64_t dimensions) {
    const std::int64_t blocks = words.integer("the number of blocks", 0, contacts * contacts);
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
    for (std::int64_t k = 0; k < contacts; ++k) mu.push_back(words.number("a friction coefficient"));
    return build_problem(path, static_cast<int>(dimensions), std::move(entries), q, mu);
}

}  // namespace scree
