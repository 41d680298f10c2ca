#include "cli/python_script.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"

extern char** environ;

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr int kNoModules = 76;  // of a script whose Python lacks what it imports (src/cli/python/scree_run.py)
constexpr int kNoProgram = 127;

/// PREFIX/share/scree/python/NAME, where the program is PREFIX/bin/scree, of a build or of an installation.
fs::path find_script(const std::string& name) {
    const fs::path folder = fs::path(own_program()).parent_path().parent_path() / "share" / "scree" / "python";
    std::error_code failed;
    if (fs::exists(folder / name, failed)) return folder / name;
    throw Error(
        fmt::format("this program's script {} is not there: build anew (`make build`), or install again", (folder / name).string()));
}

pid_t script_pid = 0;  // the script that is running: what signals are passed on to

/// While it exists Ctrl-C is left to the script, which the terminal tells as well, and what would end or hang up this program ends the
/// script, which may have to stop runs and say what came of them first.
class LeaveSignalsToScript {
public:
    LeaveSignalsToScript() {
        Action ignored{}, passed{};
        ignored.sa_handler = SIG_IGN;
        sigaction(SIGINT, &ignored, &interrupt_);
        passed.sa_handler = [](int number) { kill(script_pid, number); };
        passed.sa_flags = SA_RESTART;
        // Those that this program was started to ignore, as nohup has it, it goes on to ignore, as the script does.
        for (auto [number, before] : {std::pair{SIGTERM, &terminate_}, std::pair{SIGHUP, &hang_up_}}) {
            sigaction(number, &passed, before);
            if (before->sa_handler == SIG_IGN) sigaction(number, before, nullptr);
        }
    }
    ~LeaveSignalsToScript() {
        sigaction(SIGINT, &interrupt_, nullptr);
        sigaction(SIGTERM, &terminate_, nullptr);
        sigaction(SIGHUP, &hang_up_, nullptr);
    }
    LeaveSignalsToScript(const LeaveSignalsToScript&) = delete;
    LeaveSignalsToScript& operator=(const LeaveSignalsToScript&) = delete;

private:
    using Action = struct sigaction;
    Action interrupt_{}, terminate_{}, hang_up_{};
};

/// Waits for the script to end. Its exit code; 127 where there is no such program; 128 + number of the signal that ended it.
int run(const std::string& python, const std::string& script, const std::string& argument) {
    std::vector<std::string> words{python, "-B", script, argument};
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, python.c_str(), nullptr, nullptr, arguments.data(), environ);
    if (failed == ENOENT || failed == EACCES || failed == ENOTDIR || failed == ENOEXEC) return kNoProgram;
    if (failed != 0) throw RunError(fmt::format("cannot start {}: {}", python, std::generic_category().message(failed)));
    script_pid = child;
    const LeaveSignalsToScript left;
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw RunError(fmt::format("cannot wait for {}", python));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string own_program() {
    std::error_code failed;
    return fs::read_symlink("/proc/self/exe", failed).string();
}

int run_python_script(const std::string& name, const std::string& argument) {
    const std::string script = find_script(name).string();
    const char* named = std::getenv("SCREE_PYTHON");
    const std::vector<std::string> pythons =
        named != nullptr && *named != '\0' ? std::vector<std::string>{named} : std::vector<std::string>{"/usr/bin/python3", "python3"};
    std::cout.flush();
    std::string found;
    for (const std::string& python : pythons) {
        const int code = run(python, script, argument);
        if (code != kNoModules && code != kNoProgram) return code;
        if (code == kNoModules) found = python;
    }
    const char* how =
        "install the Debian packages python3-numpy, python3-matplotlib and python3-h5py, or name a Python that has these in SCREE_PYTHON";
    if (found.empty())
        throw Error(fmt::format("there is no {}, which draws: {}", named != nullptr && *named != '\0' ? named : "python3", how));
    throw Error(fmt::format("{} lacks NumPy, Matplotlib or h5py, which draw: {}", found, how));
}

}  // namespace scree
