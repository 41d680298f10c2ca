// `scree view`, and the view that `scree run --view` starts beside itself.
#pragma once

#include <sys/types.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "view/run_control.hpp"

namespace scree {

void add_view_command(CLI::App& program);

/// Options that `scree view` and `scree run --view` share.
struct ViewArguments {
    std::string address{"127.0.0.1"};
    int port{0};
    bool control{false};
};
/// Adds --listen, --port and, where `control`, --control. Returns them.
std::vector<CLI::Option*> add_view_options(CLI::App& app, ViewArguments& a, bool control);

/// A view of a run that this program is about to start: another process, which ends with this object. It only reads the files of the run,
/// and the numbers that both share.
class ViewBeside {
public:
    /// Starts it and waits until it listens, and has printed its address. Throws Error where it cannot.
    ViewBeside(const std::string& directory, const ViewArguments& arguments);
    ~ViewBeside();
    ViewBeside(const ViewBeside&) = delete;
    ViewBeside& operator=(const ViewBeside&) = delete;

    RunControl* control() { return &*control_; }

private:
    void end();

    SharedRunControl control_;
    pid_t child_{-1};
};

}  // namespace scree
