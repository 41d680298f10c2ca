// Regions: a sphere of radius r is inside where its centre is inside the region shrunk by r.
#include "setup/placement/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

constexpr double kPi = 3.14159265358979324;
/// A sphere may stick out by this share of the region's size, so that one that fits exactly is not refused for rounding.
constexpr double kSlack = 1e-12;

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

double PlaceRegion::volume() const {
    if (kind_ == Kind::Cylinder) return kPi * radius_ * radius_ * length_;
    if (kind_ == Kind::Sphere && planar_) return kPi * radius_ * radius_;
    if (kind_ == Kind::Sphere) return 4.0 / 3.0 * kPi * radius_ * radius_ * radius_;
    const Vec3 size = box_.max - box_.min;
    return planar_ ? size.x * size.y : size.x * size.y * size.z;
}

Aabb PlaceRegion::bounds() const {
    if (kind_ == Kind::Box) return box_;
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
    const double slack = kSlack * size_of(bounds());
    if (kind_ == Kind::Box) {
        Aabb room = grown(box_, slack - r);
        if (planar_) room.min.z = room.max.z = p.z;
        return room.contains(p);
    }
    const Vec3 d = p - centre_;
    if (kind_ == Kind::Sphere) return norm(d) + r <= radius_ + slack;
    const double s = dot(d, axis_);
    return s >= r - slack && s <= length_ - r + slack && norm(d - s * axis_) + r <= radius_ + slack;
}

double PlaceRegion::inradius() const {
    if (kind_ == Kind::Sphere) return radius_;
    if (kind_ == Kind::Cylinder) return std::min(radius_, 0.5 * length_);
    const Vec3 size = box_.max - box_.min;
    return 0.5 * (planar_ ? std::min(size.x, size.y) : std::min({size.x, size.y, size.z}));
}

Vec3 PlaceRegion::random_centre(Rng& rng, double r) const {
    if (kind_ == Kind::Box) {
        const double x = rng.uniform(box_.min.x + r, box_.max.x - r);
        const double y = rng.uniform(box_.min.y + r, box_.max.y - r);
        if (planar_) return {x, y, 0};
        return {x, y, rng.uniform(box_.min.z + r, box_.max.z - r)};
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
        const auto clamp = [r](double x, double low, double high) { return std::min(std::max(x, low + r), high - r); };
        const double z = planar_ ? 0.0 : clamp(p.z, box_.min.z, box_.max.z);
        return {clamp(p.x, box_.min.x, box_.max.x), clamp(p.y, box_.min.y, box_.max.y), z};
    }
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

}  // namespace scree
