// Completion scripts of bash, zsh and fish, from the commands' definitions.
#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/command_page.hpp"

namespace scree {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// In single quotes for a POSIX shell.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
    std::vector<std::string> names;
    for (std::size_t k = 1; k < commands.size(); ++k) names.push_back(commands[k].name);
    return names;
}

std::vector<std::string> option_names(const Command& command) {
    std::vector<std::string> names;
    for (const CommandOption& option : command.options) {
        const std::vector<std::string> own = option.names();
        names.insert(names.end(), own.begin(), own.end());
    }
    return names;
}

// --- bash ---

std::string bash_value(const CommandOption& option) {
    switch (option.kind) {
        case ValueKind::Words:
            return "_scree_words " + quoted(joined(option.words, " "));
        case ValueKind::File:
            return "_scree_files";
        case ValueKind::Folder:
            return "_scree_folders";
        case ValueKind::Scene:
            return "_scree_files toml";
        case ValueKind::Run:
            return "_scree_files h5";
        default:
            return option.value == "NAME" && option.dashed_long == "--series" ? "_scree_series" : ":";
    }
}

constexpr const char* kBashHead = R"bash(# bash completion of scree, made by `scree completions bash`.
_scree_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_scree_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}
# Files, or folders and files with this ending.
_scree_files() {
    compopt -o filenames 2>/dev/null
    if [ -z "$1" ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X "!*.$1" -- "$cur")
    fi
}
# Columns of the series of the runs named so far.
_scree_series() {
    local word columns=""
    for word in "${COMP_WORDS[@]}"; do
        [ -f "$word/series.csv" ] && columns+=" $(head -n 1 "$word/series.csv" | tr ',' ' ')"
    done
    _scree_words "$columns"
}
_scree() {
    local cur="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" command="" k
    COMPREPLY=()
    # Where = parts words, --option=value is three of them.
    if [ "$cur" = "=" ]; then
        cur=""
    elif [ "$before" = "=" ] && [ "$COMP_CWORD" -ge 2 ]; then
        before="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
    for ((k = 1; k < COMP_CWORD; ++k)); do
        case "${COMP_WORDS[k]}" in -*) ;; *) command="${COMP_WORDS[k]}"; break ;; esac
    done
    case "$command" in
)bash";

std::string bash(const std::vector<Command>& commands) {
    std::string text = kBashHead;
    for (std::size_t k = 1; k < commands.size(); ++k) {
        const Command& command = commands[k];
        text += fmt::format("    {})\n        case \"$before\" in\n", command.name);
        for (const CommandOption& option : command.options) {
            if (option.kind != ValueKind::Flag)
                text += fmt::format("        {}) {}; return ;;\n", joined(option.names(), "|"), bash_value(option));
        }
        const std::string argument = command.arguments.empty() ? ":" : bash_value(command.arguments.front());
        text += fmt::format("        esac\n        case \"$cur\" in -*) _scree_words {} ;; *) {} ;; esac\n        ;;\n",
                            quoted(joined(option_names(command), " ")), argument);
    }
    return text + fmt::format("    \"\") _scree_words {} ;;\n    esac\n}}\ncomplete -F _scree scree\n",
                              quoted(joined(names_of(commands), " ") + " " + joined(option_names(commands.front()), " ")));
}

// --- zsh ---

/// Inside of a specification of _arguments: brackets and colons have a meaning there.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_value(const CommandOption& option) {
    switch (option.kind) {
        case ValueKind::Words:
            return fmt::format("({})", joined(option.words, " "));
        case ValueKind::File:
            return "_files";
        case ValueKind::Folder:
            return "_files -/";
        case ValueKind::Scene:
            return "_files -g \"*.toml\"";
        case ValueKind::Run:
            return "_files -g \"*(/) *.h5\"";
        default:
            return " ";
    }
}

