#include "engine/collide.hpp"

#include <algorithm>
#include <vector>

#include "engine/collide_boxes.hpp"
#include "engine/flavors.hpp"

namespace scree {

SCREE_IN_FLAVORS(std::unique_ptr<Collider> make_collider(int threads, bool shuffle, int device); int collider_devices();)

namespace {

std::unique_ptr<Collider> make_on(bool cuda, bool mixed, const CollideSettings& settings, int number) {
#if defined(SCREE_WITH_CUDA)
    if (cuda) {
        return mixed ? cuda_mixed::make_collider(settings.threads, settings.shuffle, number)
                     : cuda_double::make_collider(settings.threads, settings.shuffle, number);
    }
#else
    (void)cuda;
#endif
    return mixed ? host_mixed::make_collider(settings.threads, settings.shuffle, number)
                 : host_double::make_collider(settings.threads, settings.shuffle, number);
}

int devices(bool cuda) {
#if defined(SCREE_WITH_CUDA)
    if (cuda) return std::max(1, cuda_double::collider_devices());
#else
    (void)cuda;
#endif
    return 1;
}

}  // namespace

std::unique_ptr<Collider> make_collider(Device device, Precision precision, const CollideSettings& settings) {
    return make_on(runs_on_cuda(device), precision == Precision::Mixed, settings, 0);
}

CollideReport collide(const SphereView& spheres, const CollideSettings& settings, Device device, Precision precision,
                      const TakePairs& take) {
    const bool cuda = runs_on_cuda(device), mixed = precision == Precision::Mixed;
    if (settings.memory == 0) return make_on(cuda, mixed, settings, 0)->find(spheres, settings.method, take);
    std::vector<std::unique_ptr<Collider>> colliders;
    for (int k = 0; k < devices(cuda); ++k) colliders.push_back(make_on(cuda, mixed, settings, k));
    return collide_in_boxes(spheres, settings, colliders, take);
}

}  // namespace scree
