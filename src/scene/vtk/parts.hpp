// VTK files that name the files which hold the data: a collection over time (.pvd), and what the processes of a parallel run wrote
// (.pvtp, .pvtu).
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "scene/vtk/xml_file.hpp"

namespace scree {

struct VtkPart {
    std::string path;   // as it can be opened from here
    SourcePlace place;  // where it is named
};

/// Does it name other files?
bool is_collection(const VtkXmlFile& file);
bool names_pieces(const VtkXmlFile& file);

/// The files that it names, of a collection those of the last time. Throws scree::Error where there are none, or one stands twice.
std::vector<VtkPart> parts_of(const VtkXmlFile& file);

/// All files that hold what is read of the file at `path`, besides itself; none where it cannot be read, or is of another format.
std::vector<std::string> all_parts_of(const std::string& path);

}  // namespace scree
