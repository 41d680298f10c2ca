// Names of devices on the command line, and what is said where one is not there.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "engine/collide.hpp"
#include "engine/devices.hpp"
#include "sphere_sets.hpp"

using namespace scree;
using namespace scree::test;

namespace {

std::string refusal(const std::string& text) {
    try {
        parse_devices(text);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("devices: words and numbers") {
    CHECK(parse_device("auto") == Device::Auto);
    CHECK(parse_device("cpu") == Device::Cpu);
    CHECK(parse_device("cuda") == Device::Cuda);
    CHECK(parse_device("cuda:0") == Device{Device::Kind::Cuda, 0});
    CHECK(parse_device("cuda:12") == Device{Device::Kind::Cuda, 12});
    CHECK(parse_devices("cuda:0,cuda:1").each == std::vector<Device>{{Device::Kind::Cuda, 0}, {Device::Kind::Cuda, 1}});
    CHECK(parse_devices("cpu,cpu").each == std::vector<Device>{Device::Cpu, Device::Cpu});
    CHECK(parse_devices("cuda").each == std::vector<Device>{Device::Cuda});
}

TEST_CASE("devices: what is none is refused, with what to write") {
    for (const char* text :
         {"", "gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda: 1", "cuda:99999", "cpu:1", "cpu,", ",cpu", "cpu,,cpu"}) {
        CAPTURE(text);
        CHECK(holds(refusal(text), "cuda:0, cuda:1"));
    }
    CHECK(holds(refusal("cuda:1,cuda:1"), "names cuda:1 twice"));
    CHECK(holds(refusal("auto,cpu"), "name each"));
    CHECK(holds(refusal("cuda,cuda:1"), "name each"));
    CHECK_THROWS_AS(parse_device("cpu,cpu"), Error);  // several are for commands that deal work out
}

TEST_CASE("devices: one that is not there is refused by naming those that are") {
    const std::vector<std::string> two{"First", "Second"};
    CHECK_NOTHROW(require_device(Device::Cuda, two, ""));
    CHECK_NOTHROW(require_device({Device::Kind::Cuda, 1}, two, ""));
    try {
        require_device({Device::Kind::Cuda, 2}, two, "");
        FAIL("cuda:2 of two devices");
    } catch (const Error& e) {
        CHECK(std::string(e.what()) ==
              "--device cuda:2 cannot be used: there is cuda:0 (First), cuda:1 (Second). Use --device one of these, cpu, or auto.");
    }
    try {
        require_device(Device::Cuda, {}, "no CUDA device: none");
        FAIL("cuda without a device");
    } catch (const Error& e) {
        CHECK(std::string(e.what()) == "--device cuda cannot be used: no CUDA device: none. Use --device cpu, or auto.");
    }
}

TEST_CASE("devices: boxes dealt out to several give the pairs of the whole, each once") {
    const SphereSet set = scattered("sizes", 30000, 1, 1e-3, 0.03);
    const auto pairs_on = [&](const Devices& devices, std::size_t memory, std::int64_t& boxes) {
        CollideSettings settings;
        settings.memory = memory;
        std::vector<IdPair> pairs;
        const CollideReport report = collide(set.view(), settings, devices, Precision::Double,
                                             [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
                                                 for (std::int64_t k = 0; k < count; ++k) pairs.emplace_back(a[k], b[k]);
                                             });
        CHECK(report.contacts == static_cast<std::int64_t>(pairs.size()));
        boxes = report.boxes;
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    };
    std::int64_t boxes = 0;
    const std::vector<IdPair> whole = pairs_on(Device::Cpu, 0, boxes);
    REQUIRE(whole.size() > 1000);
    CHECK(boxes == 1);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{20'000'000}}) {
        for (const char* names : {"cpu,cpu", "cpu,cpu,cpu"}) {
            CHECK(pairs_on(parse_devices(names), memory, boxes) == whole);
            CHECK(boxes >= 8);  // four to each
        }
    }
}
