#include "setup/placement/vtk_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

constexpr std::array<VtkType, 17> kTypes{{{"bit", 0, NumberKind::Unsigned},
                                          {"char", 1, NumberKind::Signed},
                                          {"signed_char", 1, NumberKind::Signed},
                                          {"unsigned_char", 1, NumberKind::Unsigned},
                                          {"short", 2, NumberKind::Signed},
                                          {"unsigned_short", 2, NumberKind::Unsigned},
                                          {"int", 4, NumberKind::Signed},
                                          {"unsigned_int", 4, NumberKind::Unsigned},
                                          {"vtkIdType", 4, NumberKind::Signed},
                                          {"vtkidtype", 4, NumberKind::Signed},
                                          {"long", 8, NumberKind::Signed},
                                          {"unsigned_long", 8, NumberKind::Unsigned},
                                          {"vtktypeint64", 8, NumberKind::Signed},
                                          {"vtktypeuint64", 8, NumberKind::Unsigned},
                                          {"unsigned_long_long", 8, NumberKind::Unsigned},
                                          {"float", 4, NumberKind::Real},
                                          {"double", 8, NumberKind::Real}}};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

VtkType vtk_type_named(std::string_view name, const SourcePlace& place) {
    const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const VtkType& type) { return type.name == name; });
    if (found == kTypes.end()) throw Error(place, fmt::format("\"{}\" is not a type of numbers: write the file without this array", name));
    return *found;
}

std::string_view VtkScanner::next_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    line_ = newlines_ + 1;
    newlines_ += end < text_.size() ? 1 : 0;
    at_ = std::min(end + 1, text_.size());
    return line;
}

std::vector<std::string_view> VtkScanner::words() {
    std::vector<std::string_view> found;
    while (found.empty() && at_ < text_.size()) {
        std::string_view line = next_line();
        const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && !is_space(c); };
        const auto odd = std::find_if(line.begin(), line.end(), is_control);
        if (odd != line.end())
            throw Error(here(), fmt::format("a byte {:#04x} where a keyword is expected: an array is longer than announced, or the file is "
                                            "damaged",
                                            static_cast<unsigned>(static_cast<unsigned char>(*odd))));
        while (!line.empty()) {
            const auto begin = std::find_if_not(line.begin(), line.end(), is_space);
            const auto end = std::find_if(begin, line.end(), is_space);
            if (begin != end)
                found.push_back(line.substr(static_cast<std::size_t>(begin - line.begin()), static_cast<std::size_t>(end - begin)));
            line.remove_prefix(static_cast<std::size_t>(end - line.begin()));
        }
    }
    return found;
}

bool VtkScanner::skip_line() {
    if (at_ >= text_.size()) return true;
    const std::string_view line = next_line();
    return std::all_of(line.begin(), line.end(), is_space);
}

std::string_view VtkScanner::next_number(const VtkArray& array, std::size_t tuple) {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) newlines_ += text_[at_] == '\n' ? 1 : 0;
    line_ = newlines_ + 1;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    if (begin == at_)
        throw Error(here(), fmt::format("{} of {} tuples of {} are there: the file seems to be cut off", tuple, array.tuples, array.name));
    return text_.substr(begin, at_ - begin);
}

std::string_view VtkScanner::next_bytes(const VtkArray& array) {
    const std::size_t left = text_.size() - at_;
    // Products may be past what 64 bits hold; quotients are not.
    const bool fits =
        array.type.bytes == 0 ? array.tuples <= 8 * left / array.components : array.tuples <= left / array.type.bytes / array.components;
    if (!fits)
        throw Error(here(), fmt::format("{} bytes are left where {} has {} tuples of {} {}: the file seems to be cut off", left, array.name,
                                        array.tuples, array.components, array.type.name));
    const std::size_t numbers = array.tuples * array.components;
    const std::string_view bytes = text_.substr(at_, array.type.bytes == 0 ? (numbers + 7) / 8 : numbers * array.type.bytes);
    at_ += bytes.size();
    newlines_ += static_cast<int>(std::count(bytes.begin(), bytes.end(), '\n'));
    return bytes;
}

std::vector<double> VtkScanner::read(const VtkArray& array) {
    std::vector<double> values;
    if (binary_) {
        if (array.type.bytes == 0) throw Error(here(), fmt::format("{} is of type bit, which is no type of such numbers", array.name));
        std::string_view bytes = next_bytes(array);
        values.reserve(bytes.size() / array.type.bytes);
        for (; !bytes.empty(); bytes.remove_prefix(array.type.bytes)) {
            values.push_back(number_of(bytes.substr(0, array.type.bytes), array.type.kind, false));
            if (!std::isfinite(values.back()))
                throw Error(here(),
                            fmt::format("{} of point {} is not a finite number", array.name, (values.size() - 1) / array.components));
        }
        return values;
    }
    for (std::size_t k = 0; k < array.tuples; ++k)
        for (std::size_t c = 0; c < array.components; ++c) {
            const std::string_view number = next_number(array, k);
            const std::optional<double> value = parse_number(number);
            if (!value)
                throw Error(here(),
                            fmt::format("\"{}\" is not a finite number: tuple {} of {} of {}", number, k + 1, array.tuples, array.name));
            values.push_back(*value);
        }
    return values;
}

void VtkScanner::skip(const VtkArray& array) {
    if (binary_) {
        next_bytes(array);
        return;
    }
    for (std::size_t k = 0; k < array.tuples; ++k)
        for (std::size_t c = 0; c < array.components; ++c) (void)next_number(array, k);
}

}  // namespace scree
