#include "cli/command_page.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace scree {
namespace {

/// By what help calls the value: its name says what shells may offer.
ValueKind kind_of(const std::string& value) {
    if (value == "SCENE" || value == "SWEEP" || value == "CALIBRATION") return ValueKind::Scene;
    if (value == "RUN") return ValueKind::Run;
    if (value == "DIR") return ValueKind::Folder;
    if (value == "FILE" || value == "PATH" || value == "PROBLEM") return ValueKind::File;
    return ValueKind::Other;
}

CommandOption read(const CLI::Option& from) {
    CommandOption option;
    for (const std::string& name : from.get_snames()) {
        if (option.dashed_short.empty()) {
            option.dashed_short = "-" + name;
        } else {
            option.others.push_back("-" + name);
        }
    }
    for (const std::string& name : from.get_lnames()) {
        if (option.dashed_long.empty()) {
            option.dashed_long = "--" + name;
        } else {
            option.others.push_back("--" + name);
        }
    }
    option.about = from.get_description();
    if (from.get_positional()) {
        option.value = from.get_name();
    } else if (from.get_items_expected_max() > 0) {
        option.value = from.get_type_name();
    } else {
        return option;
    }
    option.kind = kind_of(option.value);
    for (int k = 0;; ++k) {
        const std::string* lines = nullptr;
        try {
            lines = &const_cast<CLI::Option&>(from).get_validator(k)->get_name();  // CLI11 has no const one
        } catch (const CLI::OptionNotFound&) {
            break;
        }
        std::istringstream words(*lines);
        for (std::string word; std::getline(words, word);) option.words.push_back(word);
    }
    if (!option.words.empty()) option.kind = ValueKind::Words;
    return option;
}

}  // namespace

std::vector<std::string> CommandOption::names() const {
    std::vector<std::string> all;
    for (const std::string& name : {dashed_short, dashed_long}) {
        if (!name.empty()) all.push_back(name);
    }
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::vector<Command> commands_of(const CLI::App& program) {
    std::vector<const CLI::App*> apps = program.get_subcommands([](const CLI::App*) { return true; });
    apps.insert(apps.begin(), &program);
    std::vector<Command> commands;
    for (const CLI::App* app : apps) {
        if (app->get_group().empty()) continue;
        Command command{app->get_name(), app->get_description(), {}, {}, {}, {}};
        for (const CLI::Option* option : app->get_options()) {
            if (option->get_group().empty()) continue;  // hidden
            if (option->get_positional()) {
                command.arguments.push_back(read(*option));
                command.required.push_back(option->get_required());
                command.several.push_back(option->get_items_expected_max() > 1);
            } else {
                command.options.push_back(read(*option));
            }
        }
        commands.push_back(std::move(command));
    }
    return commands;
}

}  // namespace scree
