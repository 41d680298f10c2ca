// How many corners a clipped polygon may have: kernels are compiled for a few sizes of room and take the smallest that serves. A GPU sets
// some 300 bytes for each corner aside for every thread that it could run: 3, 8 and 41 GB for these rooms on 132 multiprocessors.
#pragma once

#include <type_traits>

namespace scree {

inline constexpr int small_room = 40;  // 32 faces and corners to spare
inline constexpr int middle_room = 96;
inline constexpr int largest_room = 512;

/// Calls use(integral_constant<int, Room>) with the smallest room for `corners`, at most largest_room.
template <class Count, class Use>
void with_room(Count corners, Use use) {
    if (corners <= small_room) {
        use(std::integral_constant<int, small_room>{});
    } else if (corners <= middle_room) {
        use(std::integral_constant<int, middle_room>{});
    } else {
        use(std::integral_constant<int, largest_room>{});
    }
}

}  // namespace scree
