// An engine without contacts: bodies in free fall, plus faults, warnings, signals and reports of cone problems on order. Enough to test
// everything around an engine.
#pragma once

#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "engine/engine.hpp"
#include "sim/simulation.hpp"

/// What the fake engine does besides falling.
struct FakePlan {
    std::int64_t fault_at{-1};  // step after which it stops
    scree::FaultKind fault{scree::FaultKind::None};
    std::int64_t warn_from{-1};                    // overlap_warned from this step on
    std::int64_t unfinished_from{-1};              // every step from this one on, as of hard particles
    std::int64_t not_converged_from{-1};           // every third step from this one on, under the cone method
    std::int64_t pairs_from{-1};                   // a list of a thousand pairs from this step on
    std::vector<scree::Vec3> force, torque;        // on each body
    std::function<void(std::int64_t)> after_step;  // called with the number of each step done
    std::vector<std::int64_t> batches;             // sizes asked for, as a record
};

/// How the fake engine says that it solved the cone problem of a step: numbers that differ from step to step.
inline scree::ConeReport fake_report(const FakePlan& plan, std::int64_t step) {
    const bool fails = plan.not_converged_from >= 0 && step >= plan.not_converged_from && step % 3 == 0;
    return {step, 20 + step % 11, 5 + step % 7, (fails ? 1e-2 : 1e-6) / static_cast<double>(step), !fails};
}

class FakeEngine : public scree::Engine {
public:
    FakeEngine(const scree::Model& model, const scree::EngineOptions&, FakePlan& plan) : model_(model), plan_(plan) {
        position_ = model.bodies.position;
        velocity_ = model.bodies.velocity;
    }

    scree::BatchReport advance(std::int64_t steps) override {
        plan_.batches.push_back(steps);
        scree::BatchReport report;
        while (report.steps_done < steps) {
            for (std::size_t i = 0; i < position_.size(); ++i) {
                velocity_[i] += model_.gravity * model_.dt;
                position_[i] += velocity_[i] * model_.dt;
            }
            ++step_;
            ++report.steps_done;
            if (model_.method == scree::Method::Cone) report.cone.push_back(fake_report(plan_, step_));
            if (plan_.after_step) plan_.after_step(step_);
            if (plan_.unfinished_from >= 0 && step_ >= plan_.unfinished_from) ++report.unfinished;
            if (plan_.warn_from >= 0 && step_ >= plan_.warn_from) report.overlap_warned = true;
            if (step_ == plan_.fault_at) {
                report.fault.kind = plan_.fault;
                report.fault.step = step_;
                report.fault.time = time();
                report.fault.body = 1;
                report.fault.other = 2;
                report.fault.position = position_[1];
                report.fault.value = 0.4;
                break;
            }
        }
        return report;
    }

    scree::RunCounters counters() const override {
        scree::RunCounters c;
        c.step = step_;
        c.time = time();
        c.bodies = static_cast<std::int64_t>(position_.size());
        c.pairs = plan_.pairs_from >= 0 && step_ >= plan_.pairs_from ? 1000 : 0;
        return c;
    }

    scree::Snapshot snapshot() override {
        scree::Snapshot s;
        s.step = step_;
        s.time = time();
        const std::size_t n = position_.size();
        for (std::size_t i = 0; i < n; ++i) s.id.push_back(static_cast<std::uint32_t>(i));
        s.position = position_;
        s.velocity = velocity_;
        s.angular_velocity.resize(n);
        s.force.resize(n);
        s.radius = model_.bodies.radius;
        s.mass = model_.bodies.mass;
        s.material = model_.bodies.material;
        if (!plan_.force.empty()) s.force = plan_.force;
        if (model_.bodies.owner.empty()) return s;
        s.shape = model_.bodies.shape;
        s.orientation = model_.bodies.orientation;
        s.angular_velocity = model_.bodies.angular_velocity;
        s.owner = model_.bodies.owner;
        s.torque = plan_.torque;
        return s;
    }

