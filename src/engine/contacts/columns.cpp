#include "engine/contacts/columns.hpp"

namespace scree::SCREE_FLAVOR {

void resize_columns(const Exec& exec, ContactColumns& columns, Index n, std::uint32_t groups) {
    each_column(
        [&](const Column& column, auto& array) {
            array.renew((groups & column.group) != 0 ? n : 0);
            if (array.size() == 0 || column.unset == Unset::FarAway) return;
            fill_bytes(array.data(), column.unset == Unset::MinusOne ? 0xff : 0, static_cast<std::size_t>(n) * sizeof(*array.data()));
        },
        columns);
    double* distance = columns.distance.data();
    for_each(
        exec, "contacts/far_away", columns.distance.size(), SCREE_LAMBDA(Index p)->void { distance[p] = no_contact; });
}

}  // namespace scree::SCREE_FLAVOR
