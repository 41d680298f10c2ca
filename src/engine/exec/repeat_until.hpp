// Repetition that kernels end. What is repeated has a control in memory of kernels, of which one thread decides from what they found
// whether anything is left to do. Its word is the gate of all kernels sent after that (exec/loops.hpp), so that the host sends more of them
// before it knows: a device always has work, and those sent too many do nothing. On the host, where a look brings what it looks at at
// once, this is a plain loop. What comes out never depends on when a look comes.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/exec/array.hpp"
#include "engine/exec/look_behind.hpp"

namespace scree::SCREE_FLAVOR {

/// What a control begins with.
struct RepeatControl {
    static constexpr std::uint32_t stop = 1;  // bit of `done`: nothing is left to do; others are a control's own

    std::uint32_t done{0};
};

/// Memory of kernels for one control, and the host's way of looking at it.
class Repetition {
public:
    /// Kernels set it. One type at a time: another one's takes its place.
    template <class Control>
    Control* control() {
        static_assert(std::is_trivially_copyable_v<Control> && alignof(Control) <= alignof(double));
        constexpr Index words = (sizeof(Control) + sizeof(double) - 1) / sizeof(double);
        if (control_.size() < words) control_.resize(words);
        return reinterpret_cast<Control*>(control_.data());
    }
    /// As kernels sent so far leave it: waits for them.
    template <class Control>
    Control look() {
        behind_.forget();
        behind_.send(control<Control>());
        return *behind_.seen<Control>([](const Control&) { return true; }, 1);
    }

    /// Calls body() until `stop` is seen in the control, body() returns false or has been called `most` times. Returns the control as it
    /// was seen to stop. Looks are not waited for, but for all but the last one; `waits`: for that too.
    template <class Control, class Body>
    std::optional<Control> repeat_until_stop(std::int64_t most, Body body, bool waits = false) {
        const Control* control = this->control<Control>();
        behind_.forget();
        for (; most > 0; --most) {
            behind_.send(control);
            const std::optional<Control> seen =
                behind_.seen<Control>([](const Control& c) { return (c.done & Control::stop) != 0; }, waits ? 1 : LookBehind::most);
            if (seen) return seen;
            if (!body()) break;
        }
        return std::nullopt;
    }

    std::size_t bytes() const { return control_.bytes(); }

private:
    Array<double> control_;
    LookBehind behind_;
};

}  // namespace scree::SCREE_FLAVOR
