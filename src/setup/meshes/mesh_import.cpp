#include "setup/meshes/mesh_import.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <assimp/Importer.hpp>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "setup/meshes/memory_cap.hpp"

namespace scree {

namespace {

/// What the reading process sends first; then the bytes of `message`, `vertices` and `triangles`.
struct Head {
    std::uint64_t message, vertices, triangles;
};

TriangleMesh triangles_of(const aiScene& scene) {
    TriangleMesh mesh;
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
        const aiMesh& part = *scene.mMeshes[m];
        const std::size_t base = mesh.vertices.size();
        for (unsigned v = 0; v < part.mNumVertices; ++v) {
            const aiVector3D& p = part.mVertices[v];
            mesh.vertices.push_back({p.x, p.y, p.z});
        }
        for (unsigned f = 0; f < part.mNumFaces; ++f) {
            const aiFace& face = part.mFaces[f];
            if (face.mNumIndices != 3) continue;  // a point or line that the removal below left in
            const auto corner = [&](unsigned k) { return static_cast<std::int32_t>(base + face.mIndices[k]); };
            mesh.triangles.push_back({corner(0), corner(1), corner(2)});
        }
    }
    return mesh;
}

/// Reads with the library; empty `fault` where that went well.
TriangleMesh read_with_library(const std::string& path, std::string& fault) {
    try {
        // Text of the shortest triangles grows some tenfold in the library's hands; more is a claim that the file does not keep.
        const MemoryCap cap((std::uint64_t{1} << 30) + 64 * std::filesystem::file_size(path));
        Assimp::Importer importer;
        importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
        const aiScene* scene = importer.ReadFile(
            path, aiProcess_ValidateDataStructure | aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices);
        if (scene != nullptr) return triangles_of(*scene);
        fault = importer.GetErrorString();
    } catch (const std::bad_alloc&) {
        fault = "it asks for more memory than a file of its size needs";
    } catch (const std::exception& e) {
        fault = e.what();
    }
    if (fault.empty()) fault = "it says no more";
    return {};
}

bool write_all(int to, const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n = ::write(to, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

/// False where the other end closes before all has come.
bool read_all(int from, void* data, std::size_t size) {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t n = ::read(from, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

/// The reading process: sends what it finds to `to` and ends, without what the program does at its end, and in silence where the library
/// aborts.
[[noreturn]] void read_and_send(const std::string& path, int to) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int caught : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGHUP}) std::signal(caught, SIG_DFL);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    std::string fault;
    const TriangleMesh mesh = read_with_library(path, fault);
    const Head head{fault.size(), mesh.vertices.size(), mesh.triangles.size()};
    const bool sent = write_all(to, &head, sizeof(head)) && write_all(to, fault.data(), fault.size()) &&
                      write_all(to, mesh.vertices.data(), mesh.vertices.size() * sizeof(mesh.vertices[0])) &&
                      write_all(to, mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
    _exit(sent ? 0 : 1);
}

/// The end of a pipe, closed at the end of its life.
struct End {
    int file;
    ~End() { ::close(file); }
};

}  // namespace

TriangleMesh import_mesh(const std::string& path, const SourcePlace& place) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "a pipe to read a mesh through");
    const pid_t child = fork();
    if (child == 0) read_and_send(path, ends[1]);
    ::close(ends[1]);
    const End from{ends[0]};
    if (child < 0) throw std::system_error(errno, std::generic_category(), "a process to read a mesh in");
    Head head{};
    std::string fault;
    TriangleMesh mesh;
    bool whole = read_all(from.file, &head, sizeof(head));
    if (whole) {
        fault.resize(head.message);
        mesh.vertices.resize(head.vertices);
        mesh.triangles.resize(head.triangles);
        whole = read_all(from.file, fault.data(), fault.size()) &&
                read_all(from.file, mesh.vertices.data(), mesh.vertices.size() * sizeof(mesh.vertices[0])) &&
                read_all(from.file, mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!whole) fault = "the import library fell over it; the file is damaged, or holds faces that are none: write it anew, or as STL";
    if (!fault.empty()) throw Error(place, fmt::format("cannot read \"{}\" as a mesh: {}", path, fault));
    return mesh;
}

}  // namespace scree
