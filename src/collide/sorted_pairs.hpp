// Pairs collected in any order, handed out sorted by (a, b): in memory while they fit, else as sorted runs in a file beside the output,
// merged at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace scree {

class SortedPairs {
public:
    /// `most_bytes`: kept in memory before a run is written to `spill_path`; 0: no limit.
    SortedPairs(std::size_t most_bytes, std::string spill_path);
    ~SortedPairs();  // removes the runs
    SortedPairs(const SortedPairs&) = delete;
    SortedPairs& operator=(const SortedPairs&) = delete;

    /// Throws RunError where a run cannot be written.
    void add(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count);
    std::int64_t size() const { return size_; }
    std::int64_t runs() const { return static_cast<std::int64_t>(runs_.size()); }

    /// visit(keys, count) block by block, ascending; a key is a * 2^32 + b. Ends the collection.
    void each_block(const std::function<void(const std::uint64_t* keys, std::size_t count)>& visit);

private:
    struct Run {
        std::int64_t first, count;  // keys, by their place in the file
    };
    void spill();
    void merge(const std::function<void(const std::uint64_t*, std::size_t)>& visit);
    void read(std::int64_t first, std::uint64_t* to, std::size_t count);

    std::size_t most_;  // keys in memory, 0: no limit
    std::string path_;
    std::FILE* file_{nullptr};
    std::vector<std::uint64_t> keys_;
    std::vector<Run> runs_;
    std::int64_t size_{0};
};

}  // namespace scree
