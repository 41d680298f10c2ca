#include "collide/sphere_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "output/hdf5_file.hpp"

namespace scree {
namespace {

constexpr std::array<const char*, 4> names{"x", "y", "z", "r"};
constexpr std::size_t most_bodies = std::numeric_limits<std::int32_t>::max();
constexpr double largest = 1e100;  // [m]: squares of distances stay finite
constexpr double smallest_radius = 1e-100;

std::array<std::vector<double>*, 4> columns_of(SphereTable& table) {
    return {&table.x, &table.y, &table.z, &table.r};
}

/// Lines of a file, read in blocks: files of spheres may be larger than memory.
class Lines {
public:
    explicit Lines(const std::string& path) : file_(path, std::ios::binary), buffer_(block) {
        if (std::filesystem::is_directory(path)) throw Error(path + ": is a folder; bodies come from a file");
        if (!file_) throw Error(path + ": cannot be opened for reading");
    }
    /// The next line without its end; false after the last one.
    bool next(std::string_view& line) {
        for (;;) {
            const char* begin = buffer_.data() + at_;
            const auto* end = static_cast<const char*>(std::memchr(begin, '\n', used_ - at_));
            if (end == nullptr && !ended_) {
                refill();
                continue;
            }
            if (end == nullptr && at_ == used_) return false;
            const std::size_t length = end != nullptr ? static_cast<std::size_t>(end - begin) : used_ - at_;
            line = std::string_view(begin, length);
            at_ += length + (end != nullptr ? 1 : 0);
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            return true;
        }
    }

private:
    static constexpr std::size_t block = std::size_t{1} << 20;
    void refill() {
        std::memmove(buffer_.data(), buffer_.data() + at_, used_ - at_);
        used_ -= at_;
        at_ = 0;
        if (used_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
        file_.read(buffer_.data() + used_, static_cast<std::streamsize>(buffer_.size() - used_));
        used_ += static_cast<std::size_t>(file_.gcount());
        ended_ = file_.gcount() == 0;
    }
    std::ifstream file_;
    std::vector<char> buffer_;
    std::size_t at_{0}, used_{0};
    bool ended_{false};
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// What is wrong with a value, or nothing.
const char* fault_of(double value, bool radius) {
    if (!(std::fabs(value) <= largest)) return "must be finite, and within 1e100";
    if (radius && value < smallest_radius) return "must be above zero (1e-100 at least)";
    return nullptr;
}

class CsvReader {
public:
    explicit CsvReader(const std::string& path) : path_(path), lines_(path) {}

    SphereTable read() {
        read_header();
        SphereTable table;
        const auto columns = columns_of(table);
        std::string_view line;
        std::size_t bytes = 0;
        while (next(line)) {
            read_row(line, columns);
            bytes += line.size() + 1;
            if (table.x.size() == sampled) reserve(columns, bytes);
            if (table.x.size() > most_bodies) throw Error(fmt::format("{}:{}: more than {} bodies", path_, number_, most_bodies));
        }
        return table;
    }

private:
    static constexpr std::size_t sampled = 10000;  // rows that tell how long the others are

    /// Room for all rows at once: growing would take twice the memory.
    void reserve(const std::array<std::vector<double>*, 4>& columns, std::size_t bytes_of_sample) const {
        std::error_code error;
        const auto size = static_cast<double>(std::filesystem::file_size(path_, error));
        if (error) return;
        const double rows = 1.03 * size * static_cast<double>(sampled) / static_cast<double>(bytes_of_sample);
        for (std::vector<double>* column : columns) column->reserve(std::min(static_cast<std::size_t>(rows), most_bodies));
    }

    /// The next line that holds something; comments start with '#'.
    bool next(std::string_view& line) {
        while (lines_.next(line)) {
            ++number_;
            const std::string_view content = trimmed(line);
            if (!content.empty() && content.front() != '#') return true;
        }
        return false;
    }

    void read_header() {
        std::string_view line;
        if (!next(line)) throw Error(path_ + ": is empty; its first line must name the columns: x,y,z,r");
        if (line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
        place_.fill(-1);
        for (std::size_t from = 0; fields_ == 0 || from <= line.size(); ++fields_) {
            const std::size_t end = std::min(line.find(',', from), line.size());
            std::string_view name = trimmed(line.substr(from, end - from));
            if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
            for (std::size_t k = 0; k < names.size(); ++k) {
                if (name != names[k]) continue;
                if (place_[k] >= 0) throw Error({path_, number_, static_cast<int>(from) + 1}, fmt::format("names column {} twice", name));
                place_[k] = fields_;
            }
            from = end + 1;
        }
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (place_[k] < 0) {
                throw Error({path_, number_, 1},
                            fmt::format("there is no column {}; the first line must name x, y, z and r, as in x,y,z,r", names[k]));
            }
        }
        wanted_.assign(static_cast<std::size_t>(fields_), -1);
        for (std::size_t k = 0; k < names.size(); ++k) wanted_[static_cast<std::size_t>(place_[k])] = static_cast<int>(k);
    }

    void read_row(std::string_view line, const std::array<std::vector<double>*, 4>& columns) {
        int field = 0, found = 0;
        for (std::size_t from = 0; from <= line.size(); ++field) {
            const std::size_t end = std::min(line.find(',', from), line.size());
            const int column = field < fields_ ? wanted_[static_cast<std::size_t>(field)] : -1;
            if (column >= 0) {
                columns[static_cast<std::size_t>(column)]->push_back(number(line.substr(from, end - from), column, from));
                ++found;
            }
            from = end + 1;
        }
        if (field != fields_ || found != 4) {
            throw Error({path_, number_, 1}, fmt::format("has {} fields; the first line names {}", field, fields_));
        }
    }

    double number(std::string_view text, int column, std::size_t from) const {
        std::string_view word = trimmed(text);
        const bool two_signs = word.substr(0, 2) == "+-";
        if (!word.empty() && word.front() == '+') word.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        const char* name = names[static_cast<std::size_t>(column)];
        const SourcePlace place{path_, number_, static_cast<int>(from) + 1};
        const bool out_of_range = error == std::errc::result_out_of_range;
        if ((error != std::errc() && !out_of_range) || two_signs || end != word.data() + word.size()) {
            throw Error(place, fmt::format("{} should be a number, not \"{}\"", name, trimmed(text).substr(0, 40)));
        }
        // Tells too small, which is zero, from too large, which is infinite.
        if (out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
        if (const char* fault = fault_of(value, column == 3)) throw Error(place, fmt::format("{} is {}; it {}", name, value, fault));
        return value;
    }

    std::string path_;
    Lines lines_;
    int number_{0};
    int fields_{0};
    std::array<int, 4> place_{};
    std::vector<int> wanted_;  // of each field: the column, -1: not read
};

Error not_numbers(const std::string& path, const std::string& name) {
    return Error(fmt::format("{}: {} must be an array of floating-point numbers of 64 or 32 bits, little-endian", path, name));
}

Hdf5Array read_array(const Hdf5File& file, const std::string& path, const std::string& name) {
    try {
        return file.read(name);
    } catch (const Error&) {
        throw not_numbers(path, name);  // Hdf5File speaks of files that Scree wrote
    }
}

SphereTable read_hdf5(const std::string& path) {
    const Hdf5File file(path, Hdf5File::Mode::Read);
    SphereTable table;
    const auto columns = columns_of(table);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string name = std::string("/") + names[k];
        if (!file.exists(name))
            throw Error(fmt::format("{}: there is no array {}; the file must hold x, y, z and r at its root", path, name));
        const Hdf5Array array = read_array(file, path, name);
        if (array.columns != 1) throw Error(fmt::format("{}: {} has {} columns; it must have one", path, name, array.columns));
        std::vector<double>& values = *columns[k];
        values.resize(array.rows);
        if (array.type == ElementType::Float64) {
            if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
        } else if (array.type == ElementType::Float32) {
            std::vector<float> single(array.rows);
            if (!single.empty()) std::memcpy(single.data(), array.bytes.data(), array.bytes.size());
            values.assign(single.begin(), single.end());
        } else {
            throw not_numbers(path, name);
        }
        if (values.size() != table.x.size()) {
            throw Error(fmt::format("{}: {} has {} numbers, /x has {}", path, name, values.size(), table.x.size()));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (const char* fault = fault_of(values[i], k == 3)) {
                throw Error(fmt::format("{}: {} of body {} is {}; it {}", path, name, i, values[i], fault));
            }
        }
    }
    if (table.x.size() > most_bodies) throw Error(fmt::format("{}: more than {} bodies", path, most_bodies));
    return table;
}

}  // namespace

bool is_hdf5(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 8> head{};
    file.read(head.data(), head.size());
    return file.gcount() == 8 && std::memcmp(head.data(), "\x89HDF\r\n\x1a\n", 8) == 0;
}

SphereTable read_spheres(const std::string& path) {
    return is_hdf5(path) ? read_hdf5(path) : CsvReader(path).read();
}

}  // namespace scree
