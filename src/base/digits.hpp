// Numbers in messages of files that CUDA's compiler reads too, which fmt is not for.
#pragma once

#include <cstdio>
#include <string>

namespace scree {

/// "0.0001235"; std::to_string would have no digit left of a small number.
inline std::string digits(double x, int count = 4) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", count, x);
    return text;
}

}  // namespace scree
