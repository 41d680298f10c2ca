#include "sim/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sim/fault_message.hpp"

namespace scree {
namespace {

using L = VerdictLimits;

Verdict verdict_of(double value, const double (&limits)[2]) {
    return value <= limits[0] ? Verdict::Ok : value <= limits[1] ? Verdict::Look : Verdict::Bad;
}

std::string percent(double share) {
    return fmt::format("{:.3g} %", 100 * share);
}

Finding step_line(const Summary& s) {
    const double share = s.dt / s.stable_step;
    Finding line{"step", verdict_of(share, L::step),
                 fmt::format("{:.3g} of the stable step ({:.3g} s of {:.3g} s)", share, s.dt, s.stable_step), ""};
    if (line.verdict == Verdict::Look)
        line.advice = "the limit is that of a single pair, and bodies with many contacts bear less: a step below half of it is safe";
    if (line.verdict == Verdict::Bad) line.advice = "contacts gain energy in such steps: lower time.step, or leave it to \"auto\"";
    return line;
}

Finding overlap_line(const Summary& s, const Model& model) {
    const LargestOverlap& o = s.overlap;
    // A scene that raises the warning says that its bodies are meant to be soft.
    const double warning = model.penalty.overlap_warning, usual = PenaltySettings{}.overlap_warning;
    const double limits[2] = {warning > usual ? warning : std::min(L::overlap, warning), warning};
    if (!(o.ratio > 0)) return {"overlap", Verdict::Ok, fmt::format("none at {} looks", o.looks), ""};
    const std::string who = o.between.empty() ? "" : " between " + o.between;
    Finding line{"overlap", verdict_of(o.ratio, limits),
                 fmt::format("at most {} of the smaller radius{} at t = {:.6g} s ({} looks)", percent(o.ratio), who, o.time, o.looks), ""};
    if (line.verdict == Verdict::Ok) return line;
    line.advice = fmt::format("deep overlaps make a bed softer and denser than it is: {} would keep bodies apart", overlap_remedy(model));
    return line;
}

Finding energy_line(const EnergyError& e) {
    Finding line{
        "energy", verdict_of(e.relative(), L::energy),
        fmt::format("{} of the {:.3g} J that moved is not accounted for ({} samples)", percent(e.relative()), e.turned_over, e.samples),
        ""};
    if (line.verdict != Verdict::Ok)
        line.advice = "a smaller time.step shows whether the step makes it; sliding and impacts need finer ones";
    return line;
}

Finding solver_line(const ConeTotals& cone) {
    const double share = static_cast<double>(cone.not_converged) / static_cast<double>(cone.steps);
    Finding line{"solver", verdict_of(share, L::not_converged),
                 fmt::format("{} of {} steps did not converge; {:.3g} iterations a step", grouped(cone.not_converged), grouped(cone.steps),
                             cone.mean_iterations()),
                 ""};
    if (line.verdict != Verdict::Ok) line.advice = "raise method.iterations, or choose another method.solver or a smaller time.step";
    return line;
}

Finding lists_line(const Summary& s) {
    const double each = static_cast<double>(s.counters.step) / static_cast<double>(s.counters.rebuilds);
    Finding line{"lists", each < L::steps_per_list ? Verdict::Look : Verdict::Ok,
                 fmt::format("made {}, every {:.3g} steps; {} pairs in the last",
                             s.counters.rebuilds == 1 ? "once" : grouped(s.counters.rebuilds) + " times", each, grouped(s.counters.pairs)),
                 ""};
    if (line.verdict == Verdict::Look)
        line.advice = "bodies use up the skin at once: a smaller time.step, or a larger method.skin, saves time";
    return line;
}

Finding bodies_line(const Summary& s) {
    const RunCounters& c = s.counters;
    std::int64_t by_tables = 0;
    for (const RemovedBodies& one : s.removes) by_tables += one.bodies - one.returned;
    const std::int64_t left = c.removed - by_tables;
    Finding line{"bodies", Verdict::Ok, "", ""};
    if (s.restarted_from.empty()) {
        line.text = fmt::format("{} at the start + {} in - {} out = {}", grouped(s.start_bodies), grouped(c.inserted), grouped(c.removed),
                                grouped(c.bodies));
        if (s.start_bodies + c.inserted - c.removed != c.bodies) {
            line.verdict = Verdict::Bad;
            line.advice = "the counts do not match: this is an error of the program";
            return line;
        }
        double came = 0;
        for (const InsertedBodies& one : s.inserts) came += one.mass;
        const double gone = s.start_mass + came - s.end.mass, all = std::max(s.start_mass + came, s.end.mass);
        const bool rounding = std::fabs(gone) <= L::mass_rounding * all;
        line.text += c.removed == 0 && rounding ? "; mass kept"
                                                : fmt::format("; {:.6g} kg + {:.6g} kg - {:.6g} kg = {:.6g} kg", s.start_mass, came,
                                                              rounding ? 0.0 : gone, s.end.mass);
        if (c.removed == 0 && !rounding) {
            line.verdict = Verdict::Bad;
            line.advice = "no body left, and the mass is another: this is an error of the program";
            return line;
        }
    } else {
        line.text = fmt::format("{} at the restart, {} now; {} in and {} out since the very start", grouped(s.start_bodies),
                                grouped(c.bodies), grouped(c.inserted), grouped(c.removed));
    }
    if (left > 0) {
        line.verdict = Verdict::Look;
        line.advice =
            fmt::format("{} left the domain: is domain.min to domain.max wide enough, and are there no holes in the walls?", grouped(left));
    }
    std::int64_t behind = 0;
    for (const InsertedBodies& one : s.inserts) behind += one.behind;
    if (behind > 0) {
        line.verdict = Verdict::Look;
        line.advice += (line.advice.empty() ? "" : "; ") +
                       fmt::format("{} are behind, that were due and found no room: a larger region, or a lower rate", grouped(behind));
    }
    return line;
}

/// Stages that write files; what streams do is a part of stepping.
bool is_output(const StageTime& stage) {
    return stage.name.rfind("output/", 0) == 0;
}

Finding time_line(const Summary& s) {
    std::vector<StageTime> stages = s.stages;
    double all = 0, written = 0;
    for (const StageTime& stage : stages) {
        all += stage.seconds;
        if (is_output(stage)) written += stage.seconds;
    }
    std::stable_sort(stages.begin(), stages.end(), [](const StageTime& a, const StageTime& b) { return a.seconds > b.seconds; });
    std::string text;
    constexpr std::size_t shown = 5;
    for (std::size_t k = 0; k < std::min(shown, stages.size()) && stages[k].seconds > 0.005 * all; ++k)
        text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", stages[k].name, 100 * stages[k].seconds / all);
    Finding line{"time", Verdict::Ok, text, ""};
    if (written > L::output_share * s.wall_seconds && s.wall_seconds > 5) {
        line.verdict = Verdict::Look;
        line.advice =
            fmt::format("{} of the time went into files: a longer output.every, or fewer measures", percent(written / s.wall_seconds));
    }
    return line;
}

Finding speed_line(const Summary& s) {
    Finding line{"speed", Verdict::Ok, short_number(s.stepping_speed) + " body-steps/s while stepping", ""};
    if (s.usual.runs == 0) return line;
    const double share = s.stepping_speed / s.usual.speed;
    line.text += fmt::format(", {:.3g} of the usual {} ({} runs of this kind here)", share, short_number(s.usual.speed), s.usual.runs);
    if (share < L::speed) {
        line.verdict = Verdict::Look;
        line.advice = "slower than this machine is used to: do other programs take its processors, or do bodies touch more?";
    }
    return line;
}

}  // namespace

std::string short_number(double value) {
    for (const auto& [factor, letter] : {std::pair{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}) {
        if (value >= factor) return fmt::format("{:.3g} {}", value / factor, letter);
    }
    return fmt::format("{:.3g}", value);
}

std::string grouped(std::int64_t value) {
    const std::string digits = std::to_string(std::llabs(value));
    std::string text(value < 0 ? "-" : "");
    for (std::size_t k = 0; k < digits.size(); ++k) {
        if (k > 0 && (digits.size() - k) % 3 == 0) text.push_back(',');
        text.push_back(digits[k]);
    }
    return text;
}

std::vector<Finding> findings_of(const Summary& s, const Model& model) {
    std::vector<Finding> lines;
    if (s.exit_code == 1) lines.push_back({"end", Verdict::Bad, "failed: " + s.exit_reason, "the message above says what to change"});
    if (s.exit_code == 130) lines.push_back({"end", Verdict::Look, "interrupted before its end", "go on with --restart"});
    if (s.method == "penalty" && std::isfinite(s.stable_step) && s.stable_step > 0) lines.push_back(step_line(s));
    if (s.overlap.looks > 0) lines.push_back(overlap_line(s, model));
    if (s.energy_error) lines.push_back(energy_line(*s.energy_error));
    if (s.cone_method && s.cone.steps > 0) lines.push_back(solver_line(s.cone));
    if (s.method == "penalty" && s.counters.rebuilds > 0) lines.push_back(lists_line(s));
    lines.push_back(bodies_line(s));
    if (!s.stages.empty()) lines.push_back(time_line(s));
    if (s.stepping_speed > 0) lines.push_back(speed_line(s));
    Finding warned{"warnings", s.warnings.empty() ? Verdict::Ok : Verdict::Look,
                   s.warnings.empty() ? "none" : std::to_string(s.warnings.size()), ""};
    for (const auto& [text, times] : s.repeated) warned.text += fmt::format("; at {} looks: {}", times, text.substr(0, text.find(':')));
    if (!s.warnings.empty()) warned.advice = "they are above, and in summary.json";
    lines.push_back(std::move(warned));
    return lines;
}

}  // namespace scree
