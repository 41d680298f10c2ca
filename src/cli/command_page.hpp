// What the command line takes, read from its definitions (CLI11): for completions of shells and for the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scree {

/// What a value is, as far as a shell can offer any.
enum class ValueKind { Flag, Other, Words, File, Folder, Scene, Run };

struct CommandOption {
    std::string dashed_short, dashed_long;  // "-o", "--output"; either may be empty
    std::vector<std::string> others;        // further names, with dashes
    std::string about, value;               // the latter as help calls it: "DIR"
    ValueKind kind{ValueKind::Flag};
    std::vector<std::string> words;  // that it takes, or some of them

    /// All names.
    std::vector<std::string> names() const;
};

struct Command {
    std::string name, about;
    std::vector<CommandOption> arguments;  // without dashes, by their names in `value`
    std::vector<bool> required, several;   // of these
    std::vector<CommandOption> options;
};

/// The program itself, without arguments, then its subcommands, in the order in which they were added. What is hidden is left out.
std::vector<Command> commands_of(const CLI::App& program);

/// The text of a completion script; `shell` is bash, zsh or fish.
std::string completion_script(const std::vector<Command>& commands, const std::string& shell);

/// scree(1) in roff.
std::string manual_page(const std::vector<Command>& commands, const std::string& version);

}  // namespace scree
