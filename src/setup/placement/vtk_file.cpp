// Legacy VTK files (VTK User's Guide, "Simple legacy formats"): keywords on lines of their own, each with the data that it announces.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "setup/placement/body_columns.hpp"
#include "setup/placement/vtk_arrays.hpp"
#include "setup/placement/vtk_scanner.hpp"

namespace scree {

namespace {

using Words = std::vector<std::string_view>;

class VtkReader {
public:
    VtkReader(const std::string& path, std::string_view text) : in_(path, text), file_{path, 0, 0} {
        bodies_.head = file_;
        bodies_.item = "point";
    }

    BodyColumns read() {
        read_head();
        for (Words words = in_.words(); !words.empty(); words = in_.words()) read_keyword(words);
        if (!has_points_) throw Error(file_, "the file has no POINTS, which are the centres of bodies");
        return std::move(bodies_);
    }

private:
    std::size_t count(std::string_view word, const char* what) const {
        return static_cast<std::size_t>(count_or_throw(word, what, in_.here()));
    }
    /// Throws unless a keyword's line has `least` words.
    void require_words(const Words& words, std::size_t least, const char* form) const {
        if (words.size() < least) throw Error(in_.here(), fmt::format("the line has the form {}", form));
    }

    /// Version, title and format; the next line is read as a keyword.
    void read_head() {
        const Words first = in_.words();
        if (first.size() > 4) std::from_chars(first[4].data(), first[4].data() + first[4].size(), version_);
        in_.skip_line();
        const Words format = in_.words();
        const std::string word = format.empty() ? "" : small_letters(format[0]);
        if (word != "ascii" && word != "binary") throw Error(in_.here(), "the third line of a VTK file is ASCII or BINARY");
        if (word == "binary") in_.set_binary();
    }

    void read_keyword(const Words& words) {
        const std::string key = small_letters(words[0]);
        if (key == "dataset") return read_dataset(words);
        if (key == "points") return read_points(words);
        if (key == "metadata") return skip_metadata();
        if (key == "field") return read_field(words);
        if (key == "point_data" || key == "cell_data") return begin_data(words, key == "point_data");
        if (key == "cell_types") {
            require_words(words, 2, "CELL_TYPES n");
            return in_.skip({"CELL_TYPES", count(words[1], "cells"), 1, vtk_type_named("int", in_.here())});
        }
        if (key == "cells" || key == "vertices" || key == "lines" || key == "polygons" || key == "triangle_strips")
            return skip_cells(words);
        if (!read_attribute(words, key))
            throw Error(in_.here(),
                        fmt::format("\"{}\" is not a keyword of legacy VTK files of points: a count above is wrong, or the file is "
                                    "damaged",
                                    words[0]));
    }

    void read_dataset(const Words& words) {
        const std::string kind = words.size() > 1 ? small_letters(words[1]) : "";
        if (kind != "polydata" && kind != "unstructured_grid")
            throw Error(in_.here(), fmt::format("a dataset {} has no bodies: POLYDATA or UNSTRUCTURED_GRID are read",
                                                words.size() > 1 ? words[1] : "without a name"));
    }

    void read_points(const Words& words) {
        require_words(words, 3, "POINTS n type");
        if (has_points_) throw Error(in_.here(), "POINTS stand twice");
        has_points_ = true;
        points_ = count(words[1], "points");
        const std::vector<double> values = in_.read({"POINTS", points_, 3, vtk_type_named(words[2], in_.here())});
        store_components(kVtkPlaces, values, bodies_);
        for (std::size_t k = 0; k < points_; ++k) bodies_.row.push_back(static_cast<int>(k));
    }

    /// Component names and the like, up to a blank line.
    void skip_metadata() {
        while (!in_.skip_line()) {
        }
    }

    /// Cells are not read. Since version 5 they are two arrays of their own, before one of whole numbers.
    void skip_cells(const Words& words) {
        require_words(words, 3, fmt::format("{} n size", words[0]).c_str());
        const std::string name(words[0]);
        const std::size_t first = count(words[1], "cells"), second = count(words[2], "numbers");
        if (version_ < 5) return in_.skip({name, second, 1, vtk_type_named("int", in_.here())});
        for (const std::size_t size : {first, second}) {
            Words own = in_.words();
            while (!own.empty() && small_letters(own[0]) == "metadata") {
                skip_metadata();
                own = in_.words();
            }
            require_words(own, 2, "OFFSETS type, or CONNECTIVITY type");
            in_.skip({fmt::format("{} of {}", own[0], name), size, 1, vtk_type_named(own[1], in_.here())});
        }
    }

