// Where connections wait, without a thread of their own, until what they ask is whole. In: sockets as they are accepted, and those that may
// ask again; out: the requests of those that know the view's word. All others are told so and sent away: after 5 seconds at the latest, and
// sooner where too many wait.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace scree {

/// A connection with a request whose head is whole.
struct Guest {
    int socket{-1};
    std::string bytes;  // what it has sent: a request to its empty line, and what came with it
};

class Doorway {
public:
    /// Does this path of a request, "/WORD/…", begin with the word?
    using Knows = std::function<bool(const std::string& path)>;
    /// Takes a guest over, socket and all. False: there is no room, and the doorway tells them.
    using Enter = std::function<bool(Guest)>;

    Doorway(Knows knows, Enter enter);
    ~Doorway() { close(); }
    Doorway(const Doorway&) = delete;
    Doorway& operator=(const Doorway&) = delete;

    /// A connection that was just accepted. Takes the socket over, as all of these.
    void add(int socket) { arrive({socket, {}, {}, false, false}); }
    /// One that has its answer and may ask again.
    void wait(Guest guest) { arrive({guest.socket, std::move(guest.bytes), {}, true, false}); }
    /// One that has its answer and is to go: what it may still send is read for a moment, so that the answer is not lost.
    void leave(int socket);
    /// Sends all away. What arrives later is closed.
    void close();

private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        int socket{-1};
        std::string bytes;
        Clock::time_point until;
        bool known{false};    // its last request had the word
        bool leaving{false};  // has its last answer
    };

    void arrive(Waiting one);
    void watch();
    /// Takes over what arrived. False: the doorway closes.
    bool take_in();
    /// Reads what there is. False: it is gone, or has entered.
    bool hear(Waiting& one);
    /// Lets it enter, or sends it away, where what it has sent suffices. False: it has entered.
    bool examine(Waiting& one);
    void refuse(Waiting& one, const char* status, const std::string& why);
    void make_room();

    Knows knows_;
    Enter enter_;
    int bell_[2]{-1, -1};  // a pipe that wakes the thread
    std::list<Waiting> waiting_;
    std::mutex mutex_;  // of the two below
    std::vector<Waiting> arrived_;
    bool closed_{false};
    std::thread watcher_;
};

}  // namespace scree
