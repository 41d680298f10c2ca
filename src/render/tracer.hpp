// World and camera -> picture, by rays: what each sees first, whether the sun sees that, and how much of the sky does.
// The same bits on any number of threads: a pixel is a function of its place alone, and the trees of boxes are built by one thread, so that
// of two surfaces at exactly one place the same is met. Lengths go to the tracer in units of what the camera sees, from its middle, so that
// single precision holds for a scene of any size, anywhere.
#pragma once

#include <memory>

#include "render/world.hpp"

namespace scree {

class Tracer {
public:
    /// Builds the trees. Both must live on while it does. Throws RunError where memory does not suffice.
    Tracer(const World& world, const Camera& camera, PictureSize size);
    ~Tracer();
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;

    /// O(pixels x samples x log bodies).
    Image draw(const Quality& quality) const;
    /// What the place (x, y) of the picture shows [pixels], glass left out.
    Picked pick(double x, double y) const;
    /// Seconds that building the trees took.
    double build_seconds() const;

private:
    struct Trees;
    std::unique_ptr<Trees> trees_;
};

/// Where nothing is: a light grey, lighter towards the lower edge; y in pixels from above.
Rgb background_colour(double y, int height);

}  // namespace scree
