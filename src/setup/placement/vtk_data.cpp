#include "setup/placement/vtk_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "setup/placement/text_rows.hpp"

namespace scree {

namespace {

constexpr std::array<VtkType, 10> kTypes{{{"Int8", 1, NumberKind::Signed},
                                          {"UInt8", 1, NumberKind::Unsigned},
                                          {"Int16", 2, NumberKind::Signed},
                                          {"UInt16", 2, NumberKind::Unsigned},
                                          {"Int32", 4, NumberKind::Signed},
                                          {"UInt32", 4, NumberKind::Unsigned},
                                          {"Int64", 8, NumberKind::Signed},
                                          {"UInt64", 8, NumberKind::Unsigned},
                                          {"Float32", 4, NumberKind::Real},
                                          {"Float64", 8, NumberKind::Real}}};
/// A byte of zlib's stands for no more than so many (zlib's "Technical Details": 1032 to 1).
constexpr std::uint64_t kMostInflated = 1032;
constexpr std::string_view kBlanks = " \t\r\n";

/// The six bits that each character of base64 stands for (RFC 4648), or -1.
constexpr std::array<std::int8_t, 256> sextets() {
    std::array<std::int8_t, 256> all{};
    all.fill(-1);
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t k = 0; k < kAlphabet.size(); ++k) all[static_cast<unsigned char>(kAlphabet[k])] = static_cast<std::int8_t>(k);
    return all;
}
constexpr std::array<std::int8_t, 256> kSextets = sextets();

int sextet(char c) {
    return kSextets[static_cast<unsigned char>(c)];
}

/// Bytes one after the other, of raw data or of base64. Each piece of base64 may end with its own padding, as lengths and data do that were
/// encoded apart.
class Bytes {
public:
    Bytes(std::string_view text, bool base64, const VtkArray& array, const SourcePlace& place)
        : text_(text), base64_(base64), array_(array), place_(place) {}

    /// No more are left than these.
    std::uint64_t most_left() const { return base64_ ? kept_.size() + (text_.size() + 3) / 4 * 3 : text_.size(); }

    std::string take(std::uint64_t count) {
        if (count > most_left()) cut_off(count);
        const auto wanted = static_cast<std::size_t>(count);
        if (!base64_) {
            std::string taken(text_.substr(0, wanted));
            text_.remove_prefix(wanted);
            return taken;
        }
        std::string taken = std::move(kept_);
        kept_.clear();
        taken.reserve(wanted + 3);
        while (taken.size() < wanted)
            if (!add_group(taken)) cut_off(count);
        kept_ = taken.substr(wanted);
        taken.resize(wanted);
        return taken;
    }

private:
    [[noreturn]] void cut_off(std::uint64_t count) const {
        throw Error(place_, fmt::format("the data of {} end before {} bytes that they announce: the file is cut off or damaged",
                                        array_.name, count));
    }

    /// Four characters more; false at the end.
    bool add_group(std::string& bytes) {
        std::uint32_t bits = 0;
        int characters = 0, padding = 0;
        while (characters < 4) {
            while (!text_.empty() && kBlanks.find(text_.front()) != std::string_view::npos) text_.remove_prefix(1);
            if (text_.empty()) return false;
            const char c = text_.front();
            const int value = sextet(c);
            if (value < 0 ? c != '=' || characters < 2 : padding > 0)
                throw Error(place_, fmt::format("a byte {:#04x} in the data of {} is not one of base64: the file is damaged",
                                                static_cast<unsigned>(static_cast<unsigned char>(c)), array_.name));
            padding += value < 0 ? 1 : 0;
            bits = bits << 6 | static_cast<std::uint32_t>(std::max(value, 0));
            ++characters;
            text_.remove_prefix(1);
        }
        for (int k = 0; k < 3 - padding; ++k) bytes.push_back(static_cast<char>(bits >> (16 - 8 * k) & 0xff));
        return true;
    }

    std::string_view text_;
    bool base64_;
    const VtkArray& array_;
    const SourcePlace& place_;
    std::string kept_;  // decoded, but not taken
};

/// Data as bytes, without the numbers that say how long they are.
class DataReader {
public:
    DataReader(const VtkArray& array, const VtkEncoding& encoding, Bytes bytes, const SourcePlace& place)
        : array_(array), encoding_(encoding), bytes_(std::move(bytes)), place_(place) {}

    std::string read() {
        const std::uint64_t needed = std::uint64_t{array_.tuples} * array_.components * array_.type.bytes;
        if (encoding_.compressed) return inflated(needed);
        const std::uint64_t length = number();
        if (length != needed) refuse_length(length, needed);
        return bytes_.take(length);
    }

private:
    std::uint64_t number() { return bits_of(bytes_.take(encoding_.header_bytes), encoding_.lowest_first); }

