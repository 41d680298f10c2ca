// The program `scree`: parses the command line, calls sim/ and output/, prints, and turns errors into exit codes.
#if defined(__linux__)
#include <malloc.h>
#endif

#include <csignal>
#include <cstddef>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "base/brief_waits.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"

namespace {

constexpr std::size_t kLongestMessage = 2000;

/// A message with its middle left out where it is longer than anyone reads: a file that is no scene may come to be quoted.
std::string of_sane_length(const std::string& text) {
    if (text.size() <= kLongestMessage) return text;
    constexpr std::size_t half = kLongestMessage / 2;
    const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };  // a character of UTF-8
    std::size_t head = half, tail = text.size() - half;
    while (head > half - 4 && is_inside(head)) --head;
    while (tail < text.size() - half + 4 && is_inside(tail)) ++tail;
    return text.substr(0, head) + " [... " + std::to_string(tail - head) + " bytes left out ...] " + text.substr(tail);
}

int fail(const char* what, int code) {
    std::cerr << "error: " << of_sane_length(what) << std::endl;
    return code;
}

/// The user's mistakes end with 2, what fails while running with 1; nothing is thrown past here.
int run_program(int argc, char** argv) {
    try {
        return scree::run_command_line(argc, argv);
    } catch (const scree::Error& e) {
        return fail(e.what(), 2);
    } catch (const scree::RunError& e) {
        return fail(e.what(), 1);
    } catch (const std::bad_alloc&) {
        std::cerr << "error: out of memory; use fewer bodies, or a machine with more" << std::endl;
        return 1;
    } catch (const std::exception& e) {
        return fail(e.what(), 1);
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
#if defined(SIGXFSZ)
    std::signal(SIGXFSZ, SIG_IGN);  // a file that reaches a size limit is a failed write, not a death
#endif
    scree::ask_for_brief_waits(argv);
    give_back_freed_memory();
    const int code = run_program(argc, argv);
    // What was printed may sit in a buffer: a full disk behind it is a failure too.
    std::cout.flush();
    return code == 0 && !std::cout ? 1 : code;
}
