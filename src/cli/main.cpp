// The program `scree`: parses the command line, calls sim/ and output/, prints, and turns errors into exit codes.
#if defined(__linux__)
#include <malloc.h>
#endif

#include <exception>
#include <iostream>
#include <new>

#include "base/brief_waits.hpp"
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

/// Blocks of a megabyte and more go back to the system when they are freed, whatever was freed before: so the peak is what is in use at
/// one time, as `scree check` foretells it. A step allocates nothing, so this costs no time.
void give_back_freed_memory() {
#if defined(__linux__)
    constexpr int block = 1 << 20, top = 4 << 20;  // [bytes]
    mallopt(M_MMAP_THRESHOLD, block);
    mallopt(M_TRIM_THRESHOLD, top);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    scree::ask_for_brief_waits(argv);
    give_back_freed_memory();
    const int code = run_program(argc, argv);
    // What was printed may sit in a buffer: a full disk behind it is a failure too.
    std::cout.flush();
    return code == 0 && !std::cout ? 1 : code;
}
