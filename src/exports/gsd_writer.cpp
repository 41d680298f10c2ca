#include "exports/gsd_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "output/atomic_file.hpp"

namespace scree {
namespace {

constexpr std::uint64_t kMagic = 0x65DF65DF65DF65DF;
constexpr std::size_t kHeaderBytes = 256, kNameBlock = 64;
constexpr std::uint32_t kLayerVersion = 2U << 16, kSchemaVersion = 1U << 16 | 4U;

}  // namespace

GsdWriter::GsdWriter(const std::string& path) : path_(path), temporary_(temporary_name(path)), file_(std::fopen(temporary_.c_str(), "wb")) {
    if (!file_) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    header(0, 0, 0, 0);
    at_ = kHeaderBytes;
}

GsdWriter::~GsdWriter() {
    if (file_) file_.reset(), std::remove(temporary_.c_str());
}

void GsdWriter::put(const void* data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes)
        throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    at_ += bytes;
}

void GsdWriter::header(std::uint64_t index_at, std::uint64_t entries, std::uint64_t names_at, std::uint64_t name_blocks) {
    char bytes[kHeaderBytes] = {};
    const auto number = [&](std::size_t at, auto value) { std::memcpy(bytes + at, &value, sizeof value); };
    number(0, kMagic);
    number(8, index_at);
    number(16, entries);
    number(24, names_at);
    number(32, name_blocks);
    number(40, kSchemaVersion);
    number(44, kLayerVersion);
    std::strcpy(bytes + 48, "scree");
    std::strcpy(bytes + 112, "hoomd");
    put(bytes, sizeof bytes);
}

void GsdWriter::chunk(const std::string& name, GsdType type, std::size_t rows, std::uint32_t columns, const void* data, std::size_t bytes) {
    if (rows == 0) return;
    const auto [known, fresh] = number_of_.emplace(name, static_cast<std::uint16_t>(names_.size()));
    if (fresh) names_.push_back(name);
    index_.push_back({frame_, rows, at_, columns, known->second, static_cast<std::uint8_t>(type), 0});
    put(data, bytes);
}

void GsdWriter::texts(const std::string& name, const std::vector<std::string>& values) {
    std::size_t width = 1;
    for (const std::string& text : values) width = std::max(width, text.size() + 1);
    std::vector<std::int8_t> bytes(width * values.size());
    for (std::size_t k = 0; k < values.size(); ++k) std::memcpy(bytes.data() + k * width, values[k].data(), values[k].size());
    chunk(name, bytes, static_cast<std::uint32_t>(width));
}

void GsdWriter::end_frame() {
    // Readers look for an entry by frame and name.
    std::sort(index_.begin() + static_cast<std::ptrdiff_t>(frame_begin_), index_.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    frame_begin_ = index_.size();
    ++frame_;
}

void GsdWriter::finish() {
    const std::uint64_t index_at = at_;
    put(index_.data(), index_.size() * sizeof(Entry));
    const Entry end{};  // an entry without a place ends the index
    put(&end, sizeof end);
    const std::uint64_t names_at = at_;
    std::string names;
    for (const std::string& name : names_) names += name + '\0';
    names.resize((names.size() / kNameBlock + 1) * kNameBlock);
    put(names.data(), names.size());
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    header(index_at, index_.size() + 1, names_at, names.size() / kNameBlock);
    if (std::fflush(file_.get()) != 0) throw RunError("cannot write " + path_ + ": " + std::strerror(errno));
    file_.reset();
    publish_file(temporary_, path_);
}

}  // namespace scree
