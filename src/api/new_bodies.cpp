#include "api/new_bodies.hpp"

#include <string>
#include <utility>

namespace scree_v0 {
namespace {

std::size_t rows_of(const char* what, const std::vector<double>& numbers, std::size_t components) {
    if (numbers.size() % components == 0) return numbers.size() / components;
    throw SceneError(std::string(what) + " has rows of " + std::to_string(components) + " numbers, which " +
                     std::to_string(numbers.size()) + " are not");
}

std::vector<::scree::Vec3> vectors_of(const char* what, const std::vector<double>& numbers) {
    std::vector<::scree::Vec3> rows;
    for (std::size_t k = 0; k < rows_of(what, numbers, 3); ++k) rows.push_back({numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]});
    return rows;
}

}  // namespace

::scree::AskedBodies asked_of(const NewBodies& bodies) {
    ::scree::AskedBodies asked;
    asked.stock = bodies.stock;
    asked.ids = bodies.ids;
    asked.count = bodies.count;
    asked.position = vectors_of("position", bodies.position);
    asked.velocity = vectors_of("velocity", bodies.velocity);
    asked.angular_velocity = vectors_of("angular_velocity", bodies.angular_velocity);
    const std::vector<double>& q = bodies.orientation;
    for (std::size_t k = 0; k < rows_of("orientation", q, 4); ++k)
        asked.orientation.push_back({q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]});
    return asked;
}

Stock stock_of(const ::scree::Model& model, std::vector<std::uint32_t> ids) {
    Stock stock;
    for (const std::uint32_t id : ids) {
        stock.radius.push_back(model.bodies.radius[id]);
        stock.mass.push_back(model.bodies.mass[id]);
    }
    stock.ids = std::move(ids);
    return stock;
}

}  // namespace scree_v0
