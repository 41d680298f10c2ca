// How many corners a clipped polygon may have: kernels are compiled for a few capacities and take the smallest that serves. A GPU sets
// some 300 bytes for each corner aside for every thread that it could run: 3, 8 and 41 GB for these capacities on 132 multiprocessors.
#pragma once

#include <type_traits>

namespace scree {

inline constexpr int small_capacity = 40;  // 32 faces and corners to spare
inline constexpr int middle_capacity = 96;
inline constexpr int largest_capacity = 512;

/// Calls use(integral_constant<int, Capacity>) with the smallest capacity for `corners`, at most largest_capacity.
template <class Count, class Use>
void with_capacity(Count corners, Use use) {
    if (corners <= small_capacity) {
        use(std::integral_constant<int, small_capacity>{});
    } else if (corners <= middle_capacity) {
        use(std::integral_constant<int, middle_capacity>{});
    } else {
        use(std::integral_constant<int, largest_capacity>{});
    }
}

}  // namespace scree
