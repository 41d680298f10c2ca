#include "view/packet.hpp"

#include <cstring>

namespace scree {

void Packet::add(const std::string& name, const char* type, const void* values, std::size_t count, std::size_t bytes) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    arrays_.push_back({name, type, bytes_.size(), count});
    if (count > 0) bytes_.append(static_cast<const char*>(values), count * bytes);
}

std::string Packet::finish() {
    head_.begin_object("arrays");
    for (const Array& array : arrays_) {
        head_.begin_object(array.name);
        head_.add("type", array.type);
        head_.add("offset", static_cast<std::int64_t>(array.offset));
        head_.add("count", static_cast<std::int64_t>(array.count));
        head_.end_object();
    }
    head_.end_object();
    std::string json = head_.finish();
    json.resize((json.size() + 7) / 8 * 8, ' ');
    std::string whole = "SCRV";
    const auto length = static_cast<std::uint32_t>(json.size());
    whole.append(reinterpret_cast<const char*>(&length), sizeof length);
    whole.reserve(whole.size() + json.size() + bytes_.size());
    whole += json;
    whole += bytes_;
    return whole;
}

}  // namespace scree
