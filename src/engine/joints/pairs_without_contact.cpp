// Which bodies joints keep from touching each other.
#include <algorithm>

#include "engine/joints/joint_system.hpp"
#include "engine/joints/joints.hpp"

namespace scree {

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

Pair ordered(std::int32_t a, std::int32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

/// Pairs of joined bodies that do not collide.
std::vector<Pair> joined(const Model& model) {
    std::vector<Pair> pairs;
    for (const Joint& joint : model.joints) {
        if (joint.collide) continue;
        if (coupling_kind(joint.kind) == nullptr) {
            if (joint.a >= 0 && joint.b >= 0) pairs.push_back(ordered(joint.a, joint.b));
            continue;
        }
        const Joint& first = model.joints[static_cast<std::size_t>(joint.first)];
        const Joint& second = model.joints[static_cast<std::size_t>(joint.second)];
        const auto of = [](const Joint& j, std::int32_t body) { return body == j.a || body == j.b; };
        for (std::int32_t a : {first.a, first.b}) {
            for (std::int32_t b : {second.a, second.b}) {
                if (a >= 0 && b >= 0 && !of(second, a) && !of(first, b)) pairs.push_back(ordered(a, b));
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace

bool joined_without_contact(const Model& model, std::int32_t a, std::int32_t b) {
    if (a < 0 || b < 0) return false;
    const auto body_of = [&](std::int32_t id) {
        const std::int32_t owner = model.bodies.owner_of(static_cast<std::size_t>(id));
        return owner == BodyTable::no_owner ? id : owner;
    };
    const std::vector<Pair> pairs = joined(model);
    return std::binary_search(pairs.begin(), pairs.end(), ordered(body_of(a), body_of(b)));
}

std::vector<Pair> pairs_without_contact(const Model& model) {
    std::vector<Pair> member;  // owner, member
    for (std::size_t i = 0; i < model.bodies.owner.size(); ++i) {
        if (model.bodies.owner[i] >= 0) member.emplace_back(model.bodies.owner[i], static_cast<std::int32_t>(i));
    }
    std::sort(member.begin(), member.end());
    const auto colliders = [&](std::int32_t body) {
        std::vector<std::int32_t> ids;
        const std::int32_t shape = model.bodies.shape[static_cast<std::size_t>(body)];
        if (shape < 0 || !model.shapes[static_cast<std::size_t>(shape)].compound()) ids.push_back(body);
        for (auto at = std::lower_bound(member.begin(), member.end(), Pair{body, 0}); at != member.end() && at->first == body; ++at) {
            ids.push_back(at->second);
        }
        return ids;
    };
    std::vector<Pair> pairs;
    for (const Pair& bodies : joined(model)) {
        for (std::int32_t a : colliders(bodies.first)) {
            for (std::int32_t b : colliders(bodies.second)) pairs.push_back(ordered(a, b));
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace scree
