#include "scene/vtk/xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree {

namespace {

constexpr const char* kBlanks = " \t\r\n";

}  // namespace

bool is_xml(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.starts_with("<?xml") || text.starts_with("<VTKFile") || text.starts_with("<!--");
}

VtkXmlFile::VtkXmlFile(const std::string& path, std::string text) : path_(path), text_(std::move(text)) {
    parsed_ = elements();
    const pugi::xml_parse_result result =
        document_.load_buffer_inplace(parsed_.data(), parsed_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
        const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(result.offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
        throw Error(SourcePlace{path_, static_cast<int>(std::count(text_.begin(), end, '\n')) + 1, 0},
                    fmt::format("this is no well-formed XML ({}): the file is cut off or damaged", result.description()));
    }
    if (!root()) throw Error(SourcePlace{path_, 0, 0}, "an XML file without an element VTKFile is none of VTK's");
}

std::string VtkXmlFile::elements() {
    const std::size_t begin = text_.find("<AppendedData");
    if (begin == std::string::npos) return text_;
    has_appended_ = true;
    const SourcePlace here{path_, static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n')) + 1,
                           0};
    const std::size_t end = text_.find('>', begin);
    const std::size_t mark = end == std::string::npos ? end : text_.find_first_not_of(kBlanks, end + 1);
    const std::size_t closing = text_.rfind("</AppendedData");
    if (mark == std::string::npos || closing == std::string::npos || closing <= mark)
        throw Error(here, "AppendedData does not end: the file is cut off");
    if (text_[mark] != '_') throw Error(here, "the data of AppendedData begin with an underscore, which is not there");
    appended_ = std::string_view(text_).substr(mark + 1, closing - mark - 1);
    return text_.substr(0, end) + "/></VTKFile>";
}

SourcePlace VtkXmlFile::place(pugi::xml_node node) const {
    const std::ptrdiff_t at = std::clamp<std::ptrdiff_t>(node.offset_debug(), 0, static_cast<std::ptrdiff_t>(text_.size()));
    const auto [low, high] = std::minmax(at, place_at_);
    const auto between = std::count(text_.begin() + low, text_.begin() + high, '\n');
    newlines_ += at < place_at_ ? -between : between;
    place_at_ = at;
    return {path_, static_cast<int>(newlines_) + 1, 0};
}

}  // namespace scree
