// Makes bonds of [[bond]] tables, and breaks them by [[break]] tables, as they are due while the run goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "setup/bond_pairs.hpp"
#include "setup/bonds.hpp"

namespace scree {

class Bonder {
public:
    /// `plan` and `model` outlive this; bonds that are made are added to the model's.
    Bonder(const BondPlan& plan, Model& model) : plan_(plan), model_(model) {}

    /// The first step after `step` with a look.
    std::int64_t next_after(std::int64_t step) const;
    /// Makes, then breaks what is due at this step. Returns a warning where bodies were to be bonded and none was near another, else "".
    std::string look(Engine& engine, std::int64_t step);

    /// For checkpoints: the step of the last look.
    StateField saved() const;
    /// Throws scree::Error where there is no such field.
    void restore(const EngineState& from);
    bool any() const { return !plan_.makings.empty() || !plan_.breakings.empty(); }
    /// Did the look of this step happen already?
    bool looked_at(std::int64_t step) const { return looked_ >= step; }

private:
    const BondKind& kind_of(const BondMaking& making) const { return model_.bond_kinds[static_cast<std::size_t>(making.kind)]; }
    std::int64_t next_look(const BondKind& kind, std::int64_t step) const;
    std::int64_t next_look(const BondBreaking& breaking, std::int64_t step) const;
    std::string make(Engine& engine, std::int64_t step);
    std::vector<Bond> bonds_near(const BondMaking& making, const Snapshot& bodies) const;
    std::vector<Bond> bonds_touching(const BondMaking& making, Engine& engine) const;
    /// Takes out those whose bodies a bond holds, or has, of the same kind.
    void leave_bonded(const std::vector<bool>& gone, std::vector<Bond>& bonds) const;

    const BondPlan& plan_;
    Model& model_;
    std::int64_t looked_{-1};
};

}  // namespace scree
