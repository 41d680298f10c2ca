// Surfaces that join flush share a contact and its history, whoever owns them.
#pragma once

#include "engine/state/state.hpp"

namespace scree::SCREE_FLAVOR {

/// Contacts with patches and held bodies that did not touch take their history from one with what joins them, before any is touched.
void share_history(State& state, Workspace& work);

}  // namespace scree::SCREE_FLAVOR
