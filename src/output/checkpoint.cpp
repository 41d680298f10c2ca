#include "output/checkpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "output/atomic_file.hpp"
#include "output/frame_writer.hpp"
#include "output/geometry_file.hpp"
#include "output/seal.hpp"

namespace scree {
namespace {

constexpr std::int64_t kFormatVersion = 1;
constexpr const char* kCheckpoint = "scree checkpoint";
constexpr const char* kFault = "scree fault";

/// Hash of names, types and bytes of fields, in their order: tells a damaged file from a whole one.
class FieldHash {
public:
    void add(const StateField& field) {
        add(field.name.data(), field.name.size());
        hash_ = hash_combine(hash_, static_cast<std::uint64_t>(field.type));
        add(field.bytes.data(), field.bytes.size());
    }
    std::int64_t value() const { return static_cast<std::int64_t>(hash_); }

private:
    void add(const void* data, std::size_t size) {
        const char* bytes = static_cast<const char*>(data);
        hash_ = hash_combine(hash_, size);
        for (std::size_t i = 0; i < size; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, std::min<std::size_t>(8, size - i));
            hash_ = hash_combine(hash_, word);
        }
    }

    std::uint64_t hash_{0};
};

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0, end = text.find('\n'); end != std::string::npos; from = end + 1, end = text.find('\n', from)) {
        lines.push_back(text.substr(from, end - from));
    }
    return lines;
}

void write_cone(Hdf5File& file, const Checkpoint& checkpoint) {
    for (std::size_t k = 0; k < checkpoint.cone.size(); ++k) {
        const ConeTotals& totals = checkpoint.cone[k].totals;
        const std::string group = "/cone/" + std::to_string(k);
        file.make_group(group);
        file.write_attribute(group, "name", checkpoint.cone[k].name);
        file.write_attribute(group, "steps", totals.steps);
        file.write_attribute(group, "not_converged", totals.not_converged);
        file.write_attribute(group, "contacts", totals.contacts);
        file.write_attribute(group, "iterations", totals.iterations);
        file.write_attribute(group, "most_iterations", totals.most_iterations);
        file.write_attribute(group, "residual", totals.residual);
    }
    if (!checkpoint.solver_lines.empty()) file.write_text("/solver_lines", checkpoint.solver_lines);
}

void read_cone(const Hdf5File& file, Checkpoint& checkpoint) {
    for (const std::string& key : file.children("/cone")) {
        const std::string group = "/cone/" + key;
        ConeTotals totals;
        totals.steps = file.read_int(group, "steps");
        totals.not_converged = file.read_int(group, "not_converged");
        totals.contacts = file.read_int(group, "contacts");
        totals.iterations = file.read_int(group, "iterations");
        totals.most_iterations = file.read_int(group, "most_iterations");
        totals.residual = file.read_double(group, "residual");
        checkpoint.cone.push_back({file.read_string(group, "name"), totals});
    }
    if (file.exists("/solver_lines")) checkpoint.solver_lines = file.read_text("/solver_lines");
}

void write_content(Hdf5File& file, const Checkpoint& checkpoint, const char* format) {
    file.write_attribute("/", "format", std::string(format));
    file.write_attribute("/", "format_version", kFormatVersion);
    file.write_attribute("/", "version", checkpoint.version);
    file.write_attribute("/", "device", checkpoint.device);
    file.write_attribute("/", "precision", checkpoint.precision);
    file.write_attribute("/", "dt", checkpoint.dt);
    file.write_attribute("/", "step", checkpoint.step);
    file.write_attribute("/", "time", checkpoint.time);
    file.write_attribute("/", "bodies", checkpoint.bodies);
    file.write_attribute("/", "next_frame", checkpoint.next_frame);
    file.write_text("/scene", checkpoint.scene);
    file.write_text("/warnings", joined(checkpoint.warnings));
    if (!checkpoint.files.empty()) file.write_text("/files", joined(checkpoint.files));
    write_cone(file, checkpoint);
    std::vector<std::string> names;
    FieldHash hash;
    const FieldSink write = [&](const StateField& field) {
        names.push_back(field.name);
        hash.add(field);
        file.write("/engine/" + field.name, field.type, field.bytes.data(), field.count(), 1);
    };
    if (checkpoint.each_field) {
        checkpoint.each_field(write);
    } else {
        for (const StateField& field : checkpoint.engine.fields) write(field);
    }
    // The order of the fields, which HDF5 does not keep.
    file.write_text("/engine_fields", joined(names));
    file.write_attribute("/engine_fields", "hash", hash.value());
}

