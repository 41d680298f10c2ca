#include "view/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "view/guarded_server.hpp"
#include "view/packets.hpp"
#include "view/page_files.hpp"

namespace scree {
namespace {

constexpr int kMostViewers = 16;          // pages at one time
constexpr int kLook = 250;                // between two looks at the files [ms]
constexpr int kSign = 10;                 // seconds after which a silent stream shows that it lives
constexpr std::size_t kMostBody = 1024;   // of a request [bytes]
constexpr std::size_t kMostRows = 20000;  // of a series in one answer
constexpr std::size_t kMostColumns = 16;

std::string random_token() {
    std::uint8_t bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) throw RunError("the system gives no random numbers");
    std::string token;
    for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

/// In a time that does not tell where they differ.
bool same_secret(const std::string& a, const std::string& b) {
    unsigned different = a.size() == b.size() ? 0 : 1;
    for (std::size_t k = 0; k < b.size(); ++k)
        different |= static_cast<unsigned>(static_cast<unsigned char>(k < a.size() ? a[k] : 0) ^ static_cast<unsigned char>(b[k]));
    return different == 0;
}

bool is_number_address(std::string host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    unsigned char parsed[16];
    return ::inet_pton(AF_INET, host.c_str(), parsed) == 1 || ::inet_pton(AF_INET6, host.c_str(), parsed) == 1;
}

std::string in_brackets(const std::string& host) {
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// A request that is wrong: what to answer.
struct Refusal {
    int status;
    std::string text;
};

std::size_t number(const httplib::Request& request, const char* name, std::size_t otherwise, bool required) {
    if (!request.has_param(name)) {
        if (required) throw Refusal{400, std::string(name) + " is missing"};
        return otherwise;
    }
    const std::string text = request.get_param_value(name);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > 0xffffffffu)
        throw Refusal{400, std::string(name) + " must be a whole number"};
    return static_cast<std::size_t>(value);
}

std::string word(const httplib::Request& request, const char* name, const std::string& otherwise) {
    return request.has_param(name) ? request.get_param_value(name) : otherwise;
}

}  // namespace

bool is_token(const std::string& text) {
    return text.size() >= 16 && text.size() <= 64 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

class ViewServer::Parts {
public:
    Parts(std::unique_ptr<ViewSource> source, ViewOptions options, RunControl* run)
        : source_(std::move(source)),
          options_(std::move(options)),
          run_(run),
          packets_(*source_, options_.control, run != nullptr),
          server_([this](const std::string& path) { return has_word(path); }) {
        if (options_.token.empty()) options_.token = random_token();
        // One program to a port: the library's own choice lets several share it.
        server_.set_socket_options([](int socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        });
        server_.set_payload_max_length(kMostBody);
        server_.set_keep_alive_timeout(4);
        server_.set_keep_alive_max_count(1000);
        server_.set_tcp_nodelay(true);
        server_.set_default_headers(
            {{"Cache-Control", "no-store"},
             {"Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
              "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
             {"Cross-Origin-Resource-Policy", "same-origin"},
             {"Referrer-Policy", "no-referrer"},
             {"X-Content-Type-Options", "nosniff"}});
        // All requests end here: nothing is looked for in any folder.
        server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            answer(request, response);
            return httplib::Server::HandlerResponse::Handled;
        });
        if (options_.port > 0) {
            port_ = server_.bind_to_port(options_.address, options_.port) ? options_.port : -1;
        } else {
            port_ = server_.bind_to_any_port(options_.address);
        }
        if (port_ <= 0) {
            throw Error(options_.port > 0 ? fmt::format("cannot listen on {} port {}: it is taken, or not this machine's; choose another "
                                                        "--port, or leave it out for any that is free",
                                                        options_.address, options_.port)
                                          : fmt::format("cannot listen on {}: it is no address of this machine", options_.address));
        }
        own_names();
    }

    std::string url() const { return fmt::format("http://{}:{}/{}/", in_brackets(shown_host()), port_, options_.token); }

    void serve() {
        std::thread looker([this] { look(); });
        if (run_ != nullptr) run_->ready = 1;
        server_.listen_after_bind();
        stop();
        server_.end();
        looker.join();
    }

    void stop() {
        {
            const std::lock_guard<std::mutex> lock(state_);
            ended_ = true;
        }
        changed_.notify_all();
        server_.stop();
    }

private:
    bool has_word(const std::string& path) const {
        const std::size_t end = path.find_first_of("/?", 1);
        return same_secret(path.substr(std::min<std::size_t>(1, path.size()), end == std::string::npos ? end : end - 1), options_.token);
    }

    bool everywhere() const { return options_.address == "0.0.0.0" || options_.address == "::"; }

    std::string shown_host() const {
        char name[256] = {};
        if (everywhere() && ::gethostname(name, sizeof name - 1) == 0) return name;
        return options_.address;
    }

    /// What browsers may call this server: anything else is another site's name that was made to lead here.
    void own_names() {
        for (const std::string& host :
             {std::string("localhost"), std::string("127.0.0.1"), std::string("[::1]"), in_brackets(options_.address), shown_host()}) {
            names_.insert(lower(fmt::format("{}:{}", host, port_)));
            if (port_ == 80) names_.insert(lower(host));
        }
    }

    bool is_own_name(const std::string& host) const {
        if (names_.contains(lower(host))) return true;
        const std::string ending = fmt::format(":{}", port_);
        return everywhere() && host.size() > ending.size() && host.compare(host.size() - ending.size(), ending.size(), ending) == 0 &&
               is_number_address(host.substr(0, host.size() - ending.size()));
    }

    void answer(const httplib::Request& request, httplib::Response& response) {
        try {
            answer_known(request, response);
        } catch (const Refusal& refusal) {
            response.status = refusal.status;
            response.set_content(refusal.text + "\n", "text/plain; charset=utf-8");
        } catch (const Error& error) {
            response.status = 404;
            response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
        } catch (const std::exception& error) {
            response.status = 500;
            response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
        }
    }

    void answer_known(const httplib::Request& request, httplib::Response& response) {
        const std::string length = request.get_header_value("Content-Length");
        if ((!length.empty() && length != "0") || request.has_header("Transfer-Encoding")) {
            response.set_header("Connection", "close");  // what it sends is not read
            throw Refusal{413, "requests have no bodies here"};
        }
        if (!is_own_name(request.get_header_value("Host"))) throw Refusal{403, "this is not the server's name"};
        if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + request.get_header_value("Host"))
            throw Refusal{403, "another site's page may not ask"};
        const std::string& path = request.path;  // the doorway knows that it begins with the word
        const std::size_t end = path.find('/', 1);
        if (end == std::string::npos) throw Refusal{404, "the address ends in /"};
        const std::string name = path.substr(end + 1);
        if (request.method == "POST") return control(request, response, name);
        if (request.method != "GET" && request.method != "HEAD") throw Refusal{405, "GET alone"};
        if (name == "events") return stream(response);
        if (const PageFile file = page_file(name); !file.text.empty()) {
            response.set_content(file.text.data(), file.text.size(), std::string(file.kind).c_str());
            return;
        }
        response.set_content(packet_of(request, name), "application/octet-stream");
    }

