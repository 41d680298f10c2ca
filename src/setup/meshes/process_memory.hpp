// What this process has of memory, and what the machine can still give.
#pragma once

namespace scree {

/// Memory that the machine can give now, without swapping; the largest number where that cannot be told [bytes].
double available_memory();
/// For tests: available_memory() tells no more than this while it lives [bytes].
class LoweredMemory {
public:
    explicit LoweredMemory(double bytes);
    ~LoweredMemory();
    LoweredMemory(const LoweredMemory&) = delete;
    LoweredMemory& operator=(const LoweredMemory&) = delete;
};

/// What this process has in memory now; 0 where that cannot be told [bytes].
double resident_memory();
/// The most that this process has had in memory so far; 0 where that cannot be told [bytes].
double peak_memory();

/// Gives small blocks that were freed back to the system: those of reading and placing lie between what stays.
void trim_memory();

}  // namespace scree
