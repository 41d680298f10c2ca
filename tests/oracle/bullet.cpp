// Contacts among random spheres against those of Bullet, in the form of Table 2 of Negrut, Tasora, Anitescu, Mazhar, Heyn and Pazouki
// (2010), "Solving large multibody dynamics problems on the GPU": number of contacts, mean and standard deviation of the differences in
// distance, normal and points. A contact has a distance below 0.
// Arguments: --spheres N (default 50000), --table (1 to 5 million, one row each). Out: the table, each pair within 1e-6 of touching that is
// a contact of one side only, and exit status 1 where any other pair is, or more than rounding differs.
// Coordinates and radii are numbers of single precision, so that Bullet reads the same spheres whichever precision it was built with.
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "base/vec3.hpp"
#include "engine/collide.hpp"

using namespace scree;

namespace {

constexpr double near_touching = 1e-6;  // [m], of radii about 1 m
constexpr double volume_of_one = 9.5;   // [m3], for each sphere: with 0.57 contacts each

struct Spheres {
    std::vector<double> x, y, z, r;
    SphereView view() const { return {x.data(), y.data(), z.data(), r.data(), static_cast<std::int64_t>(x.size())}; }
};

double single(double value) {
    return static_cast<double>(static_cast<float>(value));
}

/// Spheres of 0.3 to 1 m; of every hundred one inside its forerunner, one just touching it, one at its centre.
Spheres scattered(std::int64_t n) {
    Spheres s;
    Rng rng(2012, static_cast<std::uint64_t>(n));
    const double side = std::cbrt(volume_of_one * static_cast<double>(n));
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

/// A contact as both sides give it.
struct Found {
    std::uint32_t a, b;
    double distance;
    Vec3 normal, point;  // from a to b; on a
};

bool by_ids(const Found& p, const Found& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
}

std::vector<Found> ours(const Spheres& spheres) {
    std::vector<Found> found;
    collide(spheres.view(), {}, Device::Auto, Precision::Double, [&](const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k) {
            const Contact c = contact_of(spheres.view(), a[k], b[k]);
            found.push_back({c.a, c.b, c.distance, c.normal, c.point_a});
        }
    });
    std::sort(found.begin(), found.end(), by_ids);
    return found;
}

Vec3 vector_of(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

std::vector<Found> bullets(const Spheres& spheres) {
    const std::size_t n = spheres.x.size();
    // Before the world, which lets go of them when it ends.
    std::vector<std::unique_ptr<btSphereShape>> shapes(n);
    std::vector<std::unique_ptr<btCollisionObject>> objects(n);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
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
    std::vector<Found> found;
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
    // The world would look through all pairs for each object that leaves it: n times as long.
    btOverlappingPairCache& cache = *world.getPairCache();
    while (cache.getNumOverlappingPairs() > 0) {
        const btBroadphasePair& last = cache.getOverlappingPairArray()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher);
    }
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

long count_below_zero(const std::vector<Found>& contacts) {
    return std::count_if(contacts.begin(), contacts.end(), [](const Found& c) { return c.distance < 0; });
}

/// What two lists of contacts, both sorted by ids, make of the same spheres.
class Comparison {
public:
    Comparison(const Spheres& spheres, const std::vector<Found>& mine, const std::vector<Found>& theirs) : spheres_(spheres) {
        auto p = mine.begin();
        auto q = theirs.begin();
        while (p != mine.end() || q != theirs.end()) {
            if (q == theirs.end() || (p != mine.end() && by_ids(*p, *q))) {
                alone(*p++);
            } else if (p == mine.end() || by_ids(*q, *p)) {
                alone(*q++);
            } else {
                both(*p++, *q++);
            }
        }
    }
    Spread distance, normal, point;
    std::vector<Found> near;  // contacts of one side only, within 1e-6 of touching
    long missing{0};          // contacts of one side only that are not

private:
    void alone(const Found& c) {
        if (c.distance >= 0) return;
        if (c.distance > -near_touching) {
            near.push_back(c);
        } else {
            ++missing;
        }
    }
    void both(const Found& p, const Found& q) {
        if (p.distance < 0 && q.distance >= 0) alone(p);
        if (q.distance < 0 && p.distance >= 0) alone(q);
        distance.add(std::fabs(p.distance - q.distance));
        // Equal centres have no direction: any unit normal is right, and the point goes with it.
        const Vec3 apart{spheres_.x[p.b] - spheres_.x[p.a], spheres_.y[p.b] - spheres_.y[p.a], spheres_.z[p.b] - spheres_.z[p.a]};
        if (norm2(apart) == 0) return;
        normal.add(norm(p.normal - q.normal));
        point.add(norm(p.point - q.point));
    }
    const Spheres& spheres_;
};

/// One row of the table; false where it fails.
bool compare(std::int64_t n) {
    const Spheres spheres = scattered(n);
    const std::vector<Found> mine = ours(spheres), theirs = bullets(spheres);
    const Comparison c(spheres, mine, theirs);
    std::printf("%8.2f %10ld %10ld %6zu %10.2e %9.2e %10.2e %9.2e %10.2e %9.2e\n", 1e-6 * static_cast<double>(n), count_below_zero(mine),
                count_below_zero(theirs), c.near.size(), c.distance.mean(), c.distance.deviation(), c.normal.mean(), c.normal.deviation(),
                c.point.mean(), c.point.deviation());
    for (const Found& one : c.near) std::printf("    %u and %u: %.2e from touching\n", one.a, one.b, -one.distance);
    std::fflush(stdout);
    // Bullet's rounding, as everything read is exact in single precision: a difference of coordinates is off by eps / 2 of itself, a
    // squared length by about 3 eps, so a unit normal by less than 6 eps and a distance (sums up to 2 m) by less than 10 eps. A point is a
    // centre (up to `side`) plus two vectors: three components, two roundings each, of eps / 2 of the side, and the normal's error times 1
    // m.
    const double side = std::cbrt(volume_of_one * static_cast<double>(n));
    const double eps = static_cast<double>(std::numeric_limits<btScalar>::epsilon());
    const bool close = c.distance.most < 10 * eps && c.normal.most < 6 * eps && c.point.most < (2 * side + 10) * eps;
    if (c.missing > 0) std::printf("FAILED: %ld contacts are in one list only, and not near touching\n", c.missing);
    if (!close) {
        std::printf("FAILED: differences of distance %.2e, normal %.2e or point %.2e are more than rounding\n", c.distance.most,
                    c.normal.most, c.point.most);
    }
    return c.missing == 0 && close && !mine.empty();
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::int64_t> sizes{50000};
    if (argc == 3 && std::strcmp(argv[1], "--spheres") == 0) {
        sizes = {static_cast<std::int64_t>(std::atof(argv[2]))};
    } else if (argc == 2 && std::strcmp(argv[1], "--table") == 0) {
        sizes = {1000000, 2000000, 3000000, 4000000, 5000000};
    } else if (argc != 1) {
        std::fprintf(stderr, "test_bullet_oracle [--spheres N | --table]\n");
        return 2;
    }
    std::printf("spheres    contacts   Bullet's  near   distance [m]          normal                point [m]\n");
    std::printf("  [1e6]                              average  deviation    average  deviation    average  deviation\n");
    bool good = true;
    for (const std::int64_t n : sizes) good = compare(n) && good;
    return good ? 0 : 1;
}
