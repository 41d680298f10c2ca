// The program `scree`: parses the command line, calls sim/ and output/, prints, and turns errors into exit codes.
#include <exception>
#include <iostream>
#include <new>

#include "base/error.hpp"
#include "cli/commands.hpp"

namespace {

/// The user's mistakes end with 2, what fails while running with 1; nothing is thrown past here.
int run_program(int argc, char** argv) {
    try {
        return scree::run_command_line(argc, argv);
    } catch (const scree::Error& e) {
        std::cerr << "error: " << e.what() << std::endl;
        return 2;
    } catch (const scree::RunError& e) {
        std::cerr << "error: " << e.what() << std::endl;
        return 1;
    } catch (const std::bad_alloc&) {
        std::cerr << "error: out of memory; use fewer bodies, or a machine with more" << std::endl;
        return 1;
    } catch (const std::exception& e) {
        std::cerr << "error: " << e.what() << std::endl;
        return 1;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int code = run_program(argc, argv);
    // What was printed may sit in a buffer: a full disk behind it is a failure too.
    std::cout.flush();
    return code == 0 && !std::cout ? 1 : code;
}
