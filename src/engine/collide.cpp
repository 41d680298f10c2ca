#include "engine/collide.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "engine/collide_boxes.hpp"
#include "engine/flavors.hpp"

namespace scree {

namespace {

std::unique_ptr<Collider> make_on(Device device, Precision precision, const CollideSettings& settings, int threads) {
    const Flavor& chosen = flavor(runs_on_cuda(device, precision), precision);
    return chosen.make_collider(threads, settings.shuffle, std::max(0, device.number));
}

/// Every GPU that answers where CUDA was asked for, or found, without a number.
std::vector<Device> named(const Devices& devices, Precision precision) {
    const Device first = devices.each.front();
    if (devices.each.size() > 1 || first.number >= 0 || !runs_on_cuda(first, precision)) return devices.each;
    std::vector<Device> all;
    for (int k = 0; k < static_cast<int>(cuda_devices(precision).size()); ++k) all.push_back({Device::Kind::Cuda, k});
    return all;
}

/// Threads of each collider: those on the CPU share them.
int threads_of(Device device, const std::vector<Device>& all, int threads) {
    if (device.kind != Device::Kind::Cpu) return threads;
    const auto sharing = std::count(all.begin(), all.end(), device);
    const int whole = threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return sharing > 1 ? std::max(1, whole / static_cast<int>(sharing)) : threads;
}

}  // namespace

std::unique_ptr<Collider> make_collider(Device device, Precision precision, const CollideSettings& settings) {
    return make_on(device, precision, settings, settings.threads);
}

CollideReport collide(const SphereView& spheres, const CollideSettings& settings, const Devices& devices, Precision precision,
                      const TakePairs& take) {
    const std::vector<Device> all = named(devices, precision);
    std::vector<std::unique_ptr<Collider>> colliders;
    colliders.reserve(all.size());
    for (const Device& one : all) colliders.push_back(make_on(one, precision, settings, threads_of(one, all, settings.threads)));
    if (settings.memory > 0 || colliders.size() > 1) return collide_in_boxes(spheres, settings, colliders, take);
    Collider& alone = *colliders.front();
    try {
        return alone.find(spheres, settings.method, take, pairs_that_fit(spheres, settings, alone));
    } catch (const PairsDoNotFit&) {
        alone.drop_memory();
    }
    return collide_in_boxes(spheres, settings, colliders, take);
}

}  // namespace scree
