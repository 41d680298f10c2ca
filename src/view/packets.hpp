// Answers of a view: what is asked for of a source, as packets (view/packet.hpp). docs/live_view.md describes each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/aabb.hpp"
#include "render/survey.hpp"
#include "view/packet.hpp"
#include "view/source.hpp"

namespace scree {

class ViewPackets {
public:
    /// `control`: may the page pause and stop the run? `attached`: it goes on in the program that started the view.
    ViewPackets(ViewSource& source, bool control, bool attached) : source_(source), control_(control), attached_(attached) {}

    /// What there is: frames, fields, shapes, colours, and of a scene its report.
    std::string run();
    /// Bodies of a frame with one number each, and what its walls bear. Throws Error.
    std::string frame(std::size_t k, const std::string& field);
    /// One number for each body of a frame, in the order of frame().
    std::string field(std::size_t k, const std::string& name);
    /// The walls as triangles. Planes reach as far as any frame asked for so far.
    std::string walls(std::size_t k);
    /// Bonds ("damage", "strain", "force" or "kind" as their colour), force chains, or the edges of a periodic cell, as rods.
    std::string rods(std::size_t k, const std::string& what, const std::string& colour);
    /// All that a frame says of a body.
    std::string body(std::size_t k, std::uint32_t id);
    /// A field of a body over `count` frames from `from` on, each `step`-th.
    std::string history(std::uint32_t id, const std::string& field, std::size_t from, std::size_t count, std::size_t step);
    /// Columns of the series, thinned to at most `most` rows.
    std::string series(const std::vector<std::string>& columns, std::size_t most);

private:
    /// Of plane scenes, as the first frame tells.
    bool is_plane_scene();
    void forget_old();
    std::string walls_key(const FrameParts& parts);
    /// Numbers of a field; where frame `k` lacks what others hold, `lacks` says why and it is "none" that is added.
    void add_field(Packet& packet, std::size_t k, const std::string& wanted);
    /// A frame without bodies that holds what any frame does.
    FrameParts all_kinds() const;
    /// Why frame `k` lacks a field, or "bonds", that others hold; empty: it holds it, or none does.
    std::string why_lacking(std::size_t k, const std::string& field) const;

    ViewSource& source_;
    bool control_, attached_;
    std::int64_t edition_{-1};
    Aabb region_;                         // of all frames so far
    std::map<std::string, Spread> rods_;  // of numbers of rods, likewise
    std::map<std::string, Spread> fields_;
    int flat_{-1};  // below 0: not known yet
};

}  // namespace scree
