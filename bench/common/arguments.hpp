// Command lines of the benchmark programs: `--name value` and `--name`, lists by commas.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace scree::bench {

class Arguments {
public:
    /// Names with the default of their value; anything else on the command line ends the program with the usage text.
    Arguments(int argc, char** argv, std::map<std::string, std::string> defaults, const char* usage) : values_(std::move(defaults)) {
        for (int k = 1; k < argc; ++k) {
            const std::string name = argv[k];
            const auto found = values_.find(name);
            if (found == values_.end() || k + 1 == argc) {
                std::fputs(usage, stderr);
                std::exit(name == "--help" ? 0 : 2);
            }
            found->second = argv[++k];
        }
    }
    const std::string& text(const std::string& name) const { return values_.at(name); }
    double number(const std::string& name) const { return std::atof(text(name).c_str()); }
    std::vector<std::string> list(const std::string& name) const {
        std::vector<std::string> out;
        std::stringstream stream(text(name));
        for (std::string item; std::getline(stream, item, ',');) out.push_back(item);
        return out;
    }

private:
    std::map<std::string, std::string> values_;
};

}  // namespace scree::bench
