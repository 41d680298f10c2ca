// A scene before it runs: its bodies as the engine holds them at the start, its walls, where bodies come and go, or what is wrong with it.
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "output/frame_geometry.hpp"
#include "scene/parse.hpp"
#include "view/source.hpp"

namespace scree {
namespace {

Aabb box_of(const Region& region) {
    switch (region.kind) {
        case Region::Kind::Box:
            return region.box;
        case Region::Kind::Sphere:
            return grown(Aabb{region.point, region.point}, region.radius);
        case Region::Kind::Cylinder: {
            // Of its two end circles: along an axis each reaches as far as the radius times the sine of the angle to it.
            Aabb box;
            for (const double s : {0.0, region.length}) {
                const Vec3 end = region.point + s * region.axis;
                Vec3 reach;
                for (int a = 0; a < 3; ++a) {
                    const double n = along(region.axis, a);
                    along(reach, a) = region.radius * std::sqrt(std::max(0.0, 1 - n * n));
                }
                box.include(end - reach);
                box.include(end + reach);
            }
            return box;
        }
        case Region::Kind::HalfSpace:
            return {};  // it has no end
    }
    return {};
}

class SceneSource : public ViewSource {
public:
    SceneSource(const std::string& path, std::vector<std::string> overrides, CheckReport report)
        : path_(path), overrides_(std::move(overrides)), check_(std::move(report)) {
        name_ = std::filesystem::path(path).filename().string();
        is_scene_ = true;
        look();
    }

    bool look() override {
        struct stat status {};
        if (::stat(path_.c_str(), &status) != 0) return false;  // an editor may be putting another in its place
        const auto when = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec;
        if (when == changed_ && status.st_size == size_) return false;
        changed_ = when;
        size_ = status.st_size;
        build();
        ++edition_;
        return true;
    }

    const FrameParts& parts(std::size_t k) override {
        if (k >= frames_.size()) throw Error("the scene could not be built");
        return parts_;
    }

private:
    void build() {
        frames_.clear();
        regions_.clear();
        error_.clear();
        report_.clear();
        parts_ = {};
        try {
            const Scene scene = parse_scene(path_, overrides_);
            const BuiltModel built = build_model(scene);
            materials_.clear();
            for (const SceneMaterial& material : scene.materials) materials_.push_back(material.name);
            for (const Insertion& stream : built.insertions) {
                if (stream.has_region) regions_.push_back({stream.name, stream.region.bounds()});
            }
            for (const Removal& removal : built.removals) {
                const Aabb box = box_of(removal.region);
                if (!box.empty()) regions_.push_back({removal.name, box});
            }
            report_ = check_(scene, built);
            geometry_ = frame_geometry(built.model);
            EngineOptions options;
            options.device = Device::Cpu;
            options.threads = 1;
            parts_.bodies = make_engine(built.model, options)->snapshot();
            parts_.shapes = &geometry_.shapes;
            parts_.walls = &geometry_.walls;
            FrameParts kind;
            for (const SnapshotColumn& column : parts_.bodies.columns)
                kind.bodies.columns.push_back({column.name, column.unit, column.components, {}});
            kinds_ = {kind};
            frames_ = {{0, 0.0}};
        } catch (const std::exception& e) {
            error_ = e.what();
        }
    }

    std::string path_;
    std::vector<std::string> overrides_;
    CheckReport check_;
    FrameGeometry geometry_;
    FrameParts parts_;
    std::int64_t changed_{0}, size_{-1};
};

}  // namespace

std::unique_ptr<ViewSource> open_scene_source(const std::string& path, const std::vector<std::string>& overrides, CheckReport report) {
    return std::make_unique<SceneSource>(path, overrides, std::move(report));
}

}  // namespace scree
