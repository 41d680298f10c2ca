#include "setup/placement/gsd_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree {

namespace {

constexpr std::uint64_t kMagic = 0x65DF65DF65DF65DF;
constexpr std::size_t kHeaderBytes = 256, kEntryBytes = 32, kNameBytes = 64;
// Where the header holds what: index (its place and its number of entries), names (place and number of blocks), version, schema.
constexpr std::size_t kIndexAt = 8, kNamesAt = 24, kVersionAt = 44, kSchemaAt = 112;

struct NumberType {
    std::size_t bytes;
    NumberKind kind;
};
/// By the number that stands for it, from 1 on.
constexpr std::array<NumberType, 11> kTypes{{{1, NumberKind::Unsigned},
                                             {2, NumberKind::Unsigned},
                                             {4, NumberKind::Unsigned},
                                             {8, NumberKind::Unsigned},
                                             {1, NumberKind::Signed},
                                             {2, NumberKind::Signed},
                                             {4, NumberKind::Signed},
                                             {8, NumberKind::Signed},
                                             {4, NumberKind::Real},
                                             {8, NumberKind::Real},
                                             {1, NumberKind::Unsigned}}};

/// Text up to the first zero.
std::string_view text_of(std::string_view bytes) {
    return bytes.substr(0, bytes.find('\0'));
}

}  // namespace

bool is_gsd(std::string_view bytes) {
    return bytes.size() >= 8 && bits_of(bytes.substr(0, 8), true) == kMagic;
}

GsdFile::GsdFile(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {
    if (bytes_.size() < kHeaderBytes) throw Error(place(), "the header of a GSD file has 256 bytes: the file is cut off");
    const std::uint64_t version = whole(kVersionAt, 4), major = version >> 16;
    if (major != 1 && major != 2)
        throw Error(place(),
                    fmt::format("GSD files of version 1 and 2 are read, but this is one of version {}.{}", major, version & 0xffff));
    schema_ = text_of(bytes_.substr(kSchemaAt, 64));
    read_names(whole(kNamesAt, 8), whole(kNamesAt + 8, 8), major == 1);
    read_index(whole(kIndexAt, 8), whole(kIndexAt + 8, 8));
}

std::string_view GsdFile::part(std::uint64_t at, std::uint64_t count, std::uint64_t bytes_each, const char* what) const {
    // Products may be past what 64 bits hold; quotients are not.
    if (at > bytes_.size() || (bytes_each > 0 && count > (bytes_.size() - at) / bytes_each))
        throw Error(place(), fmt::format("{}, {} times {} bytes at byte {}, ends past the file: it is cut off or damaged", what, count,
                                         bytes_each, at));
    return bytes_.substr(at, count * bytes_each);
}

void GsdFile::read_names(std::uint64_t at, std::uint64_t blocks, bool of_fixed_length) {
    std::string_view left = part(at, blocks, kNameBytes, "the list of names");
    while (!left.empty() && left.front() != '\0') {
        const std::string_view name = text_of(of_fixed_length ? left.substr(0, kNameBytes) : left);
        names_.emplace(name, names_.size());
        left.remove_prefix(std::min(of_fixed_length ? kNameBytes : name.size() + 1, left.size()));
    }
}

void GsdFile::read_index(std::uint64_t at, std::uint64_t count) {
    std::string_view left = part(at, count, kEntryBytes, "the index");
    // Frame, rows, place of the data, columns, number of the name, type. A place of 0 ends the index.
    for (; !left.empty(); left.remove_prefix(kEntryBytes)) {
        const auto field = [&](std::size_t begin, std::size_t size) { return bits_of(left.substr(begin, size), true); };
        const Entry entry{field(0, 8), field(8, 8), field(16, 8), field(24, 4), static_cast<unsigned>(field(30, 1))};
        if (entry.at == 0) break;
        if (!entries_.empty() && entry.frame < entries_.back().frame)
            throw Error(place(), fmt::format("frame {} stands behind frame {} in the index: the file is damaged", entry.frame,
                                             entries_.back().frame));
        if (entry.frame == ~std::uint64_t{0}) throw Error(place(), "the index is damaged: a frame has no number");
        entries_.push_back(entry);
        name_of_.push_back(field(28, 2));
    }
}

const GsdFile::Entry* GsdFile::find(std::string_view chunk, std::uint64_t frame) const {
    const auto name = names_.find(chunk);
    if (name == names_.end()) return nullptr;
    const auto by_frame = [](const Entry& entry, std::uint64_t wanted) { return entry.frame < wanted; };
    for (auto entry = std::lower_bound(entries_.begin(), entries_.end(), frame, by_frame); entry != entries_.end() && entry->frame == frame;
         ++entry)
        if (name_of_[static_cast<std::size_t>(entry - entries_.begin())] == name->second) return &*entry;
    return nullptr;
}

std::vector<double> GsdFile::read(std::string_view chunk, std::uint64_t frame, std::uint64_t rows, std::uint64_t columns) const {
    const Entry* entry = find(chunk, frame);
    if (entry == nullptr) return {};
    if (entry->rows != rows || entry->columns != columns)
        throw Error(place(), fmt::format("{} of frame {} has {} rows of {} numbers where {} of {} are needed: the file is damaged", chunk,
                                         frame, entry->rows, entry->columns, rows, columns));
    if (entry->type == 0 || entry->type > kTypes.size())
        throw Error(place(),
                    fmt::format("{} of frame {} is of type {}, which is none of numbers: the file is damaged", chunk, frame, entry->type));
    const NumberType type = kTypes[entry->type - 1];
    std::string_view left = part(entry->at, rows, columns * type.bytes, std::string(chunk).c_str());
    std::vector<double> values;
    values.reserve(left.size() / type.bytes);
    for (; !left.empty(); left.remove_prefix(type.bytes)) {
        values.push_back(number_of(left.substr(0, type.bytes), type.kind, true));
        if (!std::isfinite(values.back()))
            throw Error(place(), fmt::format("{} of particle {} is not a finite number", chunk, (values.size() - 1) / columns));
    }
    return values;
}

}  // namespace scree
