#include "sim/caller_changes.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace scree {
namespace {

constexpr const char* kField = "calls.changes";

/// Numbers one after the other, written or read by the same functions.
class Writer {
public:
    void operator()(double& value) { values.push_back(value); }
    std::vector<double> values;
};

class Reader {
public:
    explicit Reader(std::vector<double> values) : values_(std::move(values)) {}
    void operator()(double& value) {
        if (next_ == values_.size()) throw Error("the checkpoint is damaged: what it says of changes by calls is incomplete");
        value = values_[next_++];
    }

private:
    std::vector<double> values_;
    std::size_t next_{0};
};

template <class Pass>
void pass(Pass& io, Vec3& v) {
    io(v.x), io(v.y), io(v.z);
}
template <class Pass>
void pass(Pass& io, bool& flag) {
    double value = flag ? 1 : 0;
    io(value);
    flag = value != 0;
}
template <class Pass>
void pass(Pass& io, double& value) {
    io(value);
}
template <class Pass>
void pass(Pass& io, Harmonic& h) {
    pass(io, h.amplitude);
    io(h.angle), io(h.frequency), io(h.phase);
}
template <class Pass>
void pass_count(Pass& io, std::size_t& count) {
    auto value = static_cast<double>(count);
    io(value);
    if (!(value >= 0 && value < 1e9)) throw Error("the checkpoint is damaged: what it says of changes by calls has no sense");
    count = static_cast<std::size_t>(value);
}
template <class Pass, class T>
void pass(Pass& io, std::vector<T>& all) {
    std::size_t count = all.size();
    pass_count(io, count);
    all.resize(count);
    for (T& one : all) pass(io, one);
}
template <class Pass>
void pass(Pass& io, std::string& text) {
    std::size_t count = text.size();
    pass_count(io, count);
    text.resize(count);
    for (char& c : text) {
        double code = static_cast<unsigned char>(c);
        io(code);
        c = static_cast<char>(static_cast<unsigned char>(code));
    }
}
/// All but its servo, which no call gives.
template <class Pass>
void pass(Pass& io, Motion& m) {
    pass(io, m.moves);
    io(m.from), io(m.to);
    pass(io, m.velocity), pass(io, m.point), pass(io, m.axis);
    io(m.rate);
    pass(io, m.harmonics), pass(io, m.time), pass(io, m.shift), pass(io, m.angle);
    pass(io, m.surface);
    io(m.first.turn.w), io(m.first.turn.x), io(m.first.turn.y), io(m.first.turn.z);
    pass(io, m.first.shift);
    bool servo = m.servo.on;
    pass(io, servo);
    m.servo.on = servo;
}
template <class Pass>
void pass(Pass& io, TimeFunction& f) {
    io(f.constant), io(f.amplitude), io(f.frequency), io(f.phase);
    pass(io, f.time), pass(io, f.value);
}

/// The number of the one that is called so; of those without a name the number itself.
template <class Named>
std::size_t find_again(const std::vector<Named>& all, const std::string& name, std::size_t number) {
    if (name.empty()) return number;
    return static_cast<std::size_t>(std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; }) - all.begin());
}

}  // namespace

StateField CallerChanges::saved(const Model& model) const {
    Writer io;
    std::size_t walls = walls_.size(), motors = motors_.size();
    pass_count(io, walls);
    for (std::size_t number : walls_) {
        Wall wall = model.walls.at(number);
        pass_count(io, number);
        pass(io, wall.name);
        io(wall.active_from), io(wall.active_to);
        pass(io, wall.motion);
    }
    pass_count(io, motors);
    for (auto [number, along] : motors_) {
        Joint joint = model.joints.at(number);
        pass_count(io, number);
        pass(io, joint.name);
        pass(io, along);
        pass(io, (along ? joint.travel_motor : joint.angle_motor).value);
    }
    StateField field;
    field.name = kField;
    field.type = StateField::Type::Float64;
    field.bytes.resize(io.values.size() * sizeof(double));
    std::memcpy(field.bytes.data(), io.values.data(), field.bytes.size());
    return field;
}

void CallerChanges::restore(const EngineState& from, Model& model) {
    const StateField* field = from.find(kField);
    if (field == nullptr) return;
    std::vector<double> values(field->bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), field->bytes.data(), values.size() * sizeof(double));
    Reader io(std::move(values));
    std::size_t walls = 0, motors = 0;
    pass_count(io, walls);
    for (std::size_t k = 0; k < walls; ++k) {
        std::size_t number = 0;
        Wall saved;
        pass_count(io, number);
        pass(io, saved.name);
        io(saved.active_from), io(saved.active_to);
        pass(io, saved.motion);
        number = find_again(model.walls, saved.name, number);
        if (number >= model.walls.size()) continue;
        Wall& wall = model.walls[number];
        if (saved.motion.servo.on) saved.motion.servo = wall.motion.servo;
        wall.active_from = saved.active_from;
        wall.active_to = saved.active_to;
        wall.motion = saved.motion;
        note_wall(number);
    }
    pass_count(io, motors);
    for (std::size_t k = 0; k < motors; ++k) {
        std::size_t number = 0;
        std::string name;
        bool along = false;
        TimeFunction value;
        pass_count(io, number);
        pass(io, name);
        pass(io, along);
        pass(io, value);
        number = find_again(model.joints, name, number);
        if (number >= model.joints.size()) throw Error("the checkpoint holds other joints than the scene");
        Joint& joint = model.joints[number];
        (along ? joint.travel_motor : joint.angle_motor).value = value;
        note_motor(number, along);
    }
}

}  // namespace scree
