#include "view/page_files.hpp"

#include "base/error.hpp"

#if SCREE_VIEW_PAGE
// Each file as it is, between two labels (the paths come from src/view/CMakeLists.txt).
#define SCREE_EMBED(label, path)                                                                             \
    asm(".section .rodata\n" #label "_begin:\n.incbin \"" path "\"\n" #label "_end:\n.byte 0\n.previous\n"); \
    extern "C" __attribute__((visibility("hidden"))) const char label##_begin[], label##_end[];
SCREE_EMBED(scree_page_html, SCREE_PAGE_SOURCE "/index.html")
SCREE_EMBED(scree_page_css, SCREE_PAGE_SOURCE "/style.css")
SCREE_EMBED(scree_page_js, SCREE_PAGE_BUILT "/main.js")
#endif

namespace scree {

PageFile page_file(std::string_view name) {
#if SCREE_VIEW_PAGE
    const auto text = [](const char* begin, const char* end) { return std::string_view(begin, static_cast<std::size_t>(end - begin)); };
    if (name.empty()) return {name, "text/html; charset=utf-8", text(scree_page_html_begin, scree_page_html_end)};
    if (name == "style.css") return {name, "text/css; charset=utf-8", text(scree_page_css_begin, scree_page_css_end)};
    if (name == "main.js") return {name, "text/javascript; charset=utf-8", text(scree_page_js_begin, scree_page_js_end)};
#endif
    return {name, "", ""};
}

void require_page() {
#if !SCREE_VIEW_PAGE
    throw Error(
        "this program was built without the page that shows runs: install the Debian packages esbuild and libjs-three, and build anew; "
        "`scree render` draws pictures without it");
#endif
}

}  // namespace scree
