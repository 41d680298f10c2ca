// What every header of the library begins with. Its names stand in a namespace of their own, scree_v0, whose number grows when programs
// have to be compiled anew; users call it scree.
#pragma once

#define SCREE_API __attribute__((visibility("default")))

namespace scree_v0 {

/// The version of the library, as "0.2.0".
SCREE_API const char* version();

}  // namespace scree_v0

#ifndef SCREE_INSIDE  // the library's own sources have a namespace scree already
namespace scree = scree_v0;
#endif