std::string zsh_option(const CommandOption& option) {
    const std::string value = option.kind == ValueKind::Flag ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_value(option));
    std::string text;
    for (const std::string& name : option.names()) {
        const bool takes = option.kind != ValueKind::Flag, is_long = name.rfind("--", 0) == 0;
        text += " \\\n            " + quoted(fmt::format("*{}{}[{}]{}", name, takes && is_long ? "=" : "", zsh_text(option.about), value));
    }
    return text;
}

std::string zsh(const std::vector<Command>& commands) {
    std::string text =
        "#compdef scree\n# zsh completion of scree, made by `scree completions zsh`.\n_scree() {\n    local -a commands\n    commands=(\n";
    for (std::size_t k = 1; k < commands.size(); ++k) text += "        " + quoted(commands[k].name + ":" + commands[k].about) + "\n";
    text += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        _arguments";
    for (const CommandOption& option : commands.front().options) text += zsh_option(option);
    text += "\n        return\n    fi\n    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n";
    for (std::size_t k = 1; k < commands.size(); ++k) {
        text += fmt::format("    {})\n        _arguments", commands[k].name);
        for (const CommandOption& option : commands[k].options) text += zsh_option(option);
        for (std::size_t a = 0; a < commands[k].arguments.size(); ++a) {
            const CommandOption& argument = commands[k].arguments[a];
            text +=
                " \\\n            " + quoted(std::string(commands[k].several[a] ? "*:" : ":") + argument.value + ":" + zsh_value(argument));
        }
        text += "\n        ;;\n";
    }
    return text + "    esac\n}\nif [ \"$funcstack[1]\" = \"_scree\" ]; then\n    _scree \"$@\"\nelse\n    compdef _scree scree\nfi\n";
}

// --- fish ---

std::string fish_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "'";
}

std::string fish_value(const CommandOption& option) {
    switch (option.kind) {
        case ValueKind::Flag:
            return "";
        case ValueKind::Words:
            return " -x -a " + fish_quoted(joined(option.words, " "));
        case ValueKind::File:
            return " -r -F";
        case ValueKind::Folder:
            return " -x -a '(__fish_complete_directories)'";
        case ValueKind::Scene:
            return " -r -a '(__fish_complete_suffix .toml)'";
        case ValueKind::Run:
            return " -r -a '(__fish_complete_directories; __fish_complete_suffix .h5)'";
        default:
            return " -x";
    }
}

std::string fish_option(const CommandOption& option, const std::string& where) {
    std::string text = "complete -c scree -n " + fish_quoted(where);
    for (const std::string& name : option.names()) text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return text + fish_value(option) + " -d " + fish_quoted(option.about) + "\n";
}

std::string fish(const std::vector<Command>& commands) {
    std::string text = "# fish completion of scree, made by `scree completions fish`.\ncomplete -c scree -f\n";
    for (std::size_t k = 1; k < commands.size(); ++k)
        text += fmt::format("complete -c scree -n __fish_use_subcommand -a {} -d {}\n", commands[k].name, fish_quoted(commands[k].about));
    for (const CommandOption& option : commands.front().options) text += fish_option(option, "__fish_use_subcommand");
    for (std::size_t k = 1; k < commands.size(); ++k) {
        const std::string where = "__fish_seen_subcommand_from " + commands[k].name;
        for (const CommandOption& option : commands[k].options) text += fish_option(option, where);
        if (commands[k].arguments.empty()) continue;
        const std::string value = fish_value(commands[k].arguments.front());
        text += "complete -c scree -n " + fish_quoted(where) +
                (value == " -r -F" ? " -F" : value.substr(value.find(" -a") == std::string::npos ? 0 : value.find(" -a"))) + "\n";
    }
    return text;
}

}  // namespace

std::string completion_script(const std::vector<Command>& commands, const std::string& shell) {
    if (shell == "bash") return bash(commands);
    if (shell == "zsh") return zsh(commands);
    if (shell == "fish") return fish(commands);
    throw Error(fmt::format("there are completions of bash, zsh and fish, none of \"{}\"", shell));
}

}  // namespace scree
