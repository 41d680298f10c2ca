#include "layouts/layout.hpp"

#include <stdexcept>

#include "layouts/all.hpp"

namespace scree::layouts {

namespace {

template <class Particles, class Cells>
class LayoutOf final : public Layout {
public:
    void load(const Scene& scene) override { layouts::load(scene, particles_); }
    void build(const Grid& grid) override { search_.build(particles_, grid); }
    void build_first(const Grid& grid) override {
        search_ = {};
        search_.build(particles_, grid);
    }
    bool update(const Grid& grid) override {
        if constexpr (requires { search_.cells().update(particles_, grid); }) {
            search_.cells().update(particles_, grid);
            return true;
        }
        return false;
    }
    PairSum search(const Grid& grid, Stencil stencil, Walk walk) const override {
        if (stencil == Stencil::Full)
            return walk == Walk::Cells ? sum<Stencil::Full, Walk::Cells>(grid) : sum<Stencil::Full, Walk::Particles>(grid);
        return walk == Walk::Cells ? sum<Stencil::Half, Walk::Cells>(grid) : sum<Stencil::Half, Walk::Particles>(grid);
    }
    QueryCount count(const Grid& grid, Stencil stencil) const override {
        if (stencil == Stencil::Full) return search_.template count<Stencil::Full>(particles_, grid);
        return search_.template count<Stencil::Half>(particles_, grid);
    }
    double bytes() const override { return static_cast<double>(search_.cells().bytes()); }
    double build_bytes() const override { return search_.cells().build_bytes(particles_.size()); }
    double needs(double n, double cells) const override { return Cells::needs(n, cells); }

private:
    template <Stencil stencil, Walk walk>
    PairSum sum(const Grid& grid) const {
        PairSum sum;
        search_.template for_each_pair<stencil, walk>(particles_, grid, [&](Id a, Id b) { sum.add(a, b); });
        return sum;
    }

    Particles particles_;
    Search<Particles, Cells> search_;
};

}  // namespace

std::vector<std::string> structure_names() {
    std::vector<std::string> names;
    for_each_structure([&]<class Cells>() { names.emplace_back(Cells::name); });
    return names;
}

std::vector<std::string> storage_names() {
    std::vector<std::string> names;
    for_each_storage([&]<class Particles>() { names.emplace_back(Particles::name); });
    return names;
}

std::unique_ptr<Layout> make_layout(const std::string& structure, const std::string& storage) {
    std::unique_ptr<Layout> layout;
    for_each_structure([&]<class Cells>() {
        for_each_storage([&]<class Particles>() {
            if (structure == Cells::name && storage == Particles::name) layout = std::make_unique<LayoutOf<Particles, Cells>>();
        });
    });
    if (!layout) throw std::invalid_argument("no layout " + structure + " over " + storage);
    return layout;
}

}  // namespace scree::layouts
