// The user's fault: what is wrong, where, and what to change. Our own faults are assertions (base/macros.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace scree {

/// A place in an input file; line and column count from 1, 0 means unknown.
struct SourcePlace {
    std::string file;
    int line{0};
    int column{0};
};

/// Thrown for wrong input (exit code 2). `what()` reads "file:line:column: message".
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
    Error(const SourcePlace& place, const std::string& message) : std::runtime_error(located(place, message)) {}

private:
    static std::string located(const SourcePlace& place, const std::string& message) {
        std::string text = place.file;
        if (place.line > 0) {
            text.append(":").append(std::to_string(place.line));
            if (place.column > 0) text.append(":").append(std::to_string(place.column));
        }
        if (!text.empty()) text.append(": ");
        return text.append(message);
    }
};

/// Thrown when a run cannot go on for a reason found while running (exit code 1): a full disk, a device that fails.
class RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace scree
