#include "engine/broad/broad.hpp"
#include "engine/contacts/carry.hpp"

namespace scree::SCREE_FLAVOR {

void set_contacts_aside(State& state, Workspace& work, bool forces) {
    each_list(
        [&](const ListLayout& layout, ContactList& list, OldContacts& old) {
            set_aside(work.exec, layout, list, old, images_of(work.images), forces || &list != &state.lists[kSpheres]);
        },
        state.lists, work.old_lists);
}

void carry_history(State& state, Workspace& work) {
    each_list([&](const ListLayout& layout, ContactList& list,
                  OldContacts& old) { carry_contacts(work.exec, layout, list, old, state.bodies.id.data(), work.old_slot_of_id.data()); },
              state.lists, work.old_lists);
}

}  // namespace scree::SCREE_FLAVOR
