// Lines, numbers and binary data of a legacy VTK file, one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "setup/placement/binary_numbers.hpp"

namespace scree {

/// A type of numbers as VTK files name it.
struct VtkType {
    std::string_view name;
    std::size_t bytes;  // in binary files; 0: eight to a byte
    NumberKind kind;
};

/// An array that the file announces: `tuples` of `components` numbers.
struct VtkArray {
    std::string name;
    std::size_t tuples{0}, components{1};
    VtkType type{};
};

class VtkScanner {
public:
    VtkScanner(const std::string& path, std::string_view text) : path_(path), text_(text) {}

    /// Data of arrays are binary, numbers with the highest byte first.
    void set_binary() { binary_ = true; }
    bool binary() const { return binary_; }

    /// The words of the next line that is not blank; none at the end. Throws scree::Error where a line is no text.
    std::vector<std::string_view> words();
    /// Passes over the next line, and says whether it was a blank one or the end.
    bool skip_line();
    /// The data of an array. Throws scree::Error where they end early or are no finite numbers.
    std::vector<double> read(const VtkArray& array);
    /// Passes over the data of an array.
    void skip(const VtkArray& array);

    /// File and line of what was last read.
    SourcePlace here() const { return {path_, line_, 0}; }

private:
    std::string_view next_line();
    std::string_view next_number(const VtkArray& array, std::size_t tuple);
    std::string_view next_bytes(const VtkArray& array);

    std::string path_;
    std::string_view text_;
    std::size_t at_{0};
    int line_{0};
    int newlines_{0};  // before at_
    bool binary_{false};
};

/// The type of this name. Throws scree::Error at `place` where there is none.
VtkType vtk_type_named(std::string_view name, const SourcePlace& place);

}  // namespace scree
