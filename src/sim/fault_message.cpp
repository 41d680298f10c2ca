#include "sim/fault_message.hpp"

#include <fmt/format.h>

namespace scree {
namespace {

std::string place_of(const Fault& fault) {
    return fmt::format("at ({:.6g}, {:.6g}, {:.6g}) m, t = {:.9g} s (step {})", fault.position.x, fault.position.y, fault.position.z,
                       fault.time, fault.step);
}

std::string partner_of(const Fault& fault, const Model& model) {
    if (fault.wall >= 0 && static_cast<std::size_t>(fault.wall) < model.walls.size()) {
        return fmt::format(" and wall \"{}\"", model.walls[static_cast<std::size_t>(fault.wall)].name);
    }
    if (fault.other != ContactRecord::none) return fmt::format(" and body {}", fault.other);
    return "";
}

}  // namespace

const char* fault_name(FaultKind kind) {
    switch (kind) {
        case FaultKind::NotFinite:
            return "not_finite";
        case FaultKind::Overlap:
            return "overlap";
        case FaultKind::Left:
            return "left";
        case FaultKind::None:
            break;
    }
    return "none";
}

std::string fault_message(const Fault& fault, const Model& model) {
    const std::string body = fault.body == ContactRecord::none ? "a body" : fmt::format("body {}", fault.body);
    const char* stiffness = model.penalty.law == Law::Linear ? "method.stiffness" : "the materials' young";
    switch (fault.kind) {
        case FaultKind::Overlap:
            return fmt::format(
                "{}{} overlap by {:.3g} of the smaller radius {}, past method.overlap_limit = {:.3g}. Make time.step smaller (it is {:.6g} "
                "s), raise "
                "{}, or start slower and without overlaps",
                body, partner_of(fault, model), fault.value, place_of(fault), model.penalty.overlap_limit, model.dt, stiffness);
        case FaultKind::NotFinite:
            return fmt::format(
                "the position or velocity of {} is no longer a finite number {}. Make time.step smaller (it is {:.6g} s), or look for "
                "bodies that "
                "start with large overlaps or speeds",
                body, place_of(fault), model.dt);
        case FaultKind::Left:
            return fmt::format(
                "{} left the domain {}. Widen domain.min and domain.max, close the gap in the walls, or set domain.leave = \"remove\"",
                body, place_of(fault));
        case FaultKind::None:
            break;
    }
    return "the engine stopped without a reason";
}

}  // namespace scree
