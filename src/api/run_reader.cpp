#define SCREE_INSIDE
#include <scree/run_reader.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "api/inside.hpp"
#include "output/frame_reader.hpp"
#include "output/run_directory.hpp"
#include "render/render_run.hpp"
#include "scene/material_names.hpp"
#include "view/series_table.hpp"

namespace scree_v0 {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Table series_in(const std::string& folder) {
    ::scree::SeriesTable file;
    file.read(::scree::run_file(folder, ::scree::RunFiles::series));
    Table table;
    table.columns = file.columns();
    for (std::size_t c = 0; c < table.columns.size(); ++c) table.values.push_back(file.values(c));
    return table;
}

::scree::RenderOptions picture_options(int width, int height, const std::string& colour) {
    for (const int side : {width, height}) {
        if (side < ::scree::kSmallestSide || side > ::scree::kLargestSide) {
            throw SceneError("size: width and height of a picture are from " + std::to_string(::scree::kSmallestSide) + " to " +
                             std::to_string(::scree::kLargestSide) + " pixels, not " + std::to_string(side));
        }
    }
    ::scree::RenderOptions options;
    options.size = {width, height};
    options.colour = colour;
    return options;
}

struct RunReader::Content {
    std::string path, folder;  // folder: empty where a file alone was given
    std::unique_ptr<::scree::FrameReader> reader;
    std::vector<FrameInfo> frames;
    std::string damage;

    std::string in_folder(const char* name) const { return folder.empty() ? "" : ::scree::run_file(folder, name); }
    std::size_t require(std::size_t index) const {
        if (index < frames.size()) return index;
        throw SceneError(path + " has no frame " + std::to_string(index) + ": it has " + std::to_string(frames.size()));
    }
};

RunReader::RunReader(const std::string& path) : content_(std::make_unique<Content>()) {
    translated([&] {
        const std::lock_guard lock(one_at_a_time());
        content_->path = path;
        if (fs::is_directory(path)) content_->folder = path;
        if (content_->folder.empty()) {
            content_->reader = std::make_unique<::scree::FrameReader>(path);
        } else {  // a run may be writing there: what is not whole yet is left out
            content_->reader =
                std::make_unique<::scree::FrameReader>(content_->in_folder(::scree::RunFiles::frames), std::vector<::scree::FrameEntry>{});
        }
        if (!content_->folder.empty() && !::scree::frames_may_grow(content_->folder)) content_->damage = content_->reader->damage();
        for (const ::scree::FrameEntry& entry : content_->reader->frames())
            content_->frames.push_back({entry.step, entry.time, entry.bodies, entry.contacts});
    });
}
RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

const std::vector<FrameInfo>& RunReader::frames() const {
    return content_->frames;
}

const std::string& RunReader::damage() const {
    return content_->damage;
}

State RunReader::frame(std::size_t index) const {
    return translated([&] {
        const std::lock_guard lock(one_at_a_time());
        return state_of(content_->reader->read(content_->require(index)));
    });
}

std::vector<Contact> RunReader::contacts(std::size_t index) const {
    return translated([&] {
        const std::lock_guard lock(one_at_a_time());
        return contacts_of(content_->reader->contacts(content_->require(index)));
    });
}

Table RunReader::series() const {
    return translated([&] { return content_->folder.empty() ? Table{} : series_in(content_->folder); });
}

std::string RunReader::summary() const {
    return text_of(content_->in_folder(::scree::RunFiles::summary));
}
std::string RunReader::scene() const {
    return text_of(content_->in_folder(::scree::RunFiles::scene));
}

void RunReader::picture(const std::string& file, std::int64_t frame, int width, int height, const std::string& colour) const {
    translated([&] {
        if (fs::path(file).extension() != ".png") throw SceneError(file + ": the name of a picture ends in .png");
        const std::lock_guard lock(one_at_a_time());
        ::scree::RenderOptions options = picture_options(width, height, colour);
        options.runs = {content_->path};
        options.output = file;
        options.overwrite = true;
        options.frames = std::to_string(frame);
        if (!content_->folder.empty()) options.materials.push_back(::scree::material_names(content_->in_folder(::scree::RunFiles::scene)));
        ::scree::render_runs(options);
    });
}

}  // namespace scree_v0