/// Runs `fill` on a new file beside `path`, then puts that in its place; removes it where anything fails.
template <class Fill>
void write_and_publish(const std::string& path, const Fill& fill) {
    const std::string temporary = temporary_name(path);
    try {
        Hdf5File file(temporary, Hdf5File::Mode::Create);
        fill(file);
        file.close();
        seal_file(temporary);
        publish_file(temporary, path);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

/// Throws Error unless the file is as it was written: HDF5's library does not bear damage.
void require_seal(const std::string& path) {
    const Seal seal = seal_of(path);
    if (seal == Seal::Damaged) {
        throw Error(path + ": the checkpoint is damaged (its bytes do not match the checksum at its end); use another one");
    }
    if (seal == Seal::Whole) return;
    std::ifstream in(path, std::ios::binary);
    std::string begin(8, '\0');
    if (!in.read(begin.data(), 8)) return;  // a folder, or no file: HDF5 says so
    if (begin != "\x89HDF\r\n\x1a\n") throw Error(path + ": not a readable HDF5 file; it may be cut short or of another kind");
    throw Error(path + ": holds frames, not a checkpoint, or is a truncated checkpoint: the checksum is missing that ends one");
}

}  // namespace

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
    write_and_publish(path, [&](Hdf5File& file) { write_content(file, checkpoint, kCheckpoint); });
}

void write_fault(const std::string& path, const Checkpoint& checkpoint, const std::string& message, const Snapshot& snapshot,
                 const std::vector<ContactRecord>& contacts, const FrameGeometry& geometry) {
    write_and_publish(path, [&](Hdf5File& file) {
        write_content(file, checkpoint, kFault);
        file.write_text("/message", message);
        write_shapes(file, geometry.shapes);
        if (!geometry.walls.empty()) write_walls(file, "/walls", geometry.walls);
        write_frame(file, "/frames/000000", snapshot, &contacts, geometry, geometry.walls.empty() ? "" : "/walls");
    });
}

std::string file_format(const Hdf5File& file) {
    if (file.has_attribute("/", "format") && file.has_attribute("/", "format_version")) {
        std::string format = file.read_string("/", "format");
        if (format.rfind("scree ", 0) == 0) {
            const std::int64_t version = file.read_int("/", "format_version");
            if (version <= kFormatVersion) return format;
            throw Error(file.path() + ": written by a newer Scree (format " + std::to_string(version) + "); use that one to read it");
        }
    }
    throw Error(file.path() + ": an HDF5 file, but not one that Scree wrote");
}

Checkpoint read_checkpoint(const std::string& path) {
    require_seal(path);
    const Hdf5File file(path, Hdf5File::Mode::Read);
    const std::string format = file_format(file);
    if (format != kCheckpoint && format != kFault) throw Error(path + ": holds " + format.substr(6) + ", not a checkpoint");
    Checkpoint checkpoint;
    checkpoint.of_fault = format == kFault;
    checkpoint.version = file.read_string("/", "version");
    checkpoint.device = file.read_string("/", "device");
    checkpoint.precision = file.read_string("/", "precision");
    checkpoint.dt = file.read_double("/", "dt");
    checkpoint.step = file.read_int("/", "step");
    checkpoint.time = file.read_double("/", "time");
    checkpoint.bodies = file.read_int("/", "bodies");
    checkpoint.next_frame = file.read_int("/", "next_frame");
    checkpoint.scene = file.read_text("/scene");
    checkpoint.warnings = lines_of(file.read_text("/warnings"));
    if (file.exists("/files")) checkpoint.files = lines_of(file.read_text("/files"));
    read_cone(file, checkpoint);
    FieldHash hash;
    for (const std::string& name : lines_of(file.read_text("/engine_fields"))) {
        Hdf5Array array = file.read("/engine/" + name);
        checkpoint.engine.fields.push_back({name, array.type, std::move(array.bytes)});
        hash.add(checkpoint.engine.fields.back());
    }
    if (hash.value() != file.read_int("/engine_fields", "hash")) {
        throw Error(path + ": the checkpoint is damaged (its content does not match its own hash); use another one");
    }
    return checkpoint;
}

}  // namespace scree