    [[noreturn]] void refuse_length(std::uint64_t length, std::uint64_t needed) const {
        throw Error(place_, fmt::format("the data of {} are {} bytes, but {} tuples of {} {} are {}: the number of points, the type, "
                                        "header_type or byte_order is wrong, or the file is damaged",
                                        array_.name, length, array_.tuples, array_.components, array_.type.name, needed));
    }

    /// Number of blocks, size of each, size of the last where it is another, and of each its size when compressed; then the blocks.
    std::string inflated(std::uint64_t needed) {
        const std::uint64_t blocks = number();
        if (blocks == 0 && needed == 0) return {};
        const std::uint64_t size = number(), last = number(), full = last == 0 ? blocks : blocks - 1;
        if (blocks == 0 || blocks > bytes_.most_left() / encoding_.header_bytes || (full > 0 && size > needed / full) || last > needed ||
            full * size + last != needed)
            throw Error(place_,
                        fmt::format("the data of {}, {} compressed blocks of {} bytes and {} in the last, are not the {} bytes of {} "
                                    "tuples: the number of points, the type, header_type or byte_order is wrong, or the file is damaged",
                                    array_.name, blocks, size, last, needed, array_.tuples));
        std::vector<std::uint64_t> lengths;
        for (std::uint64_t k = 0; k < blocks; ++k) lengths.push_back(number());
        std::string all;
        for (std::uint64_t k = 0; k < blocks; ++k) {
            const std::uint64_t whole = k < full ? size : last;
            const std::string block = bytes_.take(lengths[k]);
            if (whole / kMostInflated > block.size()) refuse_block(k);
            const std::size_t begin = all.size();
            all.resize(begin + whole);
            uLongf length = whole;
            const int status = uncompress(reinterpret_cast<Bytef*>(all.data() + begin), &length,
                                          reinterpret_cast<const Bytef*>(block.data()), block.size());
            if (status != Z_OK || length != whole) refuse_block(k);
        }
        return all;
    }

    [[noreturn]] void refuse_block(std::uint64_t k) const {
        throw Error(place_, fmt::format("block {} of the compressed data of {} is damaged", k, array_.name));
    }

    const VtkArray& array_;
    const VtkEncoding& encoding_;
    Bytes bytes_;
    const SourcePlace& place_;
};

std::vector<double> numbers_of_text(const VtkArray& array, std::string_view text, const SourcePlace& place) {
    std::vector<double> values;
    const std::size_t needed = array.tuples * array.components;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
        if (text.empty()) break;
        const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
        text.remove_prefix(word.size());
        if (values.size() == needed)
            throw Error(place, fmt::format("{} has more than the {} numbers of {} points", array.name, needed, array.tuples));
        const std::optional<double> value = parse_number(word);
        if (!value)
            throw Error(place,
                        fmt::format("\"{}\" is not a finite number: {} of point {}", word, array.name, values.size() / array.components));
        values.push_back(*value);
    }
    if (values.size() < needed)
        throw Error(place, fmt::format("{} has {} numbers where {} points have {}: the number of points is wrong, or the file is damaged",
                                       array.name, values.size(), array.tuples, needed));
    return values;
}

}  // namespace

VtkType vtk_xml_type_named(std::string_view name, const SourcePlace& place) {
    const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const VtkType& type) { return type.name == name; });
    if (found == kTypes.end())
        throw Error(place, fmt::format("\"{}\" is not a type of numbers, such as Float64: write the file without this array", name));
    return *found;
}

std::vector<double> read_vtk_data(const VtkArray& array, const VtkEncoded& encoded, const VtkEncoding& encoding, const SourcePlace& place) {
    if (encoded.form == VtkEncoded::Form::Text) return numbers_of_text(array, encoded.content, place);
    std::string_view data = encoded.content;
    if (encoded.form == VtkEncoded::Form::Appended) {
        if (encoded.offset > encoding.appended.size())
            throw Error(place,
                        fmt::format("the offset {} of {} is past the end of the appended data, {} bytes: the file is cut off or damaged",
                                    encoded.offset, array.name, encoding.appended.size()));
        data = encoding.appended.substr(encoded.offset);
    }
    const bool base64 = encoded.form == VtkEncoded::Form::Inline || encoding.appended_base64;
    const std::string bytes = DataReader(array, encoding, Bytes(data, base64, array, place), place).read();
    std::vector<double> values;
    values.reserve(bytes.size() / array.type.bytes);
    for (std::string_view left = bytes; !left.empty(); left.remove_prefix(array.type.bytes)) {
        values.push_back(number_of(left.substr(0, array.type.bytes), array.type.kind, encoding.lowest_first));
        if (!std::isfinite(values.back()))
            throw Error(place, fmt::format("{} of point {} is not a finite number", array.name, (values.size() - 1) / array.components));
    }
    return values;
}

}  // namespace scree
