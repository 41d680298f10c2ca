#include "collide/sorted_pairs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <queue>
#include <utility>

#include "base/error.hpp"

namespace scree {
namespace {

constexpr std::size_t block = 1 << 16;  // keys handed out at once

/// Sorts by bytes, lowest first, leaving out those in which all keys agree; falls back to comparisons where few keys do not pay for it.
void sort_keys(std::vector<std::uint64_t>& keys, bool may_double) {
    if (keys.size() < 4096 || !may_double) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    constexpr int digit_bits = 11;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    for (const std::uint64_t key : keys) {
        any |= key;
        all &= key;
    }
    const std::uint64_t differ = any & ~all;
    std::vector<std::uint64_t> other(keys.size());
    for (int shift = 0; shift < 64; shift += digit_bits) {
        if (((differ >> shift) & (buckets - 1)) == 0) continue;
        std::vector<std::size_t> at(buckets + 1, 0);
        for (const std::uint64_t key : keys) ++at[((key >> shift) & (buckets - 1)) + 1];
        for (std::size_t k = 0; k < buckets; ++k) at[k + 1] += at[k];
        for (const std::uint64_t key : keys) other[at[(key >> shift) & (buckets - 1)]++] = key;
        keys.swap(other);
    }
}

}  // namespace

SortedPairs::SortedPairs(std::size_t most_bytes, std::string spill_path)
    : most_(most_bytes == 0 ? 0 : std::max<std::size_t>(most_bytes / sizeof(std::uint64_t), block)), path_(std::move(spill_path)) {
}

SortedPairs::~SortedPairs() {
    if (file_ != nullptr) {
        std::fclose(file_);
        ::unlink(path_.c_str());
    }
}

void SortedPairs::add(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
    size_ += count;
    if (most_ > 0 && keys_.capacity() < most_) keys_.reserve(most_);
    for (std::int64_t k = 0; k < count; ++k) {
        if (most_ > 0 && keys_.size() == most_) spill();
        keys_.push_back(static_cast<std::uint64_t>(a[k]) << 32 | b[k]);
    }
}

void SortedPairs::spill() {
    if (file_ == nullptr) {
        file_ = std::fopen(path_.c_str(), "wb+");
        if (file_ == nullptr) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    }
    sort_keys(keys_, false);
    const std::int64_t first = runs_.empty() ? 0 : runs_.back().first + runs_.back().count;
    if (std::fseek(file_, static_cast<long>(first * 8), SEEK_SET) != 0 ||
        std::fwrite(keys_.data(), sizeof(std::uint64_t), keys_.size(), file_) != keys_.size() || std::fflush(file_) != 0) {
        throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    }
    runs_.push_back({first, static_cast<std::int64_t>(keys_.size())});
    keys_.clear();
}

void SortedPairs::read(std::int64_t first, std::uint64_t* to, std::size_t count) {
    if (std::fseek(file_, static_cast<long>(first * 8), SEEK_SET) != 0 || std::fread(to, sizeof(std::uint64_t), count, file_) != count) {
        throw RunError("cannot read back " + path_);
    }
}

void SortedPairs::each_block(const std::function<void(const std::uint64_t*, std::size_t)>& visit) {
    if (!runs_.empty()) {
        if (!keys_.empty()) spill();
        std::vector<std::uint64_t>().swap(keys_);
        merge(visit);
        return;
    }
    sort_keys(keys_, most_ == 0);
    for (std::size_t k = 0; k < keys_.size(); k += block) visit(keys_.data() + k, std::min(block, keys_.size() - k));
}

void SortedPairs::merge(const std::function<void(const std::uint64_t*, std::size_t)>& visit) {
    struct Front {
        std::vector<std::uint64_t> keys;
        std::size_t at{0};
        Run left;
    };
    std::vector<Front> fronts;
    using Head = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    const auto refill = [&](Front& f) {
        f.keys.resize(static_cast<std::size_t>(std::min<std::int64_t>(f.left.count, block)));
        f.at = 0;
        if (!f.keys.empty()) read(f.left.first, f.keys.data(), f.keys.size());
        f.left.first += static_cast<std::int64_t>(f.keys.size());
        f.left.count -= static_cast<std::int64_t>(f.keys.size());
        return !f.keys.empty();
    };
    fronts.reserve(runs_.size());
    for (const Run& run : runs_) {
        fronts.push_back({{}, 0, run});
        if (refill(fronts.back())) heads.emplace(fronts.back().keys[0], fronts.size() - 1);
    }
    std::vector<std::uint64_t> out;
    out.reserve(block);
    while (!heads.empty()) {
        const auto [key, which] = heads.top();
        heads.pop();
        out.push_back(key);
        if (out.size() == block) {
            visit(out.data(), out.size());
            out.clear();
        }
        Front& f = fronts[which];
        if (++f.at < f.keys.size() || refill(f)) heads.emplace(f.keys[f.at], which);
    }
    if (!out.empty()) visit(out.data(), out.size());
}

}  // namespace scree
