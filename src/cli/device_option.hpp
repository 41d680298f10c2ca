// The option --device of commands: one device, or several by commas.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/error.hpp"
#include "cli/option_checks.hpp"
#include "engine/engine.hpp"

namespace scree {

/// Adds --device, whose value goes to `text` as given; parse(text) throws Error where it is none.
template <class Parse>
void add_device_option(CLI::App& app, std::string& text, const std::string& help, Parse parse) {
    const CLI::Validator known(
        [parse](std::string& word) {
            try {
                parse(word);
            } catch (const Error& e) {
                return std::string(e.what());
            }
            return std::string();
        },
        "");
    app.add_option("--device", text, help)->check(known)->check(such_as({"auto", "cpu", "cuda"}))->type_name("NAME")->default_str("auto");
}

}  // namespace scree
