#include "view/doorway.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "base/error.hpp"

namespace scree {
namespace {

constexpr std::chrono::milliseconds kPatience{5000};  // for a request to be whole
constexpr std::chrono::milliseconds kFarewell{1000};  // for what is still under way
constexpr std::size_t kMostLine = 8192;               // of a request [bytes]
constexpr std::size_t kMostHead = 16384;              // its first line and headers [bytes]
constexpr std::size_t kMostStrangers = 64;            // that wait and have not said the word
constexpr std::size_t kMostKnown = 128;               // that wait between two requests

/// The path of a request's first line; empty: it is none of HTTP.
std::string path_of(const std::string& line) {
    const std::size_t from = line.find(' ');
    const std::size_t to = from == std::string::npos ? from : line.find(' ', from + 1);
    if (to == std::string::npos || line.compare(to + 1, 7, "HTTP/1.") != 0) return "";
    return line.substr(from + 1, to - from - 1);
}

}  // namespace

Doorway::Doorway(Knows knows, Enter enter) : knows_(std::move(knows)), enter_(std::move(enter)) {
    if (::pipe2(bell_, O_CLOEXEC | O_NONBLOCK) != 0) throw RunError("the system gives no pipe");
    watcher_ = std::thread([this] { watch(); });
}

void Doorway::arrive(Waiting one) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) {
        ::close(one.socket);
        return;
    }
    one.until = Clock::now() + (one.leaving ? kFarewell : kPatience);
    arrived_.push_back(std::move(one));
    [[maybe_unused]] const ssize_t rung = ::write(bell_[1], "", 1);  // a full pipe wakes it, too
}

void Doorway::leave(int socket) {
    ::shutdown(socket, SHUT_WR);
    arrive({socket, {}, {}, true, true});
}

void Doorway::close() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
    }
    if (!watcher_.joinable()) return;
    [[maybe_unused]] const ssize_t rung = ::write(bell_[1], "", 1);
    watcher_.join();
    for (const int end : bell_) ::close(end);
}

bool Doorway::take_in() {
    std::vector<Waiting> arrived;
    bool closed = false;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        arrived.swap(arrived_);
        closed = closed_;
    }
    for (Waiting& one : arrived) {
        waiting_.push_back(std::move(one));
        // It may have sent its next request with the last.
        if (!waiting_.back().leaving && !waiting_.back().bytes.empty() && !examine(waiting_.back())) waiting_.pop_back();
    }
    make_room();
    return !closed;
}

void Doorway::make_room() {
    for (const bool known : {false, true}) {
        const auto is_one = [&](const Waiting& one) { return one.known == known; };
        for (auto count = static_cast<std::size_t>(std::count_if(waiting_.begin(), waiting_.end(), is_one));
             count > (known ? kMostKnown : kMostStrangers); --count) {
            const auto oldest = std::find_if(waiting_.begin(), waiting_.end(), is_one);
            ::close(oldest->socket);
            waiting_.erase(oldest);
        }
    }
}

void Doorway::watch() {
    std::vector<pollfd> polled;
    while (take_in()) {
        polled.assign(1, {bell_[0], POLLIN, 0});
        Clock::time_point next = Clock::time_point::max();
        for (const Waiting& one : waiting_) {
            polled.push_back({one.socket, POLLIN, 0});
            next = std::min(next, one.until);
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now()).count();
        if (::poll(polled.data(), polled.size(), waiting_.empty() ? -1 : static_cast<int>(std::clamp<long long>(left + 1, 0, 60000))) < 0)
            continue;
        char bells[64];
        while (::read(bell_[0], bells, sizeof bells) > 0) {
        }
        const Clock::time_point now = Clock::now();
        std::size_t k = 1;
        for (auto one = waiting_.begin(); one != waiting_.end(); ++k) {
            bool stays = true;
            if (polled[k].revents != 0) {
                stays = hear(*one);
            } else if (one->until <= now) {
                ::close(one->socket);
                stays = false;
            }
            one = stays ? std::next(one) : waiting_.erase(one);
        }
    }
    for (const Waiting& one : waiting_) ::close(one.socket);
    waiting_.clear();
}

bool Doorway::hear(Waiting& one) {
    char part[4096];
    const ssize_t length = ::recv(one.socket, part, sizeof part, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (length <= 0) {
        ::close(one.socket);
        return false;
    }
    if (one.leaving) return true;
    one.bytes.append(part, static_cast<std::size_t>(length));
    return examine(one);
}

bool Doorway::examine(Waiting& one) {
    const std::size_t line = one.bytes.find("\r\n");
    if (std::min(line, one.bytes.size()) > kMostLine) return refuse(one, "414 URI Too Long", "the address is too long"), true;
    if (line == std::string::npos) return true;
    const std::string path = path_of(one.bytes.substr(0, line));
    if (path.empty()) return refuse(one, "400 Bad Request", "this is no request of HTTP"), true;
    if (!knows_(path)) return refuse(one, "403 Forbidden", "the address lacks its secret word: copy all of what the program printed"), true;
    one.known = true;
    const std::size_t end = one.bytes.find("\r\n\r\n");
    if (std::min(end, one.bytes.size()) > kMostHead)
        return refuse(one, "431 Request Header Fields Too Large", "the headers are too long"), true;
    if (end == std::string::npos) return true;
    if (!enter_({one.socket, one.bytes})) return refuse(one, "503 Service Unavailable", "too much is asked for at a time"), true;
    return false;
}

void Doorway::refuse(Waiting& one, const char* status, const std::string& why) {
    const std::string answer = fmt::format(
        "HTTP/1.1 {}\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\r\n{}\n",
        status, why.size() + 1, why);
    [[maybe_unused]] const ssize_t sent = ::send(one.socket, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(one.socket, SHUT_WR);
    one.leaving = true;
    one.bytes.clear();
    one.until = Clock::now() + kFarewell;
}

}  // namespace scree
