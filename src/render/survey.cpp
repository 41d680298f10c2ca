#include "render/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/polyhedra_surface.hpp"

namespace scree {
namespace {

constexpr double kTail = 0.002;           // share of numbers at each end that need not fit on a colour bar
constexpr std::size_t kMostEntries = 12;  // of a legend of categories
constexpr int kMostTicks = 6;

/// The bar of a rule; its ends, as they are, where there is but one number.
void describe(Legend& legend, const ColourRule& rule, const Spread& spread, const std::string& title, const std::string& unit) {
    legend.title = title;
    legend.map = rule.map;
    const Scale scale = scale_of(rule.low, rule.high, unit, kMostTicks);
    legend.unit = scale.unit.empty() ? "" : "[" + scale.unit + "]";
    legend.ticks = scale.ticks;
    const double slack = 1e-9 * (rule.high - rule.low);
    legend.beyond_low = spread.any() && spread.least < rule.low - slack;
    legend.beyond_high = spread.any() && spread.most > rule.high + slack;
}

/// A range with some width.
void widen(ColourRule& rule) {
    if (rule.high > rule.low) return;
    const double size = std::max(std::fabs(rule.low), std::fabs(rule.high));
    const double by = size > 0 ? 0.5 * size : 0.5;
    rule.low -= by;
    rule.high += by;
}

void from_spread(ColourRule& rule, const Spread& spread, bool from_zero) {
    rule.low = spread.any() ? spread.low : 0;
    rule.high = spread.any() ? spread.high : 1;
    if (from_zero) {
        rule.low = std::min(0.0, rule.low);
        if (!(rule.high > rule.low)) rule.high = rule.low + 1;
    }
    widen(rule);
}

}  // namespace

void Spread::include(std::vector<double> values) {
    values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }), values.end());
    if (values.empty()) return;
    const auto tail = static_cast<std::ptrdiff_t>(kTail * static_cast<double>(values.size()));
    const auto at = [&](std::ptrdiff_t place) {
        std::nth_element(values.begin(), values.begin() + place, values.end());
        return values[static_cast<std::size_t>(place)];
    };
    const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
    low = std::min(low, at(tail));
    high = std::max(high, at(last - tail));
    least = std::min(least, at(0));
    most = std::max(most, at(last));
}

void Survey::add(const FrameParts& frame, const Look& look) {
    const Aabb box = region_of(frame, look);
    region.include(box.min);
    region.include(box.max);
    const std::vector<Reach> here = reaches_of(frame, look, box);
    reaches.insert(reaches.end(), here.begin(), here.end());
    name_ = look.colour;
    if (look.body_size > 0) {
        field_ = field_values(look.colour, frame);
        std::vector<double> seen;
        for (std::size_t k = 0; k < frame.size(); ++k) {
            if (is_compound(*frame.shapes, frame.bodies, k)) continue;
            if (field_.categories) {
                ++categories_[std::llround(field_.values[k])];
            } else {
                seen.push_back(field_.values[k]);
            }
        }
        bodies_.include(std::move(seen));
        field_.values.clear();
        for (std::size_t k = 0; k < frame.shapes->size(); ++k) shape_names_[static_cast<long long>(k)] = (*frame.shapes)[k].name;
    }
    if (look.bonds) bonds_.include(bond_values(look.bond_colour, frame.bonds));
    if (look.chains) {
        std::vector<double> forces;
        for (const ContactRecord& contact : frame.contacts) forces.push_back(norm(contact.force));
        forces_.include(std::move(forces));
    }
}

ColourRule Survey::body_rule(const std::string& map, const std::pair<double, double>* range, const std::vector<std::string>& materials,
                             Legend& legend) const {
    ColourRule rule;
    if (!field_.categories) {
        const bool signed_values = name_.find("velocity_") != std::string::npos || name_.rfind("spin_", 0) == 0;
        const bool both = signed_values && bodies_.any() && bodies_.low < 0 && bodies_.high > 0;
        from_spread(rule, bodies_, field_.from_zero);
        if (both) {
            rule.high = std::max(rule.high, -rule.low);
            rule.low = -rule.high;
        }
        rule.map = !map.empty() ? map : both ? "coolwarm" : "viridis";
        if (range != nullptr) rule.low = range->first, rule.high = range->second;
        describe(legend, rule, bodies_, field_.title, field_.unit);
        return rule;
    }
    rule.categories = true;
    std::vector<std::pair<long long, std::size_t>> order(categories_.begin(), categories_.end());
    const bool by_size = name_ == "fragment";
    if (by_size) std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    legend.title = field_.title;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const long long number = order[k].first;
        rule.by_category[number] = category_colour(k);
        if (k >= kMostEntries) continue;
        std::string text = fmt::format("{} {}", field_.title, number);
        if (name_ == "shape") text = number < 0 ? "sphere" : shape_names_.at(number);
        if (name_ == "material" && number >= 0 && static_cast<std::size_t>(number) < materials.size())
            text = materials[static_cast<std::size_t>(number)];
        if (by_size) text = fmt::format("fragment {}", number);
        legend.entries.push_back({category_colour(k), text});
    }
    if (order.size() > kMostEntries)
        legend.entries.push_back({from_screen(0xf2f4f6), fmt::format("and {} more", order.size() - kMostEntries)});
    if (legend.entries.empty()) legend.entries.push_back({from_screen(0xf2f4f6), "none"});
    return rule;
}

ColourRule Survey::bond_rule(const std::string& colour, Legend& legend) const {
    ColourRule rule;
    rule.map = "embers";
    from_spread(rule, bonds_, true);
    if (colour == "damage" || colour == "strain") rule.high = std::max(1.0, colour == "strain" ? rule.high : 1.0);
    const char* title = colour == "force"    ? "bond force"
                        : colour == "strain" ? "stress / strength"
                        : colour == "kind"   ? "kind of bond"
                                             : "damage of bonds";
    describe(legend, rule, bonds_, title, colour == "force" ? "N" : "1");
    return rule;
}

ColourRule Survey::chain_rule(Legend& legend) const {
    ColourRule rule;
    rule.map = "embers";
    from_spread(rule, forces_, true);
    describe(legend, rule, forces_, "contact force", "N");
    return rule;
}

}  // namespace scree
