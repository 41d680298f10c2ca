// The manual page scree(1), from the commands' definitions.
#include <fmt/format.h>

#include "cli/command_page.hpp"

namespace scree {
namespace {

/// Text for roff: dashes that may be copied, nothing that begins a request, characters beyond ASCII by their numbers.
std::string roff(const std::string& text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        const auto byte = static_cast<unsigned char>(c);
        if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
        if (c == '-') {
            out += "\\-";
        } else if (c == '\\') {
            out += "\\e";
        } else if (byte < 0x80) {
            out += c;
        } else {
            const int more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;  // bytes of UTF-8 that follow
            unsigned code = byte & (0x3fu >> more);
            for (int m = 0; m < more && k + 1 < text.size(); ++m) code = code << 6 | (static_cast<unsigned char>(text[++k]) & 0x3fu);
            out += fmt::format("\\[u{:04X}]", code);
        }
    }
    return out;
}

std::string heading(const CommandOption& option) {
    std::string text;
    for (const std::string& name : option.names()) text += (text.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    return option.value.empty() ? text : text + " \\fI" + roff(option.value) + "\\fR";
}

void add_options(std::string& text, const std::vector<CommandOption>& options) {
    for (const CommandOption& option : options) text += ".TP\n" + heading(option) + "\n" + roff(option.about) + ".\n";
}

struct Entry {
    const char *name, *about;
};

constexpr Entry kEnvironment[] = {
    {"NO_COLOR", "Where it is set and not empty, nothing is coloured"},
    {"COLUMNS", "Width of lines where the terminal does not say its own"},
    {"OMP_NUM_THREADS", "Threads on the CPU where --threads is not given"},
    {"OMP_WAIT_POLICY, GOMP_SPINCOUNT", "How threads wait for each other; by default they look for work for a short while, then sleep"},
    {"SCREE_NO_RECORD", "Where it is set, speeds of runs are neither kept nor compared"},
    {"SCREE_PYTHON", "Python that plot and report draw with"},
    {"XDG_STATE_HOME", "Folder of the record of speeds, in place of ~/.local/state"},
};

constexpr Entry kFiles[] = {
    {"runs/NAME", "Run directory of a scene file NAME.toml, where run is not told another"},
    {"~/.local/state/scree/speeds.csv", "Speeds of earlier runs on this machine, by kind of scene; it may be removed at any time"},
};

constexpr Entry kCodes[] = {
    {"0", "Done"},
    {"1", "Failed while running: a state that is not finite, too deep an overlap, a file that could not be written"},
    {"2", "Wrong input: a scene, option or file; nothing was written over"},
    {"130", "Interrupted; run has written a checkpoint to go on from"},
};

template <std::size_t n>
std::string entries(const char* section, const Entry (&all)[n]) {
    std::string text = std::string(".SH ") + section + "\n";
    for (const Entry& one : all) text += std::string(".TP\n.B ") + roff(one.name) + "\n" + roff(one.about) + ".\n";
    return text;
}

}  // namespace

std::string manual_page(const std::vector<Command>& commands, const std::string& version) {
    const Command& program = commands.front();
    std::string text = fmt::format(
        ".\\\" Made by `scree man` from the definitions of the command line.\n.TH SCREE 1 \"\" \"scree {}\" \"User Commands\"\n", version);
    text += ".SH NAME\nscree \\- simulates granular matter and mechanisms in contact\n.SH SYNOPSIS\n";
    for (std::size_t k = 1; k < commands.size(); ++k) {
        text += fmt::format("{}.B scree {}\n", k > 1 ? ".br\n" : "", roff(commands[k].name));
        std::string words = commands[k].options.size() > 1 ? "[\\fIoptions\\fR]" : "";
        for (std::size_t a = 0; a < commands[k].arguments.size(); ++a) {
            const std::string name = "\\fI" + commands[k].arguments[a].value + "\\fR" + (commands[k].several[a] ? "..." : "");
            words += (words.empty() ? "" : " ") + (commands[k].required[a] ? name : "[" + name + "]");
        }
        if (!words.empty()) text += words + "\n";
    }
    text += ".SH DESCRIPTION\n" + roff(program.about) +
            "\nA scene file (TOML) says what there is and what to measure; a run writes a directory of its own, which the other commands "
            "read.\n";
    text += ".SH OPTIONS\n";
    add_options(text, program.options);
    text += ".SH COMMANDS\n";
    for (std::size_t k = 1; k < commands.size(); ++k) {
        text += fmt::format(".SS scree {}\n{}.\n", roff(commands[k].name), roff(commands[k].about));
        for (const CommandOption& argument : commands[k].arguments)
            text += ".TP\n\\fI" + roff(argument.value) + "\\fR\n" + roff(argument.about) + ".\n";
        add_options(text, commands[k].options);
    }
    text += entries("EXIT STATUS", kCodes) + entries("ENVIRONMENT", kEnvironment) + entries("FILES", kFiles);
    return text +
           ".SH SEE ALSO\nThe page of all keys of a scene file is printed by\n.BR \"scree reference\" ;\nfurther pages are in "
           "/usr/share/doc/scree/docs.\n";
}

}  // namespace scree
