// Contacts go from one list to the next: what each keeps is carried to the pair of the same ids.
#pragma once

#include "engine/contacts/images.hpp"
#include "engine/contacts/lists.hpp"

namespace scree::SCREE_FLAVOR {

/// Moves the columns of a list aside, and what tells its pairs. forces: also those; else they stay, for their memory is not needed twice.
/// images: of that list.
void set_aside(const Exec& exec, const ListLayout& layout, ContactList& list, OldContacts& old, const ImagesOf& images, bool forces);

/// Gives each pair of a new list what the pair of its ids had in the old one. id: of slots; old_slot: of ids, -1 where the body was not.
void carry_contacts(const Exec& exec, const ListLayout& layout, ContactList& list, OldContacts& old, const std::uint32_t* id,
                    const Slot* old_slot);

/// A list of surfaces as it was set aside: what a checkpoint holds of one that carries nothing over.
void take_back(const Exec& exec, ContactList& list, OldContacts& old);

}  // namespace scree::SCREE_FLAVOR