    std::string packet_of(const httplib::Request& request, const std::string& name) {
        const std::lock_guard<std::mutex> lock(reading_);
        const auto frame = [&] {
            const std::size_t k = number(request, "n", 0, true);
            if (k >= source_->frames().size()) throw Refusal{404, "there is no such frame"};
            return k;
        };
        if (name == "run") {
            if (source_->look()) tell_news();
            return packets_.run();
        }
        if (name == "frame") return packets_.frame(frame(), word(request, "field", ""));
        if (name == "field") return packets_.field(frame(), word(request, "field", ""));
        if (name == "walls") return packets_.walls(frame());
        if (name == "rods") return packets_.rods(frame(), word(request, "what", "chains"), word(request, "colour", "damage"));
        if (name == "body") return packets_.body(frame(), static_cast<std::uint32_t>(number(request, "id", 0, true)));
        if (name == "history") {
            return packets_.history(static_cast<std::uint32_t>(number(request, "id", 0, true)), word(request, "field", ""),
                                    number(request, "from", 0, false), number(request, "count", 16, false),
                                    number(request, "step", 1, false));
        }
        if (name == "series") {
            std::vector<std::string> columns;
            for (std::size_t c = 0; c < std::min(kMostColumns, request.get_param_value_count("c")); ++c)
                columns.push_back(request.get_param_value("c", c));
            return packets_.series(columns, std::clamp<std::size_t>(number(request, "most", 2000, false), 2, kMostRows));
        }
        throw Refusal{404, "there is nothing of this name"};
    }

    void control(const httplib::Request& request, httplib::Response& response, const std::string& name) {
        if (name != "control") throw Refusal{404, "there is nothing of this name"};
        if (!options_.control || run_ == nullptr) throw Refusal{403, "this view may only look: start the run with --view --control"};
        const std::string what = word(request, "do", "");
        if (what == "pause") {
            run_->pause = 1;
        } else if (what == "resume") {
            run_->more_frames = 0;
            run_->pause = 0;
        } else if (what == "step") {
            run_->pause = 1;
            ++run_->more_frames;
        } else if (what == "stop") {
            run_->stop = 1;
        } else {
            throw Refusal{400, "do is pause, resume, step or stop"};
        }
        response.set_content("done\n", "text/plain");
    }

