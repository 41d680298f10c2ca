// Normal laws with a memory (laws/normal.hpp): force and energy agree, nothing is won in a cycle, and what is published of each.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "base/rng.hpp"
#include "laws/kinds.hpp"

namespace scree {
namespace {

struct Row {
    double k_n, own[plastic_row_values];
};

constexpr double R = 2.5e-3;
struct Case {
    std::string_view law;
    double k_n;
    LawValues values;
};
const Case cases[] = {{"walton_braun", 1e5, {{4e5}, 0}},         {"luding", 1e5, {{4e5, 0, 0}, 0}},
                      {"luding", 1e5, {{4e5, 0.5e5, 0}, 0}},     {"luding", 1e5, {{4e5, 2e5, 0.01}, 0}},
                      {"luding", 1e5, {{1e5, 0.5e5, 0.01}, 0}},  {"thornton_ning", 7e8, {{1e7}, 5e8}},
                      {"eepa", 7e8, {{0.0, 0, 0, 1.5}, 5e8}},    {"eepa", 7e8, {{0.6, 0, 0, 1.5}, 5e8}},
                      {"eepa", 7e8, {{0.6, 5, 0.01, 1.5}, 5e8}}, {"eepa", 7e8, {{0.9, 100, 0.01, 4.0}, 5e8}}};

template <class Law>
Row row_of(const Case& of) {
    Row row{of.k_n, {}};
    const PlasticRow own = Law::row(of.values, of.k_n);
    for (int k = 0; k < plastic_row_values; ++k) row.own[k] = own.value[k];
    return row;
}

template <class Use>
void each_case(Use use) {
    for (const Case& of : cases) {
        CAPTURE(of.law);
        CAPTURE(of.values.value[0]);
        CAPTURE(of.values.value[1]);
        PlasticLaws::with(PlasticLaws::number(of.law), [&](auto law) { use(law, row_of<decltype(law)>(of), of); });
    }
}

TEST_CASE("plastic: what is loaded again from a memory gives the same memory and force") {
    each_case([](auto law, const Row& q, const Case&) {
        using Law = decltype(law);
        PlasticMemory<double> memory{0, 0};
        Rng rng(3, 4);
        for (int k = 0; k < 500; ++k) {
            const double delta = rng.uniform(1e-9, 5e-5);
            const PlasticForce<double> once = Law::template load<double>(q, R, delta, memory);
            const PlasticForce<double> again = Law::template load<double>(q, R, delta, once.memory);
            // The branch that pulls has a memory that just comes back to it.
            CHECK(again.elastic == doctest::Approx(once.elastic).epsilon(1e-9));
            CHECK(again.memory.deepest == doctest::Approx(once.memory.deepest).epsilon(1e-9));
            CHECK(again.memory.softened == doctest::Approx(once.memory.softened).epsilon(1e-9));
            CHECK(once.elastic >= -once.pull * (1 + 1e-12));
            CHECK(once.pull >= 0);
            memory = once.memory;
        }
    });
}

TEST_CASE("plastic: force is continuous in the overlap, whatever it remembers, and no steeper than it says") {
    each_case([](auto law, const Row& q, const Case& of) {
        using Law = decltype(law);
        for (const double deepest : {2e-6, 1e-5, 4e-5}) {
            PlasticMemory<double> memory{0, 0};
            double before = Law::template load<double>(q, R, 1e-12, memory).elastic;
            const double most = Law::steepest(of.values, of.k_n, R, 4e-5), h = 1e-9;
            const auto go = [&](double delta) {
                const PlasticForce<double> now = Law::template load<double>(q, R, delta, memory);
                CHECK(std::fabs(now.elastic - before) <= 1.01 * most * h);
                before = now.elastic;
                memory = now.memory;
            };
            for (double delta = h; delta < deepest; delta += h) go(delta);
            for (double delta = deepest; delta > h; delta -= h) go(delta);
            for (double delta = h; delta < 1.2 * deepest && delta < 4e-5; delta += h) go(delta);
        }
    });
}

TEST_CASE("plastic: no way through overlaps gives more than was put in, and elastic energy is what unloading gives") {
    each_case([](auto law, const Row& q, const Case&) {
        using Law = decltype(law);
        Rng rng(1, 2);
        for (int way = 0; way < 20; ++way) {
            PlasticMemory<double> memory{0, 0};
            double delta = 0, lost = 0, largest = 0;
            for (int leg = 0; leg < 12; ++leg) {
                const double to = leg == 11 ? 0.0 : rng.uniform(0, 3e-5), from = delta;
                const int steps = 2000;
                for (int k = 1; k <= steps; ++k) {
                    const double next = from + (to - from) * k / steps;
                    const double loss = plastic_loss<Law>(q, R, delta, memory, next);
                    const double stored = next > 0 ? Law::template stored<double>(q, R, next, memory) : 0.0;
                    largest = std::fmax(largest, std::fabs(stored));
                    lost += loss;
                    CHECK(loss >= -3e-5 * largest);  // of the trapezium, of second order in the step
                    memory = next > 0 ? Law::template load<double>(q, R, next, memory).memory : PlasticMemory<double>{0, 0};
                    delta = next;
                }
            }
            CHECK(lost >= -1e-4 * largest);
        }
    });
}

TEST_CASE("plastic: Luding's landmarks") {
    const double k_1 = 1e5, k_2 = 4e5, k_c = 0.5e5, phi = 0.01, deepest = k_2 / (k_2 - k_1) * 2 * phi * R;
    const Row q = row_of<Luding>({"luding", k_1, {{k_2, k_c, phi}, 0}});
    const auto force = [&](double delta, PlasticMemory<double> memory) { return Luding::load<double>(q, R, delta, memory).elastic; };
    CHECK(force(2e-5, {0, 0}) == doctest::Approx(k_1 * 2e-5));
    // From m* on one line, both ways, with phi 2 R_eff left of it.
    CHECK(force(2 * deepest, {0, 0}) == doctest::Approx(k_2 * (2 * deepest - 2 * phi * R)));
    CHECK(force(1.5 * deepest, {deepest, deepest}) == doctest::Approx(k_2 * (1.5 * deepest - 2 * phi * R)));
    CHECK(std::fabs(force(2 * phi * R, {deepest, deepest})) < 1e-9);
    CHECK(force(phi * R, {deepest, deepest}) == doctest::Approx(-k_c * phi * R));
}

TEST_CASE("plastic: Thornton and Ning's flattened spheres begin as what they were, and unload by Hertz's law of R_p") {
    const double E = 5e8, p_y = 1e7, pi = 3.14159265358979323846, first = std::pow(pi * p_y / (2 * E), 2) * R, k = 4.0 / 3 * E;
    const Row q = row_of<ThorntonNing>({"thornton_ning", k, {{p_y}, E}});
    const double force_y = k * std::sqrt(R) * std::pow(first, 1.5), m = 20 * first, most = force_y + pi * p_y * R * (m - first);
    CHECK(ThorntonNing::load<double>(q, R, m, {0, 0}).elastic == doctest::Approx(most));
    const double R_p = 4 * E / (3 * most) * std::pow((2 * most + force_y) / (2 * pi * p_y), 1.5);
    const double left = m - std::pow(most / (k * std::sqrt(R_p)), 2.0 / 3);
    CHECK(R_p > R);
    for (const double share : {0.1, 0.5, 0.9}) {
        const double delta = left + share * (m - left);
        CHECK(ThorntonNing::load<double>(q, R, delta, {m, 0}).elastic == doctest::Approx(k * std::sqrt(R_p) * std::pow(delta - left, 1.5)));
    }
    CHECK(ThorntonNing::load<double>(q, R, 0.99 * left, {m, 0}).elastic == 0);
}

TEST_CASE("plastic: the Edinburgh law's largest pull is 3/2 pi Delta_gamma a of the flattened circle") {
    const double k = 7e8, ratio = 0.6, energy = 5, f_0 = 0.001, m = 3e-5, pi = 3.14159265358979323846;
    const Row q = row_of<Eepa>({"eepa", k, {{ratio, energy, f_0, 1.5}, 5e8}});
    const double left = std::pow(ratio, 2.0 / 3) * m, wanted = 1.5 * pi * energy * std::sqrt(2 * R * left);
    double most = 0;
    PlasticMemory<double> memory{m, std::pow(m, 1.5)};
    for (double delta = m; delta > 1e-9; delta -= 1e-9) {
        const PlasticForce<double> now = Eepa::load<double>(q, R, delta, memory);
        most = std::fmax(most, -now.elastic);
        memory = now.memory;
    }
    CHECK(most == doctest::Approx(wanted).epsilon(1e-4));
}

TEST_CASE("laws: names differ within a kind, and each parameter is found by its readers") {
    for (const LawKind& kind : law_kinds()) {
        std::set<std::string> names;
        for (const LawPart* part : kind.parts) {
            CHECK(names.insert(part->name).second);
            CHECK(kind.find(part->name) == part);
        }
    }
    for (const LawParameter* parameter : law_parameters()) CHECK_FALSE(readers_of(parameter->name).empty());
    CHECK(readers_of("density").empty());
    CHECK(mixed(2, 8, Mixing::GeometricMean) == doctest::Approx(4));
    CHECK(mixed(2, 8, Mixing::ArithmeticMean) == 5);
    CHECK(mixed(2, 8, Mixing::Least) == 2);
}

}  // namespace
}  // namespace scree
