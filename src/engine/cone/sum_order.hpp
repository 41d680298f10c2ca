// Sums over the contacts of a problem in an order that neither threads nor slots change: for what methods measure of vectors.
#pragma once

#include "engine/cone/operator.hpp"
#include "engine/exec/reduce.hpp"

namespace scree::SCREE_FLAVOR {

/// Folds the parts of groups, by id.
template <class Part, class Add>
void fold_groups(const Exec& exec, const SumOrder& order, const Part* part, Part* out, Add add, Gate gate) {
    const Slot* slot = order.slot_of_id;
    fold_into(
        exec, "cone/sum_groups", order.ids, out,
        SCREE_LAMBDA(Index id)->Part {
            if (slot[id] < 0) return {};
            return part[slot[id]];
        },
        add, gate);
}

/// Folds all contacts into *out, which kernels can read; nobody waits. add_one(sum, k) adds contact k, add(sum, part) a part; Part{} is
/// nothing.
template <class Part, class AddOne, class Add>
void fold_contacts(ConeOperator& problem, const char* label, Part* out, AddOne add_one, Add add, Gate gate) {
    static_assert(sizeof(Part) <= sizeof(StepSums));
    const SumOrder order = problem.sum_order();
    const Index* first = order.first;
    if (first == nullptr) {
        fold_into(
            problem.exec(), label, problem.cone().contacts, out,
            SCREE_LAMBDA(Index k)->Part {
                Part sum{};
                add_one(sum, k);
                return sum;
            },
            add, gate);
        return;
    }
    Part* part = reinterpret_cast<Part*>(order.buffers);
    for_each(
        problem.exec(), label, order.groups,
        SCREE_LAMBDA(Index g)->void {
            Part sum{};
            for (Index k = first[g]; k < first[g + 1]; ++k) add_one(sum, k);
            part[g] = sum;
        },
        gate);
    fold_groups(problem.exec(), order, part, out, add, gate);
}

}  // namespace scree::SCREE_FLAVOR
