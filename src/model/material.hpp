// Materials, and what holds between two of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "laws/friction.hpp"
#include "laws/part.hpp"
#include "laws/rolling.hpp"

namespace scree {

/// Linear, Hertz: springs and dashpots with tangential history. Volume: polyhedra only, conserves energy with the volume shared as its
/// potential. Power: K_r delta^1.5 with viscous friction, without history (BLAZE-DEM). Plastic: one of laws/normal.hpp.
enum class Law { Linear, Hertz, Volume, Power, Plastic };

/// The laws of contacts.
struct ContactLaws {
    Law law{Law::Hertz};
    int plastic{0};  // number in PlasticLaws (laws/normal.hpp) under Law::Plastic
    Damping damping{Damping::Restitution};
    Tangential tangential{Tangential::Spring};
    Rolling rolling{Rolling::None};
    Twisting twisting{Twisting::None};
    int cohesion{0};  // number in CohesionLaws (laws/cohesion.hpp); 0: none
};

/// The law by which contacts load: linear or Hertz of laws with a memory, else the law itself.
Law loading_law(const ContactLaws& laws);

struct Material {
    std::string name;
    double density{2500};                              // [kg/m3]
    double young{1e7};                                 // Young's modulus [Pa]
    double poisson{0.25};                              // Poisson's ratio
    double restitution{0.5};                           // with itself
    double friction{0.5};                              // with itself
    double rolling_friction{0}, spinning_friction{0};  // with itself
    double rolling_damping{0};                         // with itself, of the penalty method's rolling springs
    double cohesion{0};                                // with itself, cone method [N]
    double liquid_content{0};                          // of a film on bodies of it, over their volume
};

/// Contact properties of an ordered or unordered pair of materials.
struct PairProperties {
    double restitution{0.5};
    double friction{0.5};
    // Torques about the contact up to these times R_eff times the normal force, R_eff = r_a r_b / (r_a + r_b), of a body and a wall the
    // body's radius (bounding radius of a polyhedron); the second of the cone method, the first of the penalty method with Rolling too:
    double rolling_friction{0};
    double spinning_friction{0};
    double rolling_damping{0};           // over the critical damping of rolling springs
    double cohesion{0};                  // largest pull that a touching contact bears, cone method [N]
    double stiffness{0};                 // k_n of the linear law [N/m]; 0 for the Hertz law
    double tangential_ratio{2.0 / 7.0};  // k_t / k_n of the linear law
    // The power law (BLAZE-DEM, eqs. 6-8) takes `stiffness` as K_r [N/m^1.5] and these:
    double damping{0};             // K_D [N s/m^1.5]
    double tangential_damping{0};  // K_T [N s/m]
    // What the law of cohesion reads, in the order of its declaration (laws/cohesion.hpp).
    std::array<double, most_law_parameters> cohesion_values{};
    // The same of a normal law with a memory, of a dashpot and of friction (laws/normal.hpp, laws/friction.hpp).
    std::array<double, most_law_parameters> plastic_values{}, damping_values{}, friction_values{};
    std::optional<ContactLaws> laws{};  // where they are others than those of the method
};

/// A symmetric table of PairProperties, count × count.
class PairTable {
public:
    PairTable() = default;
    explicit PairTable(std::size_t count) : count_(count), entries_(count * count) {}
    std::size_t count() const { return count_; }
    const PairProperties& operator()(std::size_t a, std::size_t b) const { return entries_[a * count_ + b]; }
    void set(std::size_t a, std::size_t b, const PairProperties& p) {
        entries_[a * count_ + b] = p;
        entries_[b * count_ + a] = p;
    }

private:
    std::size_t count_{0};
    std::vector<PairProperties> entries_;
};

}  // namespace scree
