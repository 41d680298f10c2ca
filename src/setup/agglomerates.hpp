// Which bodies are spheres of one packed shape that is not rigid. Known while a model is set up, for its bonds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

class Agglomerates {
public:
    static constexpr std::int32_t none = -1;

    /// Bodies from `first` to `last`, the last left out, are one.
    void add(std::size_t first, std::size_t last) {
        number_.resize(first, none);
        number_.resize(last, count_++);
    }
    /// The number of the agglomerate that a body is of, or none.
    std::int32_t of(std::int32_t body) const {
        const auto i = static_cast<std::size_t>(body);
        return i < number_.size() ? number_[i] : none;
    }

private:
    std::vector<std::int32_t> number_;
    std::int32_t count_{0};
};

}  // namespace scree
