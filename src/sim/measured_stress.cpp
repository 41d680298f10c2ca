#include "sim/measured_stress.hpp"

#include <array>
#include <cmath>

namespace scree {

namespace {

/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
using Symmetric = std::array<double, 6>;

void add_product(Symmetric& to, double factor, Vec3 a, Vec3 b) {
    to[0] += factor * a.x * b.x;
    to[1] += factor * a.y * b.y;
    to[2] += factor * a.z * b.z;
    to[3] += 0.5 * factor * (a.x * b.y + a.y * b.x);
    to[4] += 0.5 * factor * (a.x * b.z + a.z * b.x);
    to[5] += 0.5 * factor * (a.y * b.z + a.z * b.y);
}

/// Rows of bodies by id, and of members their compound's.
struct Rows {
    const Snapshot& bodies;
    std::vector<std::size_t> of_id;

    Rows(const Snapshot& snapshot, std::size_t ids) : bodies(snapshot), of_id(ids) {
        for (std::size_t k = 0; k < snapshot.id.size(); ++k) of_id[snapshot.id[k]] = k;
    }
    bool is_member(std::size_t k) const { return !bodies.owner.empty() && bodies.owner[k] >= 0; }
    std::size_t whole(std::size_t k) const { return is_member(k) ? of_id[static_cast<std::size_t>(bodies.owner[k])] : k; }
};

class Sums {
public:
    Sums(const StressRegion& region, const Snapshot& bodies)
        : region_(region), cell_(bodies.cell), rows_(bodies, region.ids), touching_(bodies.id.size()) {
        for (int a = 0; a < region.dimensions; ++a) volume_ *= region.whole ? cell_.length[a] : along(region.box.max - region.box.min, a);
    }

    void add_bodies() {
        const Snapshot& s = rows_.bodies;
        double mass = 0;
        Vec3 momentum, moment;
        each_body([&](std::size_t k) {
            mass += s.mass[k];
            momentum += s.mass[k] * s.velocity[k];
            moment += s.mass[k] * s.position[k];
        });
        if (!(mass > 0)) return;
        const Vec3 mean = momentum / mass, centre = moment / mass;
        each_body([&](std::size_t k) {
            Vec3 v = s.velocity[k] - mean;
            if (cell_.moves) v -= cell_.flow(s.position[k] - centre);
            add_product(stress_, s.mass[k], v, v);
            solid_ += s.mass[k] / region_.density[static_cast<std::size_t>(s.material[k])];
            ++bodies_;
        });
    }

    void add_contacts(const std::vector<ContactRecord>& contacts) {
        for (const ContactRecord& c : contacts) {
            const std::size_t a = rows_.of_id[c.a], whole_a = rows_.whole(a);
            const bool wall = c.wall >= 0;
            const std::size_t b = wall ? a : rows_.of_id[c.b], whole_b = rows_.whole(b);
            ++touching_[whole_a];
            if (!wall) ++touching_[whole_b];
            const Vec3 place = cell_.any() ? c.point + cell_.shift(cell_.home(c.point, 0.0)) : c.point;
            if (!region_.whole && !region_.box.contains(place)) continue;
            const Vec3 way = wall ? way_to(c.point, a) : way_between(a, b);
            add_product(stress_, -1.0, c.force, way);
            add_product(fabric_, 1.0, c.normal, c.normal);
            ++contacts_;
        }
    }

    /// Forces that bodies bear through bonds; they are none of the contacts that are counted.
    void add_bonds(const std::vector<ContactRecord>& bonds) {
        for (const ContactRecord& c : bonds) {
            const Vec3 place = cell_.any() ? c.point + cell_.shift(cell_.home(c.point, 0.0)) : c.point;
            if (!region_.whole && !region_.box.contains(place)) continue;
            const std::size_t a = rows_.of_id[c.a];
            add_product(stress_, -1.0, c.force, c.wall >= 0 ? way_to(c.point, a) : way_between(a, rows_.of_id[c.b]));
        }
    }

