// Contacts to a file, block by block, as CSV or HDF5 by the name's ending; under a temporary name until the last one is written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/collide.hpp"

namespace scree {

class ContactFile {
public:
    virtual ~ContactFile() = default;
    /// Throws RunError, as finish does.
    virtual void write(const std::vector<Contact>& contacts) = 0;
    /// Puts the file in its place.
    virtual void finish() = 0;
};

/// Throws Error where the name ends neither in .csv nor in .h5 or .hdf5, where the file cannot be made, or is the input.
void check_contact_file(const std::string& path, const std::string& input);

/// Where pairs wait that memory has no room for.
std::string spill_name(const std::string& path);

/// For `count` contacts in all.
std::unique_ptr<ContactFile> make_contact_file(const std::string& path, std::int64_t count);

}  // namespace scree
