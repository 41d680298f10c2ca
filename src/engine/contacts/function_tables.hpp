// Functions of time where kernels read them.
#pragma once

#include <vector>

#include "engine/exec/array.hpp"
#include "model/time_function.hpp"

namespace scree::SCREE_FLAVOR {

class FunctionTables {
public:
    /// All at once, before any view is asked for; those that were loaded before are gone.
    void load(const std::vector<const TimeFunction*>& functions) {
        std::vector<double> time, value;
        views_.clear();
        for (const TimeFunction* f : functions) {
            views_.push_back(scree::view_of(*f));
            time.insert(time.end(), f->time.begin(), f->time.end());
            value.insert(value.end(), f->value.begin(), f->value.end());
        }
        time_.assign(time);
        value_.assign(value);
        Index first = 0;
        for (FunctionView& view : views_) {
            view.time = time_.data() + first;
            view.value = value_.data() + first;
            first += static_cast<Index>(view.rows);
        }
    }
    /// Of the k-th, for kernels.
    FunctionView view(std::size_t k) const { return views_[k]; }

    std::size_t bytes() const { return time_.bytes() + value_.bytes(); }

private:
    Array<double> time_, value_;
    std::vector<FunctionView> views_;
};

}  // namespace scree::SCREE_FLAVOR
