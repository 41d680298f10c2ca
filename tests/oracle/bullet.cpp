// Contacts among random spheres against Bullet's collision detection, as in Table 2 of Chrono's paper on collision detection on GPUs:
// number of contacts, and mean and standard deviation of the differences in distance, normal and points. Arguments: --spheres N (default
// 200000),
// --tables (1 to 5 million, one row each). Out: the table; exit 1 where contacts are missing or more than rounding differs.
// Coordinates and radii are numbers of single precision, so that Bullet reads the same spheres whichever precision it was built with.
// Contacts are pairs with distance below 0; those within 1e-6 of touching may be in one list and not in the other.
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "base/vec3.hpp"
#include "engine/collide.hpp"

using namespace scree;

namespace {

constexpr double near_touching = 1e-6;  // [m], of radii about 1 m

struct Spheres {
    std::vector<double> x, y, z, r;
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

double single(double value) {
    return static_cast<double>(static_cast<float>(value));
}

/// Spheres of 0.3 to 1 m, half a contact each; of every hundred one inside its forerunner, one just touching it, one at its centre.
Spheres scattered(std::int64_t n) {
    Spheres s;
    Rng rng(2012, static_cast<std::uint64_t>(n));
    const double side = std::cbrt(9.5 * static_cast<double>(n));
    for (std::int64_t k = 0; k < n; ++k) {
        Vec3 c{rng.uniform(0, side), rng.uniform(0, side), 0};
        c.z = rng.uniform(0, side);
        double r = rng.uniform(0.3, 1);
        if (k % 100 == 1) {
            c = {s.x.back() + 0.1 * s.r.back(), s.y.back(), s.z.back()};
            r = 0.3 * s.r.back();
        } else if (k % 100 == 3) {
            c = {s.x.back(), s.y.back() + s.r.back() + r, s.z.back()};
        } else if (k % 100 == 5) {
            c = {s.x.back(), s.y.back(), s.z.back()};
        }
        s.x.push_back(single(c.x));
        s.y.push_back(single(c.y));
        s.z.push_back(single(c.z));
        s.r.push_back(single(r));
    }
    return s;
}

struct Contact {
    std::uint32_t a, b;
    double distance;
    Vec3 normal, point;  // from a to b; on a
};

bool by_ids(const Contact& p, const Contact& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
}

std::vector<Contact> ours(const Spheres& spheres) {
    const SphereView s = spheres.view();
    std::vector<Contact> found;
    collide(s, {}, Device::Auto, Precision::Double, [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k) {
            const Vec3 ca{s.x[a[k]], s.y[a[k]], s.z[a[k]]}, cb{s.x[b[k]], s.y[b[k]], s.z[b[k]]};
            const double length = norm(cb - ca);
            const Vec3 normal = length > 0 ? (cb - ca) / length : Vec3{1, 0, 0};
            found.push_back({a[k], b[k], length - s.r[a[k]] - s.r[b[k]], normal, ca + s.r[a[k]] * normal});
        }
    });
    std::sort(found.begin(), found.end(), by_ids);
    return found;
}

Vec3 vector_of(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

std::vector<Contact> bullets(const Spheres& spheres) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    const std::size_t n = spheres.x.size();
    std::vector<std::unique_ptr<btSphereShape>> shapes(n);
    std::vector<std::unique_ptr<btCollisionObject>> objects(n);
    for (std::size_t i = 0; i < n; ++i) {
        shapes[i] = std::make_unique<btSphereShape>(static_cast<btScalar>(spheres.r[i]));
        objects[i] = std::make_unique<btCollisionObject>();
        objects[i]->setCollisionShape(shapes[i].get());
        objects[i]->getWorldTransform().setIdentity();
        objects[i]->getWorldTransform().setOrigin(
            btVector3(static_cast<btScalar>(spheres.x[i]), static_cast<btScalar>(spheres.y[i]), static_cast<btScalar>(spheres.z[i])));
        objects[i]->setUserIndex(static_cast<int>(i));
        world.addCollisionObject(objects[i].get());
    }
    world.performDiscreteCollisionDetection();
    std::vector<Contact> found;
    for (int k = 0; k < dispatcher.getNumManifolds(); ++k) {
        const btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(k);
        if (manifold->getNumContacts() == 0) continue;
        const btManifoldPoint& point = manifold->getContactPoint(0);
        const auto first = static_cast<std::uint32_t>(manifold->getBody0()->getUserIndex());
        const auto second = static_cast<std::uint32_t>(manifold->getBody1()->getUserIndex());
        // Bullet's normal points from its second body to its first.
        const Vec3 normal = vector_of(point.m_normalWorldOnB);
        const auto distance = static_cast<double>(point.getDistance());
        if (first < second) {
            found.push_back({first, second, distance, -normal, vector_of(point.getPositionWorldOnA())});
        } else {
            found.push_back({second, first, distance, normal, vector_of(point.getPositionWorldOnB())});
        }
    }
    for (const auto& object : objects) world.removeCollisionObject(object.get());
    std::sort(found.begin(), found.end(), by_ids);
    return found;
}

/// Mean and standard deviation of differences.
struct Spread {
    double sum{0}, squares{0}, most{0};
    long count{0};
    void add(double value) {
        sum += value;
        squares += value * value;
        most = std::max(most, value);
        ++count;
    }
    double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
    double deviation() const { return count > 0 ? std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean() * mean())) : 0; }
};

