#include "view/guarded_server.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace scree {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kThreads = 32;      // a viewer's events take one, its questions others for a moment
constexpr int kMostInside = 96;           // those that are answered, and those that wait for it
constexpr double kPatience = 5;           // for a piece of an answer to be taken ...
constexpr double kLeastPace = 32 * 1024;  // ... and what more of it takes [s], [bytes / s]
constexpr double kAtTheEnd = 1;           // the same when the server ends [s]
constexpr int kLook = 100;                // between looks whether it ends [ms]

/// What the library accepts goes to the doorway at once, from the thread that accepts.
class AtOnce : public httplib::TaskQueue {
public:
    void enqueue(std::function<void()> task) override { task(); }
    void shutdown() override {}
};

void address_of(int (*of)(int, sockaddr*, socklen_t*), int socket, std::string& ip, int& port) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    char host[NI_MAXHOST] = {}, service[NI_MAXSERV] = {};
    if (of(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
        ::getnameinfo(reinterpret_cast<sockaddr*>(&address), length, host, sizeof host, service, sizeof service,
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    ip = host;
    port = std::atoi(service);
}

/// A request that is all there, and an answer that is to be taken in time.
class GuestStream : public httplib::Stream {
public:
    GuestStream(Guest& guest, const std::atomic<bool>& ending) : guest_(guest), ending_(ending) {}

    bool is_readable() const override { return !guest_.bytes.empty(); }
    bool is_writable() const override {
        char byte = 0;
        return can_write(Clock::now(), kPatience) && ::recv(guest_.socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
    }
    ssize_t read(char* to, size_t size) override {
        const std::size_t n = std::min(size, guest_.bytes.size() - read_);
        std::memcpy(to, guest_.bytes.data() + read_, n);
        read_ += n;
        return n > 0 ? static_cast<ssize_t>(n) : -1;
    }
    ssize_t write(const char* from, size_t size) override {
        const Clock::time_point began = Clock::now();
        const double patience = kPatience + static_cast<double>(size) / kLeastPace;
        for (std::size_t done = 0; done < size;) {
            if (!can_write(began, patience)) return -1;
            const ssize_t n = ::send(guest_.socket, from + done, size - done, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (n < 0 && errno != EAGAIN && errno != EINTR) return -1;
            done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
        }
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string& ip, int& port) const override { address_of(::getpeername, guest_.socket, ip, port); }
    void get_local_ip_and_port(std::string& ip, int& port) const override { address_of(::getsockname, guest_.socket, ip, port); }
    socket_t socket() const override { return guest_.socket; }

    /// What was sent beyond the request.
    std::string rest() const { return guest_.bytes.substr(read_); }

private:
    bool can_write(Clock::time_point began, double patience) const {
        for (;;) {
            pollfd polled{guest_.socket, POLLOUT, 0};
            if (::poll(&polled, 1, kLook) > 0) return (polled.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
            const double waited = std::chrono::duration<double>(Clock::now() - began).count();
            if (waited > (ending_ ? std::min(patience, kAtTheEnd) : patience)) return false;
        }
    }

    Guest& guest_;
    const std::atomic<bool>& ending_;
    std::size_t read_{0};
};

/// Does a body follow? It is not read.
bool has_body(std::string head) {
    head.resize(std::min(head.size(), head.find("\r\n\r\n")));
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return head.find("\r\ncontent-length:") != std::string::npos || head.find("\r\ntransfer-encoding:") != std::string::npos;
}

}  // namespace

GuardedServer::GuardedServer(Doorway::Knows knows)
    : pool_(std::make_unique<httplib::ThreadPool>(kThreads)), doorway_(std::make_unique<Doorway>(std::move(knows), [this](Guest guest) {
          if (inside_ >= kMostInside) return false;
          ++inside_;
          pool_->enqueue([this, guest = std::move(guest)]() mutable {
              answer(std::move(guest));
              --inside_;
          });
          return true;
      })) {
    new_task_queue = [] { return new AtOnce; };
}

bool GuardedServer::process_and_close_socket(socket_t socket) {
    doorway_->add(socket);
    return true;
}

void GuardedServer::answer(Guest guest) {
    GuestStream stream(guest, ending_);
    bool closed = has_body(guest.bytes);
    const bool answered = process_request(stream, closed || ending_, closed, nullptr);
    if (answered && !closed && !ending_) {
        doorway_->wait({guest.socket, stream.rest()});
    } else {
        doorway_->leave(guest.socket);
    }
}

void GuardedServer::end() {
    if (ending_.exchange(true)) return;
    doorway_->close();
    pool_->shutdown();
}

}  // namespace scree
