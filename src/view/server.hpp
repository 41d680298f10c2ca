// The server of a view: answers the page over HTTP, and tells it by server-sent events what is new. One thread looks at the files, and only
// while somebody looks at the page.
//
// Every address begins with a secret word. Names and numbers of requests are looked up in what the source holds; none is a path.
//   GET  /TOKEN/             the page; /TOKEN/main.js, /TOKEN/style.css
//   GET  /TOKEN/run, frame?n=&field=, field?n=&field=, walls?n=, rods?n=&what=&colour=, body?n=&id=,
//        history?id=&field=&from=&count=&step=, series?c=NAME (several)&most=
//        Without field=: the speed, or none where frames hold no velocities.
//   GET  /TOKEN/events       server-sent events: "state" (JSON), "news" (ask for run again)
//   POST /TOKEN/control?do=pause, resume, step or stop      with --control alone
#pragma once

#include <memory>
#include <string>

#include "view/run_control.hpp"
#include "view/source.hpp"

namespace scree {

struct ViewOptions {
    std::string address{"127.0.0.1"};  // to listen on
    int port{0};                       // 0: any that is free
    bool control{false};               // the page may pause and stop the run
    std::string token;                 // empty: a random one
};

class ViewServer {
public:
    /// Listens. `run`: what the run that this view belongs to shares, or null. Throws Error where the address cannot be had.
    ViewServer(std::unique_ptr<ViewSource> source, ViewOptions options, RunControl* run);
    ~ViewServer();
    ViewServer(const ViewServer&) = delete;
    ViewServer& operator=(const ViewServer&) = delete;

    /// The address of the page, token included.
    std::string url() const;
    /// Answers until stop().
    void serve();
    /// From a signal handler's thread or another; says good-bye to those who look.
    void stop();

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

/// Letters, digits, - and _, 16 to 64 of them: what a token may be.
bool is_token(const std::string& text);

}  // namespace scree
