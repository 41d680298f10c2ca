// One run at a time in a run directory: a lock on the folder itself, which leaves no file and ends with the program, however that dies.
#pragma once

#include <string>

namespace scree {

class RunLock {
public:
    RunLock() = default;
    ~RunLock() { release(); }
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;

    /// Takes `directory`, where it is there and not taken by this object already. Throws Error where another run has it. A file system
    /// without locks, or one that locks no folders (NFS), lets every run in.
    void take(const std::string& directory);
    void release();

private:
    int descriptor_{-1};  // below 0: nothing taken
};

}  // namespace scree
