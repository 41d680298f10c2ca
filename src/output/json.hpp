// Writes one JSON document, indented, with every string escaped. Numbers that JSON does not know (NaN, infinity) become null.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scree {

class JsonWriter {
public:
    JsonWriter() { open('{'); }

    void begin_object(const std::string& key);
    void end_object();
    void add(const std::string& key, const std::string& value);
    void add(const std::string& key, const char* value) { add(key, std::string(value)); }
    void add(const std::string& key, double value);
    void add(const std::string& key, std::int64_t value);
    void add(const std::string& key, bool value);
    void add_null(const std::string& key);
    void add(const std::string& key, const std::vector<std::string>& values);

    /// Closes the document and returns it.
    std::string finish();

private:
    void open(char bracket);
    void close(char bracket);
    void start(const std::string& key);

    std::string text_;
    int depth_{0};
    bool first_{true};
};

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(const std::string& text);

}  // namespace scree
