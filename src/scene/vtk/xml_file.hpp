// A file of VTK's XML formats as its elements, and the data that it may append to them, which are no XML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "base/error.hpp"

namespace scree {

/// Does text begin as XML does?
bool is_xml(std::string_view text);

class VtkXmlFile {
public:
    /// From all that stands in a file; `path` is for messages. Throws scree::Error where it is no well-formed VTK file.
    VtkXmlFile(const std::string& path, std::string text);
    VtkXmlFile(const VtkXmlFile&) = delete;
    VtkXmlFile& operator=(const VtkXmlFile&) = delete;

    pugi::xml_node root() const { return document_.child("VTKFile"); }
    /// The kind of data, such as PolyData.
    std::string_view kind() const { return root().attribute("type").value(); }
    /// What stands after the underscore of AppendedData.
    std::string_view appended() const { return appended_; }
    /// Is there such an element at all?
    bool has_appended() const { return has_appended_; }
    const std::string& path() const { return path_; }
    /// File and line where an element begins.
    SourcePlace place(pugi::xml_node node) const;

private:
    /// Cuts off AppendedData; returns the rest as a file of its own.
    std::string elements();

    std::string path_;
    std::string text_;
    std::string_view appended_;
    bool has_appended_{false};
    mutable std::ptrdiff_t place_at_{0};  // what was last asked for, and newlines before it: the next one is near
    mutable std::ptrdiff_t newlines_{0};
    std::string parsed_;  // elements, which document_ points into
    pugi::xml_document document_;
};

}  // namespace scree