    /// What the run says of itself; to be asked for before the files are looked at, so that these hold all that it says.
    void add_run(JsonWriter& json) const {
        if (run_ == nullptr) return;
        json.add("step", run_->step.load());
        json.add("end_step", run_->end_step.load());
        json.add("time", run_->time.load());
        json.add("end_time", run_->end_time.load());
        json.add("pause", run_->pause.load() != 0);
        json.add("waits", run_->waits.load() != 0);
        json.add("stop", run_->stop.load() != 0);
    }

    /// Looks at the files, and says in one line of JSON what there is.
    std::string look_once(bool& news) {
        const std::lock_guard<std::mutex> lock(reading_);
        JsonWriter json;
        add_run(json);
        news = source_->look();
        json.add("frames", static_cast<std::int64_t>(source_->frames().size()));
        json.add("edition", source_->edition());
        json.add("running", source_->running());
        json.add("rows", static_cast<std::int64_t>(source_->series().rows()));
        std::string text = json.finish();
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text;
    }

    void tell_news() {
        {
            const std::lock_guard<std::mutex> lock(state_);
            ++news_;
        }
        changed_.notify_all();
    }

    /// Until the server ends: asleep while nobody looks.
    void look() {
        std::string last;
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(state_);
                changed_.wait(lock, [&] { return ended_ || viewers_ > 0; });
                changed_.wait_for(lock, std::chrono::milliseconds(kLook), [&] { return ended_; });
                if (ended_) return;
            }
            std::string now;
            bool news = false;
            try {
                now = look_once(news);
            } catch (const std::exception&) {
                continue;  // files that are being replaced
            }
            if (!news && now == last) continue;
            last = now;
            const std::lock_guard<std::mutex> lock(state_);
            state_text_ = now;
            ++states_;
            news_ += news ? 1 : 0;
            changed_.notify_all();
        }
    }

    void stream(httplib::Response& response) {
        {
            const std::lock_guard<std::mutex> lock(state_);
            if (viewers_ >= kMostViewers) throw Refusal{503, fmt::format("{} pages look at this already", kMostViewers)};
            ++viewers_;
        }
        changed_.notify_all();
        struct Seen {
            std::int64_t news{-1}, states{-1};
            bool greeted{false};
        };
        const auto seen = std::make_shared<Seen>();
        response.set_chunked_content_provider(
            "text/event-stream",
            [this, seen](std::size_t, httplib::DataSink& sink) {
                std::string text;
                bool ends = false;
                {
                    std::unique_lock<std::mutex> lock(state_);
                    changed_.wait_for(lock, std::chrono::seconds(seen->greeted ? kSign : 0),
                                      [&] { return ended_ || seen->news != news_ || seen->states != states_; });
                    if (!seen->greeted) text += "retry: 1000\n\n";
                    seen->greeted = true;
                    if (seen->states != states_ && !state_text_.empty()) text += "event: state\ndata: " + state_text_ + "\n\n";
                    if (seen->news != news_) text += fmt::format("event: news\ndata: {}\n\n", news_);
                    seen->states = states_;
                    seen->news = news_;
                    if (ended_) text += "event: bye\ndata: bye\n\n";
                    ends = ended_;
                }
                if (text.empty()) text = ": here\n\n";
                if (!sink.write(text.data(), text.size())) return false;
                if (ends) sink.done();
                return true;
            },
            [this](bool) {
                const std::lock_guard<std::mutex> lock(state_);
                --viewers_;
            });
    }

    std::unique_ptr<ViewSource> source_;
    ViewOptions options_;
    RunControl* run_;
    ViewPackets packets_;
    std::mutex reading_;  // source_ and packets_
    GuardedServer server_;
    int port_{0};
    std::set<std::string> names_;

    std::mutex state_;  // all below
    std::condition_variable changed_;
    int viewers_{0};
    std::int64_t news_{0}, states_{0};
    std::string state_text_;
    bool ended_{false};
};

ViewServer::ViewServer(std::unique_ptr<ViewSource> source, ViewOptions options, RunControl* run)
    : parts_(std::make_unique<Parts>(std::move(source), std::move(options), run)) {
}
ViewServer::~ViewServer() = default;
std::string ViewServer::url() const {
    return parts_->url();
}
void ViewServer::serve() {
    parts_->serve();
}
void ViewServer::stop() {
    parts_->stop();
}

}  // namespace scree
