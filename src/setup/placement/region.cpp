// Regions: a sphere of radius r is inside where its centre is inside the region shrunk by r.
#include "setup/placement/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "setup/meshes/mesh_depth.hpp"

namespace scree {

namespace {

constexpr double kPi = 3.14159265358979324;
/// A sphere may stick out by this share of the region's size, so that one that fits exactly is not refused for rounding.
constexpr double kSlack = 1e-12;
constexpr int kDraws = 10000;  // that may miss a mesh

bool positive(double x) {
    return std::isfinite(x) && x > 0.0;
}

double size_of(const Aabb& box) {
    return norm(box.max - box.min) + norm(box.max) + norm(box.min);
}

}  // namespace

std::optional<PlaceRegion> PlaceRegion::of(const ScenePlacement& placement, const SourcePlace& place, bool planar) {
    if (placement.region.empty()) return std::nullopt;
    PlaceRegion region;
    region.planar_ = planar;
    region.radius_ = placement.radius;
    region.centre_ = placement.centre;
    if (placement.region == "box") {
        region.kind_ = Kind::Box;
        region.box_ = {placement.box_min, placement.box_max};
        const Vec3 size = placement.box_max - placement.box_min;
        if (!positive(size.x) || !positive(size.y) || !(planar || positive(size.z)))
            throw Error(place, "the box's max must be above its min in every direction");
    } else if (placement.region == "cylinder") {
        region.kind_ = Kind::Cylinder;
        region.length_ = placement.length;
        if (!positive(norm(placement.axis))) throw Error(place, "the cylinder's axis has no direction");
        if (!positive(placement.radius) || !positive(placement.length))
            throw Error(place, fmt::format("the cylinder's radius {} and length {} must be positive", placement.radius, placement.length));
        region.axis_ = normalized(placement.axis);
        const Vec3 a = region.axis_;
        const Vec3 aside = std::fabs(a.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        region.across_[0] = normalized(cross(a, aside));
        region.across_[1] = cross(a, region.across_[0]);
    } else if (placement.region == (planar ? "circle" : "sphere")) {
        region.kind_ = Kind::Sphere;
        if (!positive(placement.radius)) throw Error(place, fmt::format("the region's radius {} must be positive", placement.radius));
    } else {
        throw Error(place, fmt::format("unknown region \"{}\": use box, cylinder, sphere or circle", placement.region));
    }
    return region;
}

PlaceRegion PlaceRegion::of(const MeshDepth& mesh, double share) {
    PlaceRegion region;
    region.kind_ = Kind::Mesh;
    region.mesh_ = &mesh;
    region.share_ = share;
    return region;
}

void PlaceRegion::repeat(const Cell& cell) {
    if (kind_ != Kind::Box) return;
    const double low[3] = {box_.min.x, box_.min.y, box_.min.z}, high[3] = {box_.max.x, box_.max.y, box_.max.z};
    for (int a = 0; a < 3; ++a) {
        const double rounding = 1e-9 * cell.length[a];
        if (cell.periodic[a] && std::fabs(low[a] - cell.low[a]) < rounding && std::fabs(high[a] - cell.low[a] - cell.length[a]) < rounding)
            period_[a] = cell.length[a];
    }
}

std::vector<Vec3> PlaceRegion::images(Vec3 p, double distance) const {
    std::vector<Vec3> ways;
    if (period_[0] == 0 && period_[1] == 0 && period_[2] == 0) return ways;
    const Aabb around = grown(box_, distance);
    for (int k = 0; k < 27; ++k) {
        const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
        const auto none = [](int step, double period) { return step != 0 && period == 0; };
        if (k == 13 || none(x, period_[0]) || none(y, period_[1]) || none(z, period_[2])) continue;
        const Vec3 way{x * period_[0], y * period_[1], z * period_[2]};
        const Vec3 there = p + way;
        const auto near = [](double x, double low, double high, double period) { return period == 0 || (x >= low && x <= high); };
        if (near(there.x, around.min.x, around.max.x, period_[0]) && near(there.y, around.min.y, around.max.y, period_[1]) &&
            near(there.z, around.min.z, around.max.z, period_[2]))
            ways.push_back(way);
    }
    return ways;
}

Vec3 PlaceRegion::home(Vec3 p) const {
    const auto in = [](double x, double low, double period) { return period > 0 ? x - period * std::floor((x - low) / period) : x; };
    return {in(p.x, box_.min.x, period_[0]), in(p.y, box_.min.y, period_[1]), in(p.z, box_.min.z, period_[2])};
}

double PlaceRegion::volume() const {
    if (kind_ == Kind::Cylinder) return kPi * radius_ * radius_ * length_;
    if (kind_ == Kind::Sphere && planar_) return kPi * radius_ * radius_;
    if (kind_ == Kind::Sphere) return 4.0 / 3.0 * kPi * radius_ * radius_ * radius_;
    const Vec3 size = box_.max - box_.min;
    return planar_ ? size.x * size.y : size.x * size.y * size.z;
}

Aabb PlaceRegion::bounds() const {
    if (kind_ == Kind::Box) return box_;
    if (kind_ == Kind::Mesh) return mesh_->bounds();
    if (kind_ == Kind::Sphere && planar_) return {centre_ - Vec3{radius_, radius_, 0}, centre_ + Vec3{radius_, radius_, 0}};
    if (kind_ == Kind::Sphere) return grown({centre_, centre_}, radius_);
    // A disk of normal a reaches R sqrt(1 - a_x^2) along x.
    const auto reach = [this](double a) { return radius_ * std::sqrt(std::max(0.0, 1.0 - a * a)); };
    const Vec3 disk{reach(axis_.x), reach(axis_.y), reach(axis_.z)};
    Aabb box;
    for (const Vec3 end : {centre_, centre_ + length_ * axis_}) {
        box.include(end - disk);
        box.include(end + disk);
    }
    return box;
}

bool PlaceRegion::holds(Vec3 p, double r) const {
    if (kind_ == Kind::Mesh) return mesh_->is_deep(p, share_ * r);
    const double slack = kSlack * size_of(bounds());
    if (kind_ == Kind::Box) {
        Aabb room = grown(box_, slack - r);
        if (period_[0] > 0) room.min.x = room.max.x = p.x;
        if (period_[1] > 0) room.min.y = room.max.y = p.y;
        if (period_[2] > 0) room.min.z = room.max.z = p.z;
        if (planar_) room.min.z = room.max.z = p.z;
        return room.contains(p);
    }
    const Vec3 d = p - centre_;
    if (kind_ == Kind::Sphere) return norm(d) + r <= radius_ + slack;
    const double s = dot(d, axis_);
    return s >= r - slack && s <= length_ - r + slack && norm(d - s * axis_) + r <= radius_ + slack;
}

double PlaceRegion::inradius() const {
    if (kind_ == Kind::Mesh) return mesh_->most() / share_;
    if (kind_ == Kind::Sphere) return radius_;
    if (kind_ == Kind::Cylinder) return std::min(radius_, 0.5 * length_);
    const Vec3 size = box_.max - box_.min;
    return 0.5 * (planar_ ? std::min(size.x, size.y) : std::min({size.x, size.y, size.z}));
}

Vec3 PlaceRegion::random_centre(Rng& rng, double r) const {
    if (kind_ == Kind::Box) {
        const auto along = [&](double low, double high, double period) {
            const double margin = period > 0 ? 0.0 : r;
            return rng.uniform(low + margin, high - margin);
        };
        const double x = along(box_.min.x, box_.max.x, period_[0]);
        const double y = along(box_.min.y, box_.max.y, period_[1]);
        if (planar_) return {x, y, 0};
        return {x, y, along(box_.min.z, box_.max.z, period_[2])};
    }
    if (kind_ == Kind::Mesh) {
        const Aabb box = mesh_->bounds();
        for (int k = 0; k < kDraws; ++k) {
            const double x = rng.uniform(box.min.x, box.max.x), y = rng.uniform(box.min.y, box.max.y);
            const Vec3 p{x, y, rng.uniform(box.min.z, box.max.z)};
            if (holds(p, r)) return p;
        }
        return mesh_->deepest();
    }
    for (;;) {  // rejection: 78 % (disk) or 52 % (ball) of the draws are taken
        const double u = rng.uniform(-1.0, 1.0), v = rng.uniform(-1.0, 1.0), w = planar_ ? 0.0 : rng.uniform(-1.0, 1.0);
        const double depth = kind_ == Kind::Sphere ? w * w : 0.0;
        if (u * u + v * v + depth > 1.0) continue;
        if (kind_ == Kind::Sphere) return centre_ + (radius_ - r) * Vec3{u, v, w};
        const double s = 0.5 * length_ + w * (0.5 * length_ - r);
        return centre_ + s * axis_ + (radius_ - r) * (u * across_[0] + v * across_[1]);
    }
}

Vec3 PlaceRegion::nearest_centre(Vec3 p, double r) const {
    if (kind_ == Kind::Box) {
        const auto clamp = [r](double x, double low, double high, double period) {
            return period > 0 ? x : std::min(std::max(x, low + r), high - r);
        };
        const double z = planar_ ? 0.0 : clamp(p.z, box_.min.z, box_.max.z, period_[2]);
        return {clamp(p.x, box_.min.x, box_.max.x, period_[0]), clamp(p.y, box_.min.y, box_.max.y, period_[1]), z};
    }
    if (kind_ == Kind::Mesh) return mesh_->moved_inwards(p, share_ * r);
    Vec3 d = p - centre_;
    double s = 0.0;
    if (kind_ == Kind::Cylinder) {
        s = dot(d, axis_);
        d -= s * axis_;
        s = std::min(std::max(s, r), length_ - r);
    }
    const double distance = norm(d), most = radius_ - r;
    if (distance > most) d *= most / distance;
    return centre_ + s * axis_ + d;
}

Region looked_at(const ScenePlacement& given, bool planar) {
    Region region;
    const std::string& kind = given.region;
    region.kind = kind == "box"        ? Region::Kind::Box
                  : kind == "cylinder" ? Region::Kind::Cylinder
                  : kind == "plane"    ? Region::Kind::HalfSpace
                                       : Region::Kind::Sphere;
    region.box = {given.box_min, given.box_max};
    if (planar) {
        region.box.min.z = -std::numeric_limits<double>::infinity();
        region.box.max.z = std::numeric_limits<double>::infinity();
    }
    region.point = given.centre;
    region.axis = normalized(given.axis);
    region.radius = given.radius;
    region.length = given.length;
    return region;
}

}  // namespace scree
