// The bodies' operator written out as blocks: row k, column l: sum over bodies that both touch of s_k s_l (1/m - [arm_k] I^-1 [arm_l]),
// with s = -1 where the body is A and 1 where it is B. For small problems: O(sum over bodies of contacts squared), on the host.
#include <algorithm>
#include <array>
#include <map>

#include "base/mat3.hpp"
#include "engine/cone/body_operator.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

using Block = std::array<double, 9>;

Vec3 inertia_times(const BodyMass& m, Vec3 t) {
    const Real* I = m.inverse_inertia;
    return {I[0] * t.x + I[3] * t.y + I[4] * t.z, I[3] * t.x + I[1] * t.y + I[5] * t.z, I[4] * t.x + I[5] * t.y + I[2] * t.z};
}

/// Adds what an impulse at arm l does to the velocity at arm k of one body.
void add_block(const BodyMass& m, Vec3 arm_k, Vec3 arm_l, double sign, Block& block) {
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t c = 0; c < 3; ++c) {
        const Vec3 u = static_cast<double>(m.inverse_mass) * unit[c] + cross(inertia_times(m, cross(arm_l, unit[c])), arm_k);
        block[c] += sign * u.x;
        block[3 + c] += sign * u.y;
        block[6 + c] += sign * u.z;
    }
}

}  // namespace

bool BodyOperator::explicit_form(ExplicitProblem& out) {
    if (table_.rolling || joined_ || buffers_.bonds.count > 0) return false;
    const std::vector<Index> start = table_.row_start.host();
    const std::vector<std::uint32_t> entry = table_.entry.host();
    const std::vector<Arms> arms = table_.arms.host();
    const std::vector<BodyMass> mass = buffers_.mass.host();
    const auto rows = static_cast<std::size_t>(table_.count);
    std::vector<std::map<std::int32_t, Block>> blocks(rows);
    const auto arm_of = [&](std::uint32_t e) { return cast<double>((e & 1u) != 0 ? arms[e >> 1].b : arms[e >> 1].a); };
    for (std::size_t i = 0; i + 1 < start.size(); ++i) {
        for (auto k = static_cast<std::size_t>(start[i]); k < static_cast<std::size_t>(start[i + 1]); ++k) {
            for (auto l = static_cast<std::size_t>(start[i]); l < static_cast<std::size_t>(start[i + 1]); ++l) {
                const double sign = (entry[k] & 1u) == (entry[l] & 1u) ? 1.0 : -1.0;
                Block& block = blocks[entry[k] >> 1].try_emplace(static_cast<std::int32_t>(entry[l] >> 1), Block{}).first->second;
                add_block(mass[i], arm_of(entry[k]), arm_of(entry[l]), sign, block);
            }
        }
    }
    out = {};
    out.matrix.row_start.push_back(0);
    for (const auto& row : blocks) {
        for (const auto& [column, block] : row) {
            out.matrix.column.push_back(column);
            out.matrix.values.push_back(block);
        }
        out.matrix.row_start.push_back(static_cast<std::int64_t>(out.matrix.column.size()));
    }
    // r: the velocities without impulses.
    Unknowns zero, r;
    shape(zero);
    shape(r);
    const bool shifted = shifted_;
    shifted_ = false;
    apply(zero, r, true);
    shifted_ = shifted;
    for (const Vec3R& v : r.impulse.host()) out.r.push_back(cast<double>(v));
    for (const Vec3R& n : table_.normal.host()) out.normal.push_back(cast<double>(n));
    for (const Real mu : table_.mu.host()) out.mu.push_back(static_cast<double>(mu));
    return true;
}

}  // namespace scree::SCREE_FLAVOR
