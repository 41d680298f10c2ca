#include "engine/state/body_operations.hpp"

#include "base/error.hpp"
#include "engine/exec/loops.hpp"

namespace scree::SCREE_FLAVOR {

namespace {

template <class T>
void permute(const Exec& exec, Array<T>& values, const std::uint32_t* order, Index n, Array<Row4>& buffers) {
    static_assert(sizeof(T) <= sizeof(Row4));
    buffers.resize(std::max(n, buffers.size()));
    T* to = reinterpret_cast<T*>(buffers.data());
    const T* from = values.data();
    for_each(
        exec, "state/permute", n, SCREE_LAMBDA(Index i)->void { to[i] = from[order[i]]; });
    values.resize(n);
    copy_within(values.data(), buffers.data(), static_cast<std::size_t>(n) * sizeof(T));
}

/// use(array) with the array of a field.
template <class Use>
void with_field(Bodies& bodies, const std::string& name, Use use) {
    bool found = false;
    bodies.each_field([&](const BodyField& field, auto& array) {
        if (name != field.name) return;
        found = true;
        use(array);
    });
    if (!found) throw Error("bodies have no field \"" + name + "\"");
}

}  // namespace

void choose_bodies(const Exec& exec, Bodies& bodies, const std::uint32_t* order, Index n, Array<Row4>& buffers) {
    // An array that shrinks to nothing must not look like one that is not in use: the fields in use are those of full length.
    const Index before = bodies.count;
    bodies.each_field([&](const BodyField&, auto& array) {
        if (before > 0 && array.size() == before) permute(exec, array, order, n, buffers);
    });
    bodies.count = n;
}

void append_bodies(Bodies& bodies, Bodies& more) {
    const Index had = bodies.count, all = had + more.count;
    const auto append = [&](const BodyField& field, auto& to, auto& from) {
        if (field.part == kForceSums && (to.size() < had || from.size() < more.count)) {
            to.drop();
            from.drop();
            return;
        }
        if (from.size() == 0 && (to.size() == 0 || more.count == 0)) return;
        if (to.size() != had || from.size() != more.count) throw Error(std::string("only one of two sets of bodies has ") + field.name);
        to.resize(all);
        copy_within(to.data() + had, from.data(), static_cast<std::size_t>(more.count) * sizeof(*from.data()));
    };
    std::apply(
        [&](auto&... to) {
            std::apply(
                [&](auto&... from) {
                    const BodyField* field = body_fields;
                    (append(*field++, to, from), ...);
                },
                more.fields());
        },
        bodies.fields());
    bodies.count = all;
}

std::vector<double> field_values(Bodies& bodies, const std::string& name) {
    std::vector<double> values;
    with_field(bodies, name, [&](auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        for (const T& one : array.host()) {
            if constexpr (std::is_same_v<T, Row4>) {
                values.insert(values.end(), one.value, one.value + 4);
            } else {
                values.push_back(static_cast<double>(one));
            }
        }
    });
    return values;
}

void set_field(Bodies& bodies, const std::string& name, const std::vector<double>& values) {
    with_field(bodies, name, [&](auto& array) {
        using T = typename std::remove_reference_t<decltype(array)>::Value;
        constexpr std::size_t numbers = std::is_same_v<T, Row4> ? 4 : 1;
        const auto n = static_cast<std::size_t>(array.size());
        if (values.size() != numbers * n)
            throw Error("field \"" + name + "\" takes " + std::to_string(numbers * n) + " numbers, not " + std::to_string(values.size()));
        std::vector<T> typed(n);
        for (std::size_t i = 0; i < n; ++i) {
            if constexpr (std::is_same_v<T, Row4>) {
                for (std::size_t k = 0; k < numbers; ++k) typed[i].value[k] = values[numbers * i + k];
            } else {
                typed[i] = static_cast<T>(values[i]);
            }
        }
        array.assign(typed);
    });
}

}  // namespace scree::SCREE_FLAVOR