    void begin_data(const Words& words, bool of_points) {
        require_words(words, 2, of_points ? "POINT_DATA n" : "CELL_DATA n");
        of_points_ = of_points;
        tuples_ = count(words[1], of_points ? "points" : "cells");
        if (of_points && *tuples_ != points_)
            throw Error(in_.here(), fmt::format("POINT_DATA of {} points, but POINTS above are {}", *tuples_, points_));
    }

    /// The data of an array: read where they say something about bodies.
    void read_array(const VtkArray& array) {
        const VtkMeaning* meaning = vtk_meaning(array.name);
        if (array.components == 0) return;
        if (!of_points_ || meaning == nullptr || bodies_.has(meaning->columns[0])) return in_.skip(array);
        if (array.components != meaning->components)
            throw Error(in_.here(), fmt::format("array \"{}\" has {} components where {} are needed", array.name, array.components,
                                                meaning->components));
        if (array.tuples != points_)
            throw Error(in_.here(), fmt::format("array \"{}\" has {} tuples, but there are {} points", array.name, array.tuples, points_));
        store_components(*meaning, in_.read(array), bodies_);
    }

    /// An attribute of points or cells; false where `key` names none.
    bool read_attribute(const Words& words, const std::string& key) {
        static const std::array<std::pair<std::string_view, std::size_t>, 7> plain{
            {{"vectors", 3}, {"normals", 3}, {"tensors", 9}, {"tensors6", 6}, {"global_ids", 1}, {"pedigree_ids", 1}, {"edge_flags", 1}}};
        const auto* own = std::find_if(plain.begin(), plain.end(), [&](const auto& one) { return one.first == key; });
        const bool known =
            own != plain.end() || key == "scalars" || key == "color_scalars" || key == "lookup_table" || key == "texture_coordinates";
        if (!known) return false;
        if (!tuples_) throw Error(in_.here(), fmt::format("{} stands before POINT_DATA", words[0]));
        require_words(words, 3, fmt::format("{} name …", words[0]).c_str());
        VtkArray array{std::string(words[1]), *tuples_, 1, {}};
        if (own != plain.end()) {
            array.components = own->second;
            array.type = vtk_type_named(words[2], in_.here());
        } else if (key == "scalars") {
            array.type = vtk_type_named(words[2], in_.here());
            if (words.size() > 3) array.components = count(words[3], "components");
            const Words table = in_.words();
            if (table.empty() || small_letters(table[0]) != "lookup_table")
                throw Error(in_.here(), fmt::format("SCALARS {} need a line LOOKUP_TABLE name, such as LOOKUP_TABLE default", array.name));
        } else if (key == "texture_coordinates") {
            require_words(words, 4, "TEXTURE_COORDINATES name components type");
            array.components = count(words[2], "components");
            array.type = vtk_type_named(words[3], in_.here());
        } else if (key == "color_scalars") {
            array.components = count(words[2], "components");
            array.type = vtk_type_named("unsigned_char", in_.here());
        } else {  // LOOKUP_TABLE name size
            array = {std::string(words[1]), count(words[2], "colours"), 4, vtk_type_named("unsigned_char", in_.here())};
        }
        read_array(array);
        return true;
    }

    /// FIELD name n, then n arrays "name components tuples type"; before POINT_DATA it belongs to the file as a whole.
    void read_field(const Words& words) {
        require_words(words, 3, "FIELD name n");
        const std::size_t arrays = count(words[2], "arrays");
        for (std::size_t k = 0; k < arrays; ++k) {
            Words own = in_.words();
            while (!own.empty() && small_letters(own[0]) == "metadata") {
                skip_metadata();
                own = in_.words();
            }
            if (own.empty())
                throw Error(in_.here(), fmt::format("{} of {} arrays of FIELD are there: the file seems to be cut off", k, arrays));
            require_words(own, 4, "name components tuples type");
            read_array({std::string(own[0]), count(own[2], "tuples"), count(own[1], "components"), vtk_type_named(own[3], in_.here())});
        }
    }

    VtkScanner in_;
    SourcePlace file_;
    BodyColumns bodies_;
    double version_{0};
    bool has_points_{false};
    std::size_t points_{0};
    bool of_points_{false};              // arrays to come belong to points
    std::optional<std::size_t> tuples_;  // of POINT_DATA or CELL_DATA
};

}  // namespace

BodyColumns read_vtk(const std::string& path, std::string_view text) {
    return VtkReader(path, text).read();
}

}  // namespace scree
