// What the sources of the library share: errors turned into those of its headers, and what its classes hold.
#pragma once

#define SCREE_INSIDE

#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <scree/errors.hpp>
#include <scree/scene.hpp>
#include <scree/simulation.hpp>
#include <scree/state.hpp>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "render/render_run.hpp"
#include "scene/scene.hpp"

namespace scree_v0 {

/// Calls f(); what it throws comes out as SceneError, RunError or std::bad_alloc.
template <class F>
auto translated(F&& f) -> decltype(f()) {
    try {
        return f();
    } catch (const SceneError&) {
        throw;
    } catch (const RunError&) {
        throw;
    } catch (const ::scree::Error& e) {
        throw SceneError(e.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        throw RunError(e.what());
    }
}

/// Held while a scene is read or placed, a run opened or closed, a file read or a picture drawn: the libraries behind these are not all
/// made for several threads. Steps go on beside each other.
std::mutex& one_at_a_time();

::scree::EngineOptions options_of(const EngineSettings& settings);

struct Scene::Content {
    ::scree::Scene scene;
    bool is_file{false};
    std::string source, name, folder;  // path or text
    std::vector<std::string> overrides;
};

struct State::Content {
    ::scree::Snapshot snapshot;
};

inline void put(double (&to)[3], const ::scree::Vec3& from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

State state_of(::scree::Snapshot snapshot);
std::vector<Contact> contacts_of(const std::vector<::scree::ContactRecord>& records);
/// Of pictures in these colours; empty: of speed. Throws SceneError where the size is none.
::scree::RenderOptions picture_options(int width, int height, const std::string& colour);
/// series.csv of a run directory.
Table series_in(const std::string& folder);

}  // namespace scree_v0