    std::vector<std::optional<double>> values() const {
        const bool planar = region_.dimensions == 2;
        std::vector<std::optional<double>> row;
        const auto push = [&](const Symmetric& t, double divisor) {
            for (const std::size_t k : planar ? std::vector<std::size_t>{0, 1, 3} : std::vector<std::size_t>{0, 1, 2, 3, 4, 5})
                row.emplace_back(divisor > 0 ? std::optional(t[k] / divisor) : std::nullopt);
        };
        const double trace = stress_[0] + stress_[1] + (planar ? 0.0 : stress_[2]);
        row.emplace_back(trace / (region_.dimensions * volume_));
        push(stress_, volume_);
        row.emplace_back(solid_ / volume_);
        double ends = 0, none = 0, one = 0;  // of contacts at bodies; bodies with none, with one
        each_body([&](std::size_t k) {
            ends += touching_[k];
            none += touching_[k] == 0 ? 1 : 0;
            one += touching_[k] == 1 ? 1 : 0;
        });
        row.emplace_back(bodies_ > 0 ? std::optional(ends / bodies_) : std::nullopt);
        row.emplace_back(bodies_ - none - one > 0 ? std::optional((ends - one) / (bodies_ - none - one)) : std::nullopt);
        push(fabric_, contacts_);
        return row;
    }

private:
    /// From collider to collider by the nearest image, then on to what carries them.
    /// From the centre of what moves body k to a point on a wall.
    Vec3 way_to(Vec3 point, std::size_t k) const {
        const Snapshot& s = rows_.bodies;
        return cell_.nearest(point - s.position[k]) + cell_.nearest(s.position[k] - s.position[rows_.whole(k)]);
    }
    Vec3 way_between(std::size_t a, std::size_t b) const {
        const Snapshot& s = rows_.bodies;
        return cell_.nearest(s.position[b] - s.position[a]) + cell_.nearest(s.position[a] - s.position[rows_.whole(a)]) -
               cell_.nearest(s.position[b] - s.position[rows_.whole(b)]);
    }
    /// use(row) for bodies in the region, compounds as one.
    template <class Use>
    void each_body(Use use) const {
        for (std::size_t k = 0; k < rows_.bodies.id.size(); ++k) {
            if (!rows_.is_member(k) && (region_.whole || region_.box.contains(rows_.bodies.position[k]))) use(k);
        }
    }

    const StressRegion& region_;
    const Cell& cell_;
    Rows rows_;
    std::vector<int> touching_;  // contacts of each row
    Symmetric stress_{}, fabric_{};
    double volume_{1};  // [m3]; in two dimensions of a thickness of 1 m
    double solid_{0}, bodies_{0}, contacts_{0};
};

}  // namespace

const std::vector<std::string>& stress_columns(int dimensions) {
    static const std::vector<std::string> flat{"pressure",     "xx",         "yy",        "xy",        "solid_fraction",
                                               "coordination", "mechanical", "fabric_xx", "fabric_yy", "fabric_xy"};
    static const std::vector<std::string> solid{
        "pressure",     "xx",         "yy",        "zz",        "xy",        "xz",        "yz",        "solid_fraction",
        "coordination", "mechanical", "fabric_xx", "fabric_yy", "fabric_zz", "fabric_xy", "fabric_xz", "fabric_yz"};
    return dimensions == 2 ? flat : solid;
}

StressRegion stress_region(const Model& model, const std::optional<Aabb>& box) {
    StressRegion region;
    region.whole = !box;
    region.dimensions = model.dimensions;
    region.ids = model.bodies.size();
    for (const Material& material : model.materials) region.density.push_back(material.density);
    if (box) region.box = *box;
    return region;
}

std::vector<std::optional<double>> stress_values(const StressRegion& region, const Snapshot& bodies,
                                                 const std::vector<ContactRecord>& contacts, const std::vector<ContactRecord>& bonds) {
    Sums sums(region, bodies);
    sums.add_bodies();
    sums.add_contacts(contacts);
    sums.add_bonds(bonds);
    return sums.values();
}

}  // namespace scree
