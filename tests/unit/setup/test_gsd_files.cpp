// GSD files of HOOMD's schema as bodies: both versions of the file layer, what frames take over from the first, and the messages for what
// is damaged.
#include <cstdint>
#include <limits>
#include <map>

#include "base/quat.hpp"
#include "unit/setup/files_of_others.hpp"

using namespace scree;

namespace {

using Numbers = std::vector<double>;

template <class T>
std::string bytes_of(const Numbers& numbers) {
    std::string bytes;
    for (const double number : numbers) {
        const T value = static_cast<T>(number);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
}
template <class T>
std::string word(std::uint64_t number) {
    const T value = static_cast<T>(number);
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

constexpr unsigned kUInt32 = 3, kInt32 = 7, kFloat = 9, kDouble = 10;

/// A file of chunks, written in the order of their frames.
class GsdWriter {
public:
    explicit GsdWriter(unsigned version, std::string schema = "hoomd") : version_(version), schema_(std::move(schema)) {}

    GsdWriter& add(std::uint64_t frame, const std::string& name, std::uint64_t columns, unsigned type, const Numbers& numbers) {
        const std::size_t id = ids_.emplace(name, ids_.size()).first->second;
        if (id == names_.size()) names_.push_back(name);
        const std::uint64_t at = 256 + data_.size();
        data_ += type == kUInt32  ? bytes_of<std::uint32_t>(numbers)
                 : type == kInt32 ? bytes_of<std::int32_t>(numbers)
                 : type == kFloat ? bytes_of<float>(numbers)
                                  : bytes_of<double>(numbers);
        index_ += word<std::uint64_t>(frame) + word<std::uint64_t>(numbers.size() / columns) + word<std::uint64_t>(at) +
                  word<std::uint32_t>(columns) + word<std::uint16_t>(id) + word<std::uint8_t>(type) + word<std::uint8_t>(0);
        return *this;
    }

    std::string file() const {
        std::string names;
        for (std::string name : names_) {
            if (version_ == 1) name.resize(64);
            names += version_ == 1 ? name : name + '\0';
        }
        names.resize((names.size() / 64 + 1) * 64);
        const std::string index = index_ + std::string(64, '\0');
        const std::uint64_t index_at = 256 + data_.size();
        std::string schema = schema_, application = "by hand";
        schema.resize(64);
        application.resize(64);
        return word<std::uint64_t>(0x65DF65DF65DF65DF) + word<std::uint64_t>(index_at) + word<std::uint64_t>(index.size() / 32) +
               word<std::uint64_t>(index_at + index.size()) + word<std::uint64_t>(names.size() / 64) + word<std::uint32_t>(0x10004) +
               word<std::uint32_t>(version_ << 16) + application + schema + std::string(80, '\0') + data_ + index + names;
    }

private:
    unsigned version_;
    std::string schema_;
    std::map<std::string, std::size_t> ids_;
    std::vector<std::string> names_;
    std::string data_, index_;
};

/// Two frames of two particles; the second lacks what did not change.
GsdWriter two_frames(unsigned version) {
    GsdWriter writer(version);
    writer.add(0, "configuration/step", 1, kUInt32, {0});
    writer.add(0, "particles/N", 1, kUInt32, {2});
    writer.add(0, "particles/position", 3, kFloat, {9, 9, 9, 8, 8, 8});
    writer.add(0, "particles/diameter", 1, kFloat, {1, 0.5});
    writer.add(0, "particles/typeid", 1, kUInt32, {1, 0});
    writer.add(0, "particles/velocity", 3, kFloat, {9, 9, 9, 8, 8, 8});
    writer.add(0, "particles/body", 1, kInt32, {-1, -1});
    writer.add(1, "configuration/step", 1, kUInt32, {10});
    writer.add(1, "particles/position", 3, kDouble, {0.5, 0.25, 0.125, 1, 2, 3});
    writer.add(1, "particles/velocity", 3, kFloat, {1, 2, 3, 4, 5, 6});
    return writer;
}

const Reading kTyped{.types = {"glass", "steel"}};

}  // namespace

TEST_CASE("the last frame of a GSD file takes over what did not change since the first") {
    for (const unsigned version : {1U, 2U}) {
        CAPTURE(version);
        const Placed placed = placed_from(two_frames(version).file(), kTyped);
        CHECK(placed.position == std::vector<Vec3>{{0.5, 0.25, 0.125}, {1, 2, 3}});
        CHECK(placed.radius == std::vector<double>{0.5, 0.25});
        CHECK(placed.velocity == std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
        CHECK(placed.angular_velocity[0] == Vec3{4, 5, 6});  // as the scene has it
        CHECK(placed.material == std::vector<std::int32_t>{1, 0});
        CHECK(placed.orientation.empty());
        const Placed scaled = placed_from(two_frames(version).file(), {.scale = 2, .dimensions = 2});
        CHECK(scaled.position == std::vector<Vec3>{{1, 0.5, 0}, {2, 4, 0}});
        CHECK(scaled.radius == std::vector<double>{1, 0.5});
        CHECK(scaled.velocity[0] == Vec3{2, 4, 9});
    }
}

TEST_CASE("what no frame has is HOOMD's default, and a frame of other particles takes nothing over") {
    GsdWriter writer(2);
    writer.add(0, "particles/N", 1, kUInt32, {2});
    writer.add(0, "particles/position", 3, kFloat, {9, 9, 9, 8, 8, 8});
    const Placed one = placed_from(writer.file(), {.types = {"steel"}});
    CHECK(one.radius == std::vector<double>{0.5, 0.5});
    CHECK(one.material == std::vector<std::int32_t>{1, 1});
    CHECK(one.velocity[0] == Vec3{7, 8, 9});
    // A shape gives sizes where the file gives none.
    CHECK(placed_from(writer.file(), {.radius = 0.125}).radius == std::vector<double>{0.125, 0.125});

    writer.add(0, "particles/diameter", 1, kFloat, {4, 4});
    writer.add(3, "particles/N", 1, kUInt32, {1});
    CHECK(contains(refusal(writer.file()), "bodies: the last frame has no particles/position, the centres of bodies"));
    writer.add(3, "particles/position", 3, kFloat, {1, 2, 3});
    CHECK(placed_from(writer.file()).radius == std::vector<double>{0.5});
    CHECK(contains(refusal(writer.add(4, "particles/N", 1, kUInt32, {0}).file()), "holds no bodies"));
}

TEST_CASE("angular momenta of HOOMD are angular velocities") {
    const Quat q = normalized({0.5, -0.3, 0.7, 0.2});
    const Vec3 spin{3, -2, 1}, inertia{2, 4, 8};
    const Vec3 own = rotate(conjugate(q), spin);
    const Quat p = q * Quat{0, 2 * inertia.x * own.x, 2 * inertia.y * own.y, 2 * inertia.z * own.z};
    GsdWriter writer(2);
    writer.add(0, "particles/N", 1, kUInt32, {1});
    writer.add(0, "particles/position", 3, kFloat, {1, 2, 3});
    writer.add(0, "particles/angmom", 4, kDouble, {p.w, p.x, p.y, p.z});
    CHECK(placed_from(writer.file()).angular_velocity[0] == Vec3{4, 5, 6});  // without inertia nothing turns
    writer.add(0, "particles/moment_inertia", 3, kFloat, {inertia.x, inertia.y, inertia.z});
    writer.add(0, "particles/orientation", 4, kDouble, {2 * q.w, 2 * q.x, 2 * q.y, 2 * q.z});
    const Placed placed = placed_from(writer.file(), {.round = false});
    CHECK(norm(placed.angular_velocity[0] - spin) < 1e-14);
    CHECK(placed.orientation == std::vector<Quat>{{2 * q.w, 2 * q.x, 2 * q.y, 2 * q.z}});
    CHECK(placed_from(writer.file()).orientation.empty());  // of a sphere it says nothing
    CHECK(contains(refusal(writer.file(), {.dimensions = 2, .round = false}),
                   "bodies: particle 0: the quaternion turns the body out of the plane"));
}

TEST_CASE("damaged GSD files are refused") {
    const std::string whole = two_frames(2).file();
    const auto at = [&](std::size_t place, const std::string& bytes) {
        std::string damaged = whole;
        return refusal(damaged.replace(place, bytes.size(), bytes), kTyped);
    };
    CHECK(contains(at(44, word<std::uint32_t>(0x30001)), "bodies: GSD files of version 1 and 2 are read, but this is one of version 3.1"));
    CHECK(contains(at(112, "other"), "bodies: the GSD file has schema \"other\": those of schema \"hoomd\" hold bodies"));
    CHECK(contains(at(8, word<std::uint64_t>(~0ULL)), "the index, 12 times 32 bytes at byte 18446744073709551615, ends past the file"));
    CHECK(contains(at(16, word<std::uint64_t>(1ULL << 60)), "the index, 1152921504606846976 times 32 bytes"));
    CHECK(contains(at(32, word<std::uint64_t>(1ULL << 60)), "the list of names, 1152921504606846976 times 64 bytes"));
    CHECK(contains(refusal(GsdWriter(2).file()), "bodies: the GSD file has no frames"));
    CHECK(contains(refusal(two_frames(2).add(0, "late", 1, kUInt32, {1}).file()), "frame 0 stands behind frame 1 in the index"));

    const auto one = [](const std::string& name, std::uint64_t columns, unsigned type, const Numbers& numbers) {
        return refusal(two_frames(2).add(2, name, columns, type, numbers).file(), kTyped);
    };
    CHECK(contains(one("particles/position", 3, kFloat, {1, 2, 3}),
                   "particles/position of frame 2 has 1 rows of 3 numbers where 2 of 3 are"));
    CHECK(contains(one("particles/position", 2, kFloat, {1, 2, 3, 4}), "has 2 rows of 2 numbers where 2 of 3 are needed"));
    CHECK(contains(one("particles/position", 3, 12, {1, 2, 3, 4, 5, 6}), "is of type 12, which is none of numbers"));
    CHECK(contains(one("particles/position", 3, kFloat, {1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN(), 6}),
                   "particles/position of particle 1 is not a finite number"));
    CHECK(contains(one("particles/diameter", 1, kFloat, {1, 0}), "bodies: particle 1: radius 0 m must be positive"));
    CHECK(contains(one("particles/typeid", 1, kUInt32, {0, 2}), "bodies: particle 1: type 3 has no material"));
    CHECK(contains(one("particles/body", 1, kInt32, {-1, 0}), "bodies: particle 1: it belongs to rigid body 0: those are not read"));
    CHECK(contains(one("particles/N", 1, kDouble, {1.5}), "particles/N of frame 2, 1.5, is not a number of bodies"));
    CHECK(contains(one("particles/N", 1, kDouble, {1e18}), "is not a number of bodies"));
    CHECK(contains(one("particles/N", 1, kUInt32, {2000000000}), "the last frame has no particles/position"));

    for (const unsigned version : {1U, 2U}) {
        const std::string file = two_frames(version).file();
        // Names stand last, so that a file cut off anywhere lacks some.
        for (std::size_t size = 8; size < file.size(); ++size) CHECK_FALSE(refusal(file.substr(0, size), kTyped).empty());
        for (std::size_t place = 8; place < file.size(); ++place)
            for (const char byte : {'\1', '\xff'}) {
                std::string damaged = file;
                damaged[place] = byte;
                (void)refusal(damaged, kTyped);
            }
    }
}
