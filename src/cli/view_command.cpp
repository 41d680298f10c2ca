#include "cli/view_command.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "cli/python_script.hpp"
#include "sim/check_report.hpp"
#include "view/page_files.hpp"
#include "view/server.hpp"

extern char** environ;

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr int kShared = 3;  // the descriptor by which a view beside a run finds what they share

struct Arguments {
    ViewArguments view;
    std::string path;
    std::vector<std::string> overrides;
    int with_run{-1};
};

std::string lower_ending(const std::string& path) {
    std::string ending = fs::path(path).extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending;
}

std::unique_ptr<ViewSource> open_source(const Arguments& a) {
    std::error_code error;
    const bool scene = a.with_run < 0 && fs::is_regular_file(a.path, error) && lower_ending(a.path) == ".toml";
    if (!scene && !a.overrides.empty()) throw Error("--set: changes keys of a scene, and " + a.path + " is a run");
    if (!scene) return open_run_source(a.path, a.with_run >= 0);
    return open_scene_source(a.path, a.overrides, [](const Scene& of, const BuiltModel& built) { return check_report(of, built); });
}

/// Ends the server at Ctrl-C and the like: a thread of its own waits for these signals, so that stop() may take locks.
class StopAtSignal {
public:
    explicit StopAtSignal(bool with_run) {
        sigemptyset(&signals_);
        for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, number);
        pthread_sigmask(SIG_BLOCK, &signals_, nullptr);  // before any other thread is there
        ::signal(SIGPIPE, SIG_IGN);                      // of a page that went away
        with_run_ = with_run;
    }
    void watch(ViewServer& server) {
        std::thread([this, &server] {
            for (int number = 0;;) {
                if (sigwait(&signals_, &number) != 0) continue;
                // Ctrl-C goes to the run, too, which ends this as soon as it has written its checkpoint.
                if (with_run_ && number != SIGTERM) continue;
                server.stop();
                return;
            }
        }).detach();
    }

private:
    sigset_t signals_{};
    bool with_run_{false};
};

void view(const Arguments& a) {
    require_page();
    ViewOptions options;
    options.address = a.view.address;
    options.port = a.view.port;
    options.control = a.view.control;
    if (const char* token = std::getenv("SCREE_VIEW_TOKEN"); token != nullptr && *token != '\0') {
        options.token = token;
        if (!is_token(options.token)) throw Error("SCREE_VIEW_TOKEN: must be 16 to 64 letters, digits, - and _");
    }
    StopAtSignal stop(a.with_run >= 0);
    std::unique_ptr<SharedRunControl> run;
    if (a.with_run >= 0) {
        run = std::make_unique<SharedRunControl>(a.with_run);
        // A run that dies takes its view along.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() == 1) return;
    }
    std::unique_ptr<ViewSource> source = open_source(a);
    if (!source->is_scene() && !source->error().empty()) std::cerr << "warning: " << source->error() << std::endl;
    ViewServer server(std::move(source), options, run ? &**run : nullptr);
    stop.watch(server);
    std::cout << "view at " << server.url() << (run ? "" : " (Ctrl-C ends it)") << std::endl;
    server.serve();
}

}  // namespace

std::vector<CLI::Option*> add_view_options(CLI::App& app, ViewArguments& a, bool control) {
    std::vector<CLI::Option*> options;
    options.push_back(app.add_option("--listen", a.address, "Address that the page is served on, instead of this machine alone (127.0.0.1)")
                          ->check(not_empty())
                          ->type_name("ADDRESS"));
    options.push_back(
        app.add_option("--port", a.port, "Its port (default: any that is free)")->check(integer_between(1, 65535))->type_name("N"));
    if (control)
        options.push_back(app.add_flag("--control", a.control, "The page may pause and step the run, and end it with a checkpoint"));
    return options;
}

void add_view_command(CLI::App& program) {
    const auto a = std::make_shared<Arguments>();
    CLI::App* app = program.add_subcommand("view", "Show a run, also one that goes on, or a scene in the browser");
    app->add_option("RUN|SCENE", a->path, "Run directory or file with frames, or scene file (TOML)")->required()->check(not_empty());
    app->add_option("--set", a->overrides, "Change a key of the scene, as key.path=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    add_view_options(*app, a->view, false);
    // Of the view that `scree run --view` starts.
    app->add_option("--with-run", a->with_run)->group("");
    app->add_flag("--control", a->view.control)->group("");
    app->callback([a] {
        if (a->view.control && a->with_run < 0)
            throw Error("--control: is an option of `scree run --view`; this program only looks at files");
        view(*a);
    });
}

ViewBeside::ViewBeside(const std::string& directory, const ViewArguments& arguments) {
    require_page();
    std::vector<std::string> words{own_program(), "view", directory, "--with-run", std::to_string(kShared), "--listen", arguments.address};
    if (arguments.port > 0) words.insert(words.end(), {"--port", std::to_string(arguments.port)});
    if (arguments.control) words.emplace_back("--control");
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, control_.descriptor(), kShared);
    std::cout.flush();
    const int failed = posix_spawn(&child_, words.front().c_str(), &actions, nullptr, list.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        child_ = -1;
        throw RunError(fmt::format("cannot start the view: {}", std::generic_category().message(failed)));
    }
    while (control_->ready.load() == 0) {
        int status = 0;
        if (waitpid(child_, &status, WNOHANG) == child_) {
            child_ = -1;
            // It has said why.
            throw CLI::RuntimeError(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

ViewBeside::~ViewBeside() {
    end();
}

void ViewBeside::end() {
    if (child_ < 0) return;
    ::kill(child_, SIGTERM);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
}

}  // namespace scree
