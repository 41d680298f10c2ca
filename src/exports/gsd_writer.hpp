// A file of GSD's file layer, version 2.0 (Glotzer group, University of Michigan), schema "hoomd" 1.4. In: named arrays, frame by frame;
// out: the file, whole once finish() has returned. Numbers are little-endian.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace scree {

/// Types of numbers as the file layer counts them.
enum class GsdType : std::uint8_t { UInt8 = 1, UInt32 = 3, UInt64 = 4, Int8 = 5, Int32 = 7, Float = 9, Double = 10 };

template <class T>
struct GsdTypeOf;
template <>
struct GsdTypeOf<std::uint8_t> {
    static constexpr GsdType type = GsdType::UInt8;
};
template <>
struct GsdTypeOf<std::uint32_t> {
    static constexpr GsdType type = GsdType::UInt32;
};
template <>
struct GsdTypeOf<std::uint64_t> {
    static constexpr GsdType type = GsdType::UInt64;
};
template <>
struct GsdTypeOf<std::int8_t> {
    static constexpr GsdType type = GsdType::Int8;
};
template <>
struct GsdTypeOf<std::int32_t> {
    static constexpr GsdType type = GsdType::Int32;
};
template <>
struct GsdTypeOf<float> {
    static constexpr GsdType type = GsdType::Float;
};
template <>
struct GsdTypeOf<double> {
    static constexpr GsdType type = GsdType::Double;
};

class GsdWriter {
public:
    /// Writes beside `path` until finish(). Throws RunError, as all that follow.
    explicit GsdWriter(const std::string& path);
    ~GsdWriter();
    GsdWriter(const GsdWriter&) = delete;
    GsdWriter& operator=(const GsdWriter&) = delete;

    /// An array of the frame that is being written: values.size() / columns rows. An array without rows is left out, as the file layer
    /// wants.
    template <class T>
    void chunk(const std::string& name, const std::vector<T>& values, std::uint32_t columns = 1) {
        chunk(name, GsdTypeOf<T>::type, values.size() / columns, columns, values.data(), values.size() * sizeof(T));
    }
    /// Texts as rows of characters of one width, ended by zeros.
    void texts(const std::string& name, const std::vector<std::string>& values);
    void end_frame();
    void finish();

private:
    struct Entry {
        std::uint64_t frame, rows, at;
        std::uint32_t columns;
        std::uint16_t name;
        std::uint8_t type, flags;
    };
    static_assert(sizeof(Entry) == 32);

    void chunk(const std::string& name, GsdType type, std::size_t rows, std::uint32_t columns, const void* data, std::size_t bytes);
    void put(const void* data, std::size_t bytes);
    void header(std::uint64_t index_at, std::uint64_t entries, std::uint64_t names_at, std::uint64_t name_blocks);

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string path_, temporary_;
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t at_{0}, frame_{0};
    std::vector<std::string> names_;
    std::map<std::string, std::uint16_t> number_of_;
    std::vector<Entry> index_;
    std::size_t frame_begin_{0};  // of the index
};

}  // namespace scree
