// Pictures that show less than was hoped for: nothing at all, or dots, since some body is far away. What to say of them, and what to do.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "render/frame_world.hpp"

namespace scree {

class PictureDoubts {
public:
    /// Looks whether a few bodies far from all others make these smaller than dots, for a camera that takes in all.
    void note_far(const FrameParts& frame, const Look& look, const Camera& camera, PictureSize size);
    /// Looks whether a picture shows no body, bond or chain, and why.
    void note_empty(const FrameParts& frame, const Look& look, const World& world, const Camera& camera, PictureSize size);

    /// A text for each reason; `pictures`: how many there were in all.
    std::vector<std::string> texts(std::size_t pictures) const;

private:
    struct Empty {
        std::size_t pictures{0};
        double first{0};  // time of the first one [s]
    };
    std::string far_;
    std::map<std::string, Empty> empty_;  // by reason
};

}  // namespace scree
