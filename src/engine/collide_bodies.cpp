// Contacts of bodies of any shape: bounding spheres first, by any of the methods, then the narrow phase of the cone method on each pair.
#include <array>
#include <chrono>
#include <cmath>

#include "base/mat3.hpp"
#include "engine/collide.hpp"
#include "engine/narrow/points_convex.hpp"
#include "engine/narrow/points_sphere.hpp"
#include "model/convex_view.hpp"

namespace scree {
namespace {

/// Corners and planes of one shape as the narrow phase reads them, padded to whole vectors of eight with copies of the last one.
class ShapeTables {
public:
    explicit ShapeTables(const ConvexShape& s) {
        for (const Vec3 v : s.vertex) put({&x_, &y_, &z_}, v);
        for (const Vec3 n : s.normal) put({&nx_, &ny_, &nz_}, n);
        h_ = s.offset;
        for (std::vector<double>* list : {&x_, &y_, &z_, &nx_, &ny_, &nz_, &h_}) {
            while (!list->empty() && list->size() % 8 != 0) list->push_back(list->back());
        }
        face_start_ = s.face_start;
        face_vertex_ = s.face_vertex;
        for (const auto& e : s.edge) edge_.insert(edge_.end(), e.begin(), e.end());
        for (const auto& e : s.edge_face) edge_face_.insert(edge_face_.end(), e.begin(), e.end());
        view_ = {x_.data(),
                 y_.data(),
                 z_.data(),
                 nx_.data(),
                 ny_.data(),
                 nz_.data(),
                 h_.data(),
                 face_start_.data(),
                 face_vertex_.data(),
                 edge_.data(),
                 edge_face_.data(),
                 static_cast<std::int32_t>(s.vertex.size()),
                 static_cast<std::int32_t>(s.faces()),
                 static_cast<std::int32_t>(s.edge.size()),
                 s.box_min,
                 s.box_max};
    }
    ShapeTables(ShapeTables&&) = default;  // the arrays stay where they are
    const ConvexView<double>& view() const { return view_; }

private:
    static void put(const std::array<std::vector<double>*, 3>& lists, Vec3 v) {
        lists[0]->push_back(v.x);
        lists[1]->push_back(v.y);
        lists[2]->push_back(v.z);
    }
    std::vector<double> x_, y_, z_, nx_, ny_, nz_, h_;
    std::vector<std::int32_t> face_start_, face_vertex_, edge_, edge_face_;
    ConvexView<double> view_{};
};

/// The bodies that have a surface, in the order of ids.
struct Colliders {
    std::vector<std::size_t> body;  // place in the snapshot
    std::vector<double> x, y, z, r;
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

}  // namespace

struct BodyContacts::Parts {
    Parts(const Snapshot& snapshot, const std::vector<ConvexShape>& shapes) : bodies(snapshot) {
        std::vector<bool> compound;
        for (const ConvexShape& s : shapes) {
            tables.emplace_back(s);
            compound.push_back(s.compound());
        }
        for (std::size_t i = 0; i < bodies.id.size(); ++i) {
            if (shape_of(i) >= 0 && compound[static_cast<std::size_t>(shape_of(i))]) continue;
            colliders.body.push_back(i);
            colliders.x.push_back(bodies.position[i].x);
            colliders.y.push_back(bodies.position[i].y);
            colliders.z.push_back(bodies.position[i].z);
            colliders.r.push_back(bodies.radius[i]);
        }
    }

    std::int32_t shape_of(std::size_t i) const { return bodies.shape.empty() ? -1 : bodies.shape[i]; }
    std::int32_t owner_of(std::size_t i) const { return bodies.owner.empty() ? -1 : bodies.owner[i]; }

    /// Whether two colliders touch, and how. k < l.
    bool touch(std::uint32_t k, std::uint32_t l, Contact& contact) const {
        const std::size_t i = colliders.body[k], j = colliders.body[l];
        const std::int32_t carrier = owner_of(i);
        if (carrier >= 0 && carrier == owner_of(j)) return false;
        if (shape_of(i) < 0 && shape_of(j) < 0) {
            contact = contact_of(colliders.view(), k, l);
        } else if (!polyhedra_touch(i, j, contact)) {
            return false;
        }
        contact.a = bodies.id[i];
        contact.b = bodies.id[j];
        return true;
    }

    /// Relative to an origin near the pair.
    PlacedConvex<double> placed(std::size_t i, Vec3 origin) const {
        return {tables[static_cast<std::size_t>(shape_of(i))].view(), bodies.position[i] - origin, rotation_matrix(bodies.orientation[i]),
                bodies.radius[i]};
    }

    bool polyhedra_touch(std::size_t i, std::size_t j, Contact& contact) const {
        constexpr int capacity = static_cast<int>(kMostFacesAndCorners);
        const Vec3 origin = bodies.position[i];
        ContactPoints<double> points;
        bool turned = false;  // the sphere comes second in convex_sphere_points
        if (shape_of(i) >= 0 && shape_of(j) >= 0) {
            points = convex_points<capacity>(placed(i, origin), placed(j, origin), 0.0);
        } else if (shape_of(i) >= 0) {
            points = convex_sphere_points(placed(i, origin), bodies.position[j] - origin, bodies.radius[j], 0.0);
        } else {
            points = convex_sphere_points(placed(j, origin), Vec3{0, 0, 0}, bodies.radius[i], 0.0);
            turned = true;
        }
        int deepest = 0;
        for (int p = 1; p < points.count; ++p) deepest = points.gap[p] < points.gap[deepest] ? p : deepest;
        if (points.count == 0) return false;
        // A point lies midway between the surfaces.
        const Vec3 n = turned ? -points.normal[deepest] : points.normal[deepest];
        const Vec3 middle = origin + points.point[deepest], half = 0.5 * points.gap[deepest] * n;
        contact.point_a = middle - half;
        contact.point_b = middle + half;
        contact.normal = n;
        contact.distance = points.gap[deepest];
        return true;
    }

    const Snapshot& bodies;
    std::vector<ShapeTables> tables;
    Colliders colliders;
};

BodyContacts::BodyContacts(const Snapshot& bodies, const std::vector<ConvexShape>& shapes)
    : parts_(std::make_unique<const Parts>(bodies, shapes)) {
}

BodyContacts::~BodyContacts() = default;

CollideReport BodyContacts::find(const CollideSettings& settings, const Devices& devices, Precision precision,
                                 const TakePairs& take) const {
    std::int64_t contacts = 0, touching = 0;
    std::vector<std::uint32_t> first, second;
    double seconds = 0;
    CollideReport report = collide(parts_->colliders.view(), settings, devices, precision,
                                   [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
                                       const auto start = std::chrono::steady_clock::now();
                                       first.clear();
                                       second.clear();
                                       Contact contact;
                                       for (std::int64_t k = 0; k < count; ++k) {
                                           if (!parts_->touch(a[k], b[k], contact)) continue;
                                           first.push_back(a[k]);
                                           second.push_back(b[k]);
                                           touching += contact.distance == 0 ? 1 : 0;
                                       }
                                       contacts += static_cast<std::int64_t>(first.size());
                                       if (take) take(first.data(), second.data(), static_cast<std::int64_t>(first.size()));
                                       seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                                   });
    report.contacts = contacts;
    report.touching = touching;
    report.stages.push_back({"surfaces", seconds, 1});
    return report;
}

Contact BodyContacts::contact(std::uint32_t a, std::uint32_t b) const {
    Contact contact;
    parts_->touch(a, b, contact);
    return contact;
}

}  // namespace scree
