// Whether bodies can be placed at all, known before memory is used up.
#include <fmt/format.h>

#include "model/limits.hpp"
#include "setup/placement/placement.hpp"

namespace scree {

namespace {
// The centre and radius of a placement, and a row of BodyTable [bytes].
constexpr double kRow = 4 * sizeof(Vec3) + sizeof(Quat) + 3 * sizeof(double) + 2 * sizeof(std::int32_t);
constexpr double kGigabyte = 1e9;
}  // namespace

bool has_room(double bodies, double available) {
    return bodies * kRow <= available;
}

void require_room(double bodies, double available, const SourcePlace& place) {
    if (bodies > static_cast<double>(count_limits().bodies))
        throw Error(place, past_limit(bodies, count_limits().bodies, "bodies", fewer_bodies));
    if (!has_room(bodies, available))
        throw Error(place,
                    fmt::format("{:.3g} bodies take {:.3g} GB of memory to be placed, and several times that to be simulated, but the "
                                "machine has {:.3g} GB to give now: use fewer bodies, or a machine with more memory",
                                bodies, bodies * kRow / kGigabyte, available / kGigabyte));
}

}  // namespace scree
