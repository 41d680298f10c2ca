// What the library throws, besides std::bad_alloc.
#pragma once

#include <stdexcept>
#include <string>

#include <scree/config.hpp>

namespace scree_v0 {

/// What was asked for is wrong: a scene, a file, an option. what() says where and what to change; nothing was written over.
class SCREE_API SceneError : public std::runtime_error {
public:
    /// `message` as "file:line:column: text", whose place is found in it, or any text.
    explicit SceneError(const std::string& message);
    ~SceneError() override;

    /// Of the place in an input file; empty and 0 where there is none.
    const std::string& file() const noexcept { return file_; }
    int line() const noexcept { return line_; }
    int column() const noexcept { return column_; }

private:
    std::string file_;
    int line_{0}, column_{0};
};

/// A run cannot go on for a reason found while it ran: bodies that overlap too far, numbers that are not finite, a full disk.
class SCREE_API RunError : public std::runtime_error {
public:
    explicit RunError(const std::string& message);
    ~RunError() override;
};

/// The simulation cannot change now, since arrays of its engine are shown (Simulation::raw_fields).
class SCREE_API InUseError : public RunError {
public:
    explicit InUseError(const std::string& message);
    ~InUseError() override;
};

}  // namespace scree_v0
