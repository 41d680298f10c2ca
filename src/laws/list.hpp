// Laws of a kind, by number from 1 on; 0 stands for what has no declaration of its own.
#pragma once

#include <string_view>
#include <type_traits>

#include "laws/part.hpp"

namespace scree {

template <class... Laws>
struct LawList {
    static constexpr int count = sizeof...(Laws);
    static constexpr const LawPart* parts[] = {&Laws::part...};

    /// The number of a law; 0 where it is none of these.
    template <class Law>
    static constexpr int number() {
        int at = 0, found = 0;
        ((++at, found = std::is_same_v<Laws, Law> ? at : found), ...);
        return found;
    }
    static constexpr int number(std::string_view name) {
        for (int k = 0; k < count; ++k)
            if (name == parts[k]->name) return k + 1;
        return 0;
    }

    /// use(Law{}) of law `number`; nothing for any other number.
    template <class Use>
    static void with(int number, Use use) {
        int at = 0;
        ((++at == number ? use(Laws{}) : void()), ...);
    }
};

}  // namespace scree
