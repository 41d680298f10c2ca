// Words of the command line for devices, and what is said where one is not there.
#include "engine/devices.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace scree {

namespace {

constexpr int most_digits = 4;  // of a GPU's number

/// -1 where the text is no number.
int parse_number(const std::string& text) {
    const bool digits = !text.empty() && text.size() <= most_digits && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stoi(text) : -1;
}

std::string name_of(Device device) {
    return device.number < 0 ? "cuda" : "cuda:" + std::to_string(device.number);
}

}  // namespace

Device parse_device(const std::string& text) {
    const std::string prefix = "cuda:";
    if (text == "auto") return Device::Auto;
    if (text == "cpu") return Device::Cpu;
    if (text == "cuda") return Device::Cuda;
    if (text.rfind(prefix, 0) == 0) {
        const int number = parse_number(text.substr(prefix.size()));
        if (number >= 0) return {Device::Kind::Cuda, number};
    }
    throw Error("\"" + text + "\" is no device: use auto, cpu, cuda, or cuda:0, cuda:1, ... as `scree version` numbers them");
}

Devices parse_devices(const std::string& text) {
    std::vector<Device> each;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        each.push_back(parse_device(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    if (each.size() == 1) return Devices(each);
    for (const Device& one : each) {
        const bool numbered = one.kind == Device::Kind::Cpu || one.number >= 0;
        if (!numbered) throw Error("\"" + text + "\": of several devices name each, as in cuda:0,cuda:1");
        if (one.kind == Device::Kind::Cuda && std::count(each.begin(), each.end(), one) > 1)
            throw Error("\"" + text + "\" names " + name_of(one) + " twice: name each GPU once");
    }
    return Devices(each);
}

void require_device(Device asked, const std::vector<std::string>& present, const std::string& status) {
    if (std::max(0, asked.number) < static_cast<int>(present.size())) return;
    std::string there;
    for (std::size_t k = 0; k < present.size(); ++k) there += (k > 0 ? ", cuda:" : "cuda:") + std::to_string(k) + " (" + present[k] + ")";
    throw Error("--device " + name_of(asked) + " cannot be used: " + (present.empty() ? status : "there is " + there) + ". Use --device " +
                (present.empty() ? "" : "one of these, ") + "cpu, or auto.");
}

}  // namespace scree
