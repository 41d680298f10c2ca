// The files of the page, as the build put them into the program.
#pragma once

#include <string>
#include <string_view>

namespace scree {

struct PageFile {
    std::string_view name, kind, text;  // "main.js", "text/javascript; charset=utf-8"
};

/// The file of this name, "" for the page itself; with an empty text where there is none.
PageFile page_file(std::string_view name);

/// Throws Error where this program was built without its page, and says what it takes.
void require_page();

}  // namespace scree
