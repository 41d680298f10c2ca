// A run directory as a view sees it: frames and series, read again as they grow. The run that writes them is not asked: a frame that is
// being written while it is read is read again.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <list>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "output/frame_reader.hpp"
#include "output/run_directory.hpp"
#include "scene/material_names.hpp"
#include "view/source.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKept = 3;  // frames in memory
constexpr int kTries = 8;         // at a file that a run is writing
constexpr int kPause = 30;        // between them [ms]

/// What tells one state of a file from another.
struct Stamp {
    std::uint64_t node{0};
    std::int64_t size{-1}, changed{0};  // [bytes], [ns]
    bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {status.st_ino, static_cast<std::int64_t>(status.st_size),
            static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec};
}

bool holds_like(const FrameParts& kind, const FrameEntry& frame) {
    const auto same = [](const SnapshotColumn& a, const ColumnEntry& b) { return a.name == b.name && a.components == b.components; };
    const std::vector<SnapshotColumn>& columns = kind.bodies.columns;
    return kind.has_contacts == frame.contacts && kind.has_bonds == frame.bonds && kind.has_velocity == frame.velocity &&
           kind.has_angular_velocity == frame.angular_velocity &&
           std::equal(columns.begin(), columns.end(), frame.columns.begin(), frame.columns.end(), same);
}

/// The place in `kinds` of what a frame holds, added where it is not there.
std::size_t place_of_kind(const FrameEntry& frame, std::vector<FrameParts>& kinds) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const FrameParts& kind) { return holds_like(kind, frame); });
    const auto place = static_cast<std::size_t>(found - kinds.begin());
    if (found != kinds.end()) return place;
    FrameParts& kind = kinds.emplace_back();
    kind.has_contacts = frame.contacts;
    kind.has_bonds = frame.bonds;
    kind.has_velocity = frame.velocity;
    kind.has_angular_velocity = frame.angular_velocity;
    for (const ColumnEntry& column : frame.columns) kind.bodies.columns.push_back({column.name, {}, column.components, {}});
    return place;
}

class RunSource : public ViewSource {
public:
    RunSource(const std::string& path, bool awaited) : awaited_(awaited) {
        std::error_code error;
        if (!awaited && !fs::exists(path, error)) throw Error(path + ": no such run directory, file with frames, or scene");
        const bool folder = awaited || fs::is_directory(path, error);
        directory_ = folder ? path : "";
        file_ = folder ? run_file(path, RunFiles::frames) : path;
        if (!awaited && folder && !fs::exists(run_file(path, RunFiles::scene), error) && !fs::exists(file_, error))
            throw Error(path + ": a folder, but not a run directory (it holds no frames)");
        fs::path plain = fs::absolute(path).lexically_normal();
        if (!plain.has_filename()) plain = plain.parent_path();
        name_ = plain.filename().string();
        if (!awaited && !folder) FrameReader{file_};  // throws what is wrong with it
        look();
    }

    bool look() override {
        bool changed = !directory_.empty() && series_.read(run_file(directory_, RunFiles::series));
        const Stamp now = stamp_of(file_);
        if (now != stamp_) changed = open(now) || changed;
        const bool was = running_;
        running_ = runs(now);
        const std::string told = std::exchange(error_, running_ || awaited_ || !reader_ ? "" : reader_->damage());
        return changed || was != running_ || told != error_;
    }

