// A JSON text written member by member; the caller opens and closes objects and lists in order.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace scree::bench {

class JsonWriter {
public:
    JsonWriter& open(const std::string& key = "") { return start(key, '{'); }
    JsonWriter& open_list(const std::string& key = "") { return start(key, '['); }
    JsonWriter& close() { return finish('}'); }
    JsonWriter& close_list() { return finish(']'); }

    JsonWriter& put(const std::string& key, double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", value);
        return put_raw(key, std::isfinite(value) ? text : "null");
    }
    JsonWriter& put(const std::string& key, std::int64_t value) { return put_raw(key, std::to_string(value)); }
    JsonWriter& put(const std::string& key, int value) { return put_raw(key, std::to_string(value)); }
    JsonWriter& put(const std::string& key, bool value) { return put_raw(key, value ? "true" : "false"); }
    JsonWriter& put(const std::string& key, const std::string& value) { return put_raw(key, quoted(value)); }
    JsonWriter& put(const std::string& key, const char* value) { return put_raw(key, quoted(value)); }

    JsonWriter& put(const std::string& key, const std::vector<double>& values) {
        open_list(key);
        for (const double value : values) put("", value);
        return close_list();
    }

    const std::string& text() const { return text_; }

private:
    JsonWriter& start(const std::string& key, char bracket) {
        lead(key);
        text_ += bracket;
        empty_ = true;
        ++depth_;
        return *this;
    }
    JsonWriter& finish(char bracket) {
        --depth_;
        if (!empty_) break_line();
        text_ += bracket;
        empty_ = false;
        if (depth_ == 0) text_ += '\n';
        return *this;
    }
    JsonWriter& put_raw(const std::string& key, const std::string& value) {
        lead(key);
        text_ += value;
        empty_ = false;
        return *this;
    }
    void lead(const std::string& key) {
        if (depth_ > 0) {
            if (!empty_) text_ += ',';
            break_line();
        }
        if (!key.empty()) text_ += quoted(key) + ": ";
    }
    void break_line() { text_ += '\n' + std::string(static_cast<std::size_t>(2 * depth_), ' '); }
    static std::string quoted(const std::string& value) {
        std::string out = "\"";
        for (const char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        return out + '"';
    }

    std::string text_;
    int depth_{0};
    bool empty_{true};
};

}  // namespace scree::bench
