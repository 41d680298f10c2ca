#include "sim/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace scree {

bool can_rewrite(int descriptor) {
    const char* term = std::getenv("TERM");
    return ::isatty(descriptor) != 0 && (term == nullptr || std::string(term) != "dumb");
}

int terminal_width(int descriptor) {
    struct winsize size {};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char* columns = std::getenv("COLUMNS");
    const int given = columns == nullptr ? 0 : std::atoi(columns);
    return given > 0 ? given : 80;
}

bool wants_colour(int descriptor) {
    const char* none = std::getenv("NO_COLOR");
    return can_rewrite(descriptor) && (none == nullptr || *none == '\0');
}

}  // namespace scree
