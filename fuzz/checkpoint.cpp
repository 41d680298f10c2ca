// Checkpoints that are not what they should be: refused with a message, or read whole.
// First byte even: the rest is the file. Odd: the rest edits a whole checkpoint, link by link (removed, another type, other values, another
// text), and seals it anew, which reaches what stands behind the checksum.
#include <array>

#include "fuzz/input_file.hpp"
#include "output/checkpoint.hpp"
#include "output/seal.hpp"

using namespace scree;

namespace {

class Bytes {
public:
    Bytes(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}
    bool any() const { return at_ != end_; }
    std::size_t next() { return any() ? *at_++ : 0; }
    std::string text() {
        std::string text;
        for (std::size_t n = next(); n > 0 && any(); --n) text += static_cast<char>(next());
        return text;
    }

private:
    const std::uint8_t *at_, *end_;
};

Checkpoint whole() {
    Checkpoint c;
    c.version = "0";
    c.scene = "[time]\n";
    c.device = "cpu";
    c.precision = "double";
    c.dt = 1e-4;
    c.bodies = 2;
    c.warnings = {"one", "two"};
    c.files = {"a"};
    c.cone = {{"run", {}}};
    c.engine.fields = {{"position", StateField::Type::Float64, std::vector<std::byte>(48)},
                       {"shape", StateField::Type::Int32, std::vector<std::byte>(8)}};
    return c;
}

void edit(Hdf5File& file, Bytes& bytes) {
    static const std::array<const char*, 9> links{"/scene",        "/warnings", "/files", "/engine_fields", "/engine/position",
                                                  "/engine/shape", "/cone/0",   "/cone",  "/engine/more"};
    static const std::array<const char*, 8> attributes{"format", "format_version", "dt", "step", "time", "bodies", "hash", "name"};
    const std::string link = links[bytes.next() % links.size()], attribute = attributes[bytes.next() % attributes.size()];
    const std::string owner = file.exists(link) ? link : "/";
    const std::vector<std::uint32_t> values(bytes.next(), 7);
    switch (bytes.next() % 7) {
        case 0:
            if (file.exists(link)) file.remove(link);
            break;
        case 1:
            if (!file.exists(link)) file.write(link, values);
            break;
        case 2:
            if (!file.exists(link)) file.write_text(link, bytes.text());
            break;
        case 3:
            if (!file.has_attribute(owner, attribute))
                file.write_attribute(owner, attribute, static_cast<std::int64_t>(bytes.next()) - 128);
            break;
        case 4:
            if (!file.has_attribute(owner, attribute)) file.write_attribute(owner, attribute, bytes.text());
            break;
        case 5:
            if (!file.exists(link)) file.make_group(link);
            break;
        default:
            if (!file.exists(link)) file.write(link, values, true);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const bool edited = data[0] % 2 == 1;
    const fuzz::InputFile file(data + 1, edited ? 0 : size - 1, ".h5");
    if (edited) {
        write_checkpoint(file.path(), whole());
        Bytes bytes(data + 1, size - 1);
        {
            Hdf5File open(file.path(), Hdf5File::Mode::Append);
            while (bytes.any()) {
                try {
                    edit(open, bytes);
                } catch (const RunError&) {
                    // An edit that cannot be made, such as a link below what is no group.
                }
            }
            open.close();
        }
        seal_file(file.path());
    }
    fuzz::expect_error_or_success([&] {
        const Checkpoint read = read_checkpoint(file.path());
        fuzz::require(read.engine.fields.size() >= 1 || edited, "fields are there");
    });
    return 0;
}
