// The HTTP server of the library, of which no connection holds a thread but while its answer is made and sent: before and between requests
// they wait at a doorway (view/doorway.hpp), and who reads too slowly is sent away.
#pragma once

#include <httplib.h>

#include <atomic>
#include <memory>

#include "view/doorway.hpp"

namespace scree {

class GuardedServer : public httplib::Server {
public:
    /// `knows`: does a path begin with the view's word?
    explicit GuardedServer(Doorway::Knows knows);
    ~GuardedServer() override { end(); }

    /// Once it listens no longer: waits until all answers that are being sent are, a second at most.
    void end();

private:
    bool process_and_close_socket(socket_t socket) override;
    void answer(Guest guest);

    std::atomic<bool> ending_{false};
    std::atomic<int> inside_{0};  // guests that are answered, or wait for it
    std::unique_ptr<httplib::ThreadPool> pool_;
    std::unique_ptr<Doorway> doorway_;
};

}  // namespace scree
