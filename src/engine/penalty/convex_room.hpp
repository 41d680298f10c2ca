// How many corners a clipped polygon may have: kernels are compiled for a few sizes of room and take the smallest that serves.
#pragma once

#include <type_traits>

namespace scree {

inline constexpr int small_room = 40;  // 32 faces and corners to spare
inline constexpr int largest_room = 512;

/// Calls use(integral_constant<int, Room>) with the smallest room for `corners`, at most largest_room.
template <class Count, class Use>
void with_room(Count corners, Use use) {
    if (corners <= small_room) {
        use(std::integral_constant<int, small_room>{});
    } else {
        use(std::integral_constant<int, largest_room>{});
    }
}

}  // namespace scree
