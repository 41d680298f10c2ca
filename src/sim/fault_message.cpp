#include "sim/fault_message.hpp"

#include <fmt/format.h>

#include "model/contact_parameters.hpp"

namespace scree {
namespace {

std::string place_of(const Fault& fault) {
    return fmt::format("at ({:.6g}, {:.6g}, {:.6g}) m, t = {:.9g} s (step {})", fault.position.x, fault.position.y, fault.position.z,
                       fault.time, fault.step);
}

/// "body 12", with its name in the scene, or that of the compound it is part of.
std::string body_of(std::uint32_t id, const Model& model) {
    const BodyTable& bodies = model.bodies;
    const std::int32_t owner = bodies.owner_of(id);
    const std::size_t named = owner == BodyTable::no_owner ? id : static_cast<std::size_t>(owner);
    const std::string name = named < bodies.name.size() ? bodies.name[named] : "";
    if (!name.empty()) return fmt::format("body {} (\"{}\")", id, name);
    return owner == BodyTable::no_owner ? fmt::format("body {}", id) : fmt::format("body {} (part of compound {})", id, owner);
}

const char* stiffness_of(const Model& model) {
    return loading_law(model.penalty) == Law::Linear ? "method.stiffness" : "the materials' young";
}

std::string partner_of(const Fault& fault, const Model& model) {
    if (fault.wall >= 0 && static_cast<std::size_t>(fault.wall) < model.walls.size()) {
        return fmt::format(" and wall \"{}\"", model.walls[static_cast<std::size_t>(fault.wall)].name);
    }
    if (fault.other != ContactRecord::none) return " and " + body_of(fault.other, model);
    return "";
}

/// Which joint holds the body of a fault: ", held by joint \"crank_pin\",".
std::string joint_of(const Fault& fault, const Model& model) {
    for (const Joint& joint : model.joints) {
        for (const std::int32_t body : {joint.a, joint.b}) {
            if (body >= 0 && static_cast<std::uint32_t>(body) == fault.body) return fmt::format(", held by joint \"{}\",", joint.name);
        }
    }
    return "";
}

}  // namespace

std::string bodies_of(const ContactRecord& contact, const Model& model) {
    Fault pair;
    pair.body = contact.a, pair.other = contact.b, pair.wall = contact.wall;
    return body_of(contact.a, model) + partner_of(pair, model);
}

const char* fault_name(FaultKind kind) {
    switch (kind) {
        case FaultKind::NotFinite:
            return "not_finite";
        case FaultKind::Overlap:
            return "overlap";
        case FaultKind::Left:
            return "left";
        case FaultKind::TooFast:
            return "too_fast";
        case FaultKind::NotSolved:
            return "not_solved";
        case FaultKind::JointsApart:
            return "joints_apart";
        case FaultKind::None:
            break;
    }
    return "none";
}

std::string overlap_remedy(const Model& model) {
    if (model.method != Method::Penalty) return "a smaller time.step or more method.iterations";
    return fmt::format("stiffer contacts ({})", stiffness_of(model));
}

std::string fault_message(const Fault& fault, const Model& model) {
    const std::string body = fault.body == ContactRecord::none ? "a body" : body_of(fault.body, model);
    switch (fault.kind) {
        case FaultKind::Overlap:
            if (fault.step <= 1) {
                return fmt::format(
                    "{}{} overlap by {:.3g} of the smaller radius at the start, {}, past method.overlap_limit = {:.3g}. Place them apart{}",
                    body, partner_of(fault, model), fault.value, place_of(fault), model.penalty.overlap_limit,
                    fault.other == ContactRecord::none ? "" : ", or make them one compound");
            }
            return fmt::format(
                "{}{} overlap by {:.3g} of the smaller radius {}, past method.overlap_limit = {:.3g}. Make time.step smaller (it is {:.6g} "
                "s), {}, or start slower and without overlaps",
                body, partner_of(fault, model), fault.value, place_of(fault), model.penalty.overlap_limit, model.dt,
                model.method == Method::Cone ? "raise method.iterations" : fmt::format("raise {}", stiffness_of(model)));
        case FaultKind::NotFinite:
            return fmt::format(
                "the position or velocity of {} is no longer a finite number {}. Make time.step smaller (it is {:.6g} s), or look for "
                "bodies that "
                "start with large overlaps or speeds",
                body, place_of(fault), model.dt);
        case FaultKind::Left:
            if (model.domain.leave == Leave::Remove) {
                return fmt::format(
                    "{}{} left the domain {}. A mechanism cannot lose a body, so the run ends in spite of domain.leave = \"remove\". Widen "
                    "domain.min and domain.max, or close the gap in the walls",
                    body, joint_of(fault, model), place_of(fault));
            }
            return fmt::format(
                "{} left the domain {}. Widen domain.min and domain.max, close the gap in the walls, or set domain.leave = \"remove\"",
                body, place_of(fault));
        case FaultKind::TooFast:
            if (model.method == Method::Penalty) {
                return fmt::format(
                    "{} moves {:.3g} times its thickness (of a sphere: its radius) in one step {}, past 0.5 (a polyhedron: 0.25), from "
                    "where it could pass "
                    "through walls and other "
                    "bodies unseen. Make time.step smaller (it is {:.6g} s), or look for what throws it",
                    body, fault.value, place_of(fault), model.dt);
            }
            return fmt::format(
                "{} moves {:.3g} spacings in one step {}, past 0.5 (a polyhedron: 0.25), from where it could pass through walls. Make "
                "time.step smaller (it is "
                "{:.6g} s)",
                body, fault.value, place_of(fault), model.dt);
        case FaultKind::NotSolved:
            return fmt::format(
                "the solver left a residual of {:.3g} m/s at t = {:.9g} s (step {}), past method.residual_limit{}. Make time.step smaller "
                "(it "
                "is {:.6g} s), raise method.iterations (they are {}), or look for bodies that are pressed between others without a way out",
                fault.value, fault.time, fault.step,
                model.cone.residual_limit > 0 ? fmt::format(" = {:.3g} m/s", model.cone.residual_limit) : "", model.dt,
                model.cone.iterations);
        case FaultKind::JointsApart:
            return fmt::format(
                "joints are apart by {:.3g} of their mechanism's size at t = {:.9g} s (step {}){}: their bodies move further in a step "
                "than can be "
                "put right. Make time.step smaller (it is {:.6g} s), or look for motors and joints that contradict each other",
                fault.value, fault.time, fault.step,
                fault.joint >= 0 && static_cast<std::size_t>(fault.joint) < model.joints.size()
                    ? fmt::format(", \"{}\" most", model.joints[static_cast<std::size_t>(fault.joint)].name)
                    : "",
                model.dt);
        case FaultKind::None:
            break;
    }
    return "the engine stopped without a reason";
}

}  // namespace scree