    const FrameParts& parts(std::size_t k) override {
        if (k >= frames_.size()) throw Error("there is no such frame");
        for (auto at = kept_.begin(); at != kept_.end(); ++at) {
            if (at->frame != k) continue;
            kept_.splice(kept_.begin(), kept_, at);
            return kept_.front().parts;
        }
        for (int t = 0;; ++t) {
            try {
                const Stamp before = stamp_of(file_);
                if (!reader_ || before != stamp_) open(before);
                if (!reader_) throw Error(name_ + ": cannot be read now");
                if (k >= reader_->frames().size()) throw Error("there is no such frame");
                FrameParts parts = read_parts(*reader_, k);
                parts.shapes = &geometry_->shapes;
                parts.walls = geometry_->of(reader_->frames()[k].walls);
                // Of a run that writes often, no two looks find the same file; what it has once written whole stays where it is.
                if (stamp_of(file_) == before || t > 0) return keep(k, std::move(parts));
            } catch (const Error&) {
                if (t + 1 == kTries) throw;
                close();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(kPause));
        }
    }

private:
    /// What frames refer to; it outlives the reader, which is closed before the file is opened again: the HDF5 library would else go on
    /// with what it knew of it.
    struct Geometry {
        std::vector<ShapeFaces> shapes;
        WallSets walls;
        const std::vector<WallSurface>* of(const std::string& set) const {
            static const std::vector<WallSurface> none;
            const auto found = walls.find(set);
            return found == walls.end() ? &none : &found->second;
        }
        bool operator==(const Geometry&) const = default;
    };
    struct Kept {
        std::size_t frame{0};
        std::shared_ptr<const Geometry> geometry;
        FrameParts parts;
    };

    const FrameParts& keep(std::size_t k, FrameParts parts) {
        kept_.push_front({k, geometry_, std::move(parts)});
        if (kept_.size() > kKept) kept_.pop_back();
        return kept_.front().parts;
    }

    /// Keeps what has been read of frames_ for the next reader.
    void close() {
        if (!reader_) return;
        known_ = reader_->take_frames();
        known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(frames_.size()), known_.end());
        reader_.reset();
    }

    /// Reads the list of frames. False where it is as it was, or cannot be read now.
    bool open(const Stamp& now) {
        close();
        if (now.size < 0) {
            const bool had = !frames_.empty();
            known_.clear(), kept_.clear(), frames_.clear(), kinds_.clear();
            stamp_ = now;
            edition_ += had ? 1 : 0;
            return had;
        }
        std::vector<ViewFrame> frames;
        std::vector<FrameParts> kinds;
        std::unique_ptr<FrameReader> reader;
        try {
            if (now.node != stamp_.node || now.size < stamp_.size) known_.clear();
            reader = std::make_unique<FrameReader>(file_, std::move(known_));
            for (const FrameEntry& frame : reader->frames()) frames.push_back({frame.step, frame.time, place_of_kind(frame, kinds)});
        } catch (const Error&) {
            return false;  // once more, later
        }
        // A run that writes often is never found at rest: of what it wrote meanwhile, the last may not be whole.
        if (stamp_of(file_) != now && frames.size() > frames_.size()) frames.pop_back();
        const auto same = [](const ViewFrame& a, const ViewFrame& b) { return a.step == b.step && a.time == b.time; };
        const bool grown = frames.size() >= frames_.size() && std::equal(frames_.begin(), frames_.end(), frames.begin(), same) &&
                           (now.node == stamp_.node || stamp_.size < 0);
        const bool changed = !grown || frames.size() > frames_.size();
        if (!grown || edition_ == 0) {
            ++edition_;
            kept_.clear();
            read_materials();
        }
        frames_ = std::move(frames);
        kinds_ = std::move(kinds);
        reader_ = std::move(reader);
        Geometry geometry{reader_->shapes(), reader_->wall_sets()};
        if (!geometry_ || geometry != *geometry_) geometry_ = std::make_shared<const Geometry>(std::move(geometry));
        stamp_ = now;
        return changed;
    }

    bool runs(const Stamp& frames) const {
        if (awaited_) return true;
        return !directory_.empty() && frames.size >= 0 && frames_may_grow(directory_);
    }

    void read_materials() {
        materials_.clear();
        if (!directory_.empty()) materials_ = material_names(run_file(directory_, RunFiles::scene));
    }

    bool awaited_;
    std::string directory_, file_;
    std::unique_ptr<FrameReader> reader_;
    std::vector<FrameEntry> known_;  // of frames_, while there is no reader
    std::shared_ptr<const Geometry> geometry_;
    Stamp stamp_;
    std::list<Kept> kept_;
};

}  // namespace

std::unique_ptr<ViewSource> open_run_source(const std::string& path, bool awaited) {
    return std::make_unique<RunSource>(path, awaited);
}

}  // namespace scree
