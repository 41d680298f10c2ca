// Materials, and what holds between two of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scree {

struct Material {
    std::string name;
    double density{2500};     // [kg/m3]
    double young{1e7};        // Young's modulus [Pa]
    double poisson{0.25};     // Poisson's ratio
    double restitution{0.5};  // with itself
    double friction{0.5};     // with itself
};

/// Contact properties of an ordered or unordered pair of materials.
struct PairProperties {
    double restitution{0.5};
    double friction{0.5};
    double stiffness{0};                 // k_n of the linear law [N/m]; 0 for the Hertz law
    double tangential_ratio{2.0 / 7.0};  // k_t / k_n of the linear law
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

enum class Law { Linear, Hertz };

}  // namespace scree