    scree::Measurement measure() override {
        scree::Measurement m;
        m.step = step_;
        m.time = time();
        m.bodies = scree::count_bodies(model_.bodies).bodies;
        for (std::size_t i = 0; i < position_.size(); ++i) {
            m.mass += model_.bodies.mass[i];
            m.momentum += velocity_[i] * model_.bodies.mass[i];
            m.energy.kinetic_translation += 0.5 * model_.bodies.mass[i] * dot(velocity_[i], velocity_[i]);
        }
        for (std::size_t w = 0; w < model_.walls.size(); ++w) m.walls.push_back({{1.0 + static_cast<double>(w), 2, 3}, {4, 5, 6}});
        m.wall_power.assign(model_.walls.size(), 7.0);
        m.coordination = 4.5;
        m.contacts = 9;
        m.wall_contacts = 2;
        m.max_overlap = 0.01;
        for (std::size_t j = 0; j < model_.joints.size(); ++j) {
            const double x = static_cast<double>(j);
            m.joints.push_back({{x + 1, x + 2, x + 3}, {x + 4, x + 5, x + 6}, x + 7, x + 8, x + 9, x + 10});
        }
        return m;
    }

    scree::RegionSum sum_in(const scree::Region& region) override {
        scree::RegionSum sum;
        for (std::size_t i = 0; i < position_.size(); ++i) {
            if (!region.box.contains(position_[i])) continue;
            sum.mass += model_.bodies.mass[i];
            ++sum.count;
        }
        return sum;
    }

    std::vector<scree::ContactRecord> contacts() override { return {}; }

    std::uint64_t state_hash() override {
        std::uint64_t hash = static_cast<std::uint64_t>(step_);
        for (std::size_t i = 0; i < position_.size(); ++i) {
            for (const double x : {position_[i].x, position_[i].y, position_[i].z, velocity_[i].x, velocity_[i].y, velocity_[i].z}) {
                hash = scree::hash_combine(hash, scree::bits_of(x));
            }
        }
        return hash;
    }

    scree::EngineState save() override {
        scree::EngineState state;
        state.fields.push_back(field("step", scree::StateField::Type::Int64, &step_, sizeof step_));
        state.fields.push_back(
            field("position", scree::StateField::Type::Float64, position_.data(), position_.size() * sizeof(scree::Vec3)));
        state.fields.push_back(
            field("velocity", scree::StateField::Type::Float64, velocity_.data(), velocity_.size() * sizeof(scree::Vec3)));
        return state;
    }

    void load(const scree::EngineState& state) override {
        std::memcpy(&step_, state.find("step")->bytes.data(), sizeof step_);
        std::memcpy(position_.data(), state.find("position")->bytes.data(), position_.size() * sizeof(scree::Vec3));
        std::memcpy(velocity_.data(), state.find("velocity")->bytes.data(), velocity_.size() * sizeof(scree::Vec3));
    }

    std::vector<scree::StageTime> stage_times() const override { return {{"motion/advance", 0.25, 1}}; }
    std::size_t memory_bytes() const override { return 1234; }
    std::string device_name() const override { return "fake"; }

private:
    static scree::StateField field(const char* name, scree::StateField::Type type, const void* data, std::size_t size) {
        scree::StateField f{name, type, {}};
        f.bytes.resize(size);
        if (size > 0) std::memcpy(f.bytes.data(), data, size);
        return f;
    }
    double time() const { return static_cast<double>(step_) * model_.dt; }

    scree::Model model_;
    FakePlan& plan_;
    std::vector<scree::Vec3> position_, velocity_;
    std::int64_t step_{0};
};

/// A scene of three bodies that fall for 1 s in steps of 1 ms, with a floor that only gives its name.
inline scree::Scene fake_scene() {
    scree::Scene scene;
    scene.file = "fall.toml";
    scene.title = "fall";
    scene.time.step = 1e-3;
    scene.time.end = 1;
    scene.output.every = 0.1;
    scene.resolved =
        "title = \"fall\"\n\n[time]\nstep = 0.001\nend = 1\n\n[material.glass]\nyoung = 1e7\n\n[[bodies]]\nseed = 1\n\n[output]\nevery = "
        "0.1\n";
    return scene;
}

inline scree::Factories fake_factories(FakePlan& plan) {
    scree::Factories factories;
    factories.build = [](const scree::Scene& scene) {
        scree::BuiltModel built;
        built.model.dt = scene.time.step.value_or(1e-3);
        built.model.materials.emplace_back();
        for (int i = 0; i < 3; ++i) built.model.bodies.add_sphere({0.1 * i, 0, 1}, 0.01, 0, 2500, {0.1, 0, 0.3 * i});
        built.model.walls.emplace_back();
        built.model.walls.back().name = "floor";
        built.stable_step = 2e-3;
        return built;
    };
    factories.engine = [&plan](const scree::Model& model, const scree::EngineOptions& options) {
        return std::make_unique<FakeEngine>(model, options, plan);
    };
    return factories;
}