long count_below_zero(const std::vector<Contact>& contacts) {
    return std::count_if(contacts.begin(), contacts.end(), [](const Contact& c) { return c.distance < 0; });
}

/// One row of the table; false where it fails.
bool compare(std::int64_t n) {
    const Spheres spheres = scattered(n);
    const std::vector<Contact> mine = ours(spheres), theirs = bullets(spheres);
    Spread distance, normal, point;
    long only_one = 0, missing = 0;
    const auto alone = [&](const Contact& c) { ++(std::fabs(c.distance) < near_touching ? only_one : missing); };
    // Bullet also lists pairs a little apart: they are no contacts.
    const auto listed = [](const Contact& c) { return c.distance < near_touching; };
    auto p = mine.begin();
    auto q = theirs.begin();
    while (p != mine.end() || q != theirs.end()) {
        if (q != theirs.end() && !listed(*q)) {
            ++q;
        } else if (q == theirs.end() || (p != mine.end() && by_ids(*p, *q))) {
            alone(*p++);
        } else if (p == mine.end() || by_ids(*q, *p)) {
            alone(*q++);
        } else {
            distance.add(std::fabs(p->distance - q->distance));
            // Equal centres have no direction: any unit normal is right, and the point goes with it.
            const Vec3 apart{spheres.x[p->b] - spheres.x[p->a], spheres.y[p->b] - spheres.y[p->a], spheres.z[p->b] - spheres.z[p->a]};
            if (norm2(apart) > 0) {
                normal.add(norm(p->normal - q->normal));
                point.add(norm(p->point - q->point));
            }
            ++p;
            ++q;
        }
    }
    const long bullet_count = count_below_zero(theirs), our_count = count_below_zero(mine);
    std::printf("%8.1f %10ld %10ld %6ld %10.2e %9.2e %10.2e %9.2e %10.2e %9.2e\n", 1e-6 * static_cast<double>(n), our_count, bullet_count,
                only_one, distance.mean(), distance.deviation(), normal.mean(), normal.deviation(), point.mean(), point.deviation());
    std::fflush(stdout);
    // Rounding of Bullet: with single precision 6e-8 of coordinates up to `side`; normals a part in 10^6 of contacts whose centres are 0.03
    // m apart or more.
    const double side = std::cbrt(9.5 * static_cast<double>(n));
    const double rounding = sizeof(btScalar) == 4 ? 6e-8 * side : 1e-14 * side;
    const bool close = distance.most < 20 * rounding && point.most < 40 * rounding && normal.most < 1000 * rounding;
    if (missing > 0) std::printf("FAILED: %ld contacts are in one list only, and not near touching\n", missing);
    if (!close) std::printf("FAILED: distances, points or normals differ by more than rounding (%.2e)\n", rounding);
    return missing == 0 && close && our_count > 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::int64_t> sizes{200000};
    if (argc == 3 && std::strcmp(argv[1], "--spheres") == 0) {
        sizes = {static_cast<std::int64_t>(std::atof(argv[2]))};
    } else if (argc == 2 && std::strcmp(argv[1], "--tables") == 0) {
        sizes = {1000000, 2000000, 3000000, 4000000, 5000000};
    } else if (argc != 1) {
        std::fprintf(stderr, "test_bullet_oracle [--spheres N | --tables]\n");
        return 2;
    }
    std::printf("spheres    contacts   Bullet's  near   distance [m]          normal                point [m]\n");
    std::printf("  [1e6]                              average  deviation    average  deviation    average  deviation\n");
    bool good = true;
    for (const std::int64_t n : sizes) good = compare(n) && good;
    return good ? 0 : 1;
}
