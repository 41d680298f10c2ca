// One answer to the page: a head in JSON, and arrays of numbers as they lie in memory.
//   bytes 0-3    "SCRV"
//   bytes 4-7    length of the head, a multiple of 8, little-endian
//   head         a JSON object; "arrays" names each array: {"type": "f32", "offset": bytes from the end of the head, "count": elements}
//   arrays       little-endian, each at a multiple of 8
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "output/json.hpp"

namespace scree {

class Packet {
public:
    /// The head, to add to.
    JsonWriter& head() { return head_; }

    template <class T>
    void add(const std::string& name, const std::vector<T>& values) {
        static_assert(std::is_arithmetic_v<T>);
        constexpr const char* type = std::is_same_v<T, float>           ? "f32"
                                     : std::is_same_v<T, double>        ? "f64"
                                     : std::is_same_v<T, std::uint32_t> ? "u32"
                                     : std::is_same_v<T, std::int32_t>  ? "i32"
                                                                        : "u8";
        static_assert(sizeof(T) == (type[1] == '8' ? 1 : type[1] == '6' ? 8 : 4));
        add(name, type, values.data(), values.size(), sizeof(T));
    }

    /// All of it; nothing may be added after.
    std::string finish();

private:
    struct Array {
        std::string name, type;
        std::size_t offset{0}, count{0};
    };
    void add(const std::string& name, const char* type, const void* values, std::size_t count, std::size_t bytes);

    JsonWriter head_;
    std::vector<Array> arrays_;
    std::string bytes_;
};

}  // namespace scree
