"""scree report: its facts are those of summary.json, the tables and the frames; the page is whole, well-formed and sends nowhere; wrong input."""

import base64
import json
import os
import re
import shutil
import struct
import sys
import unittest
from html.parser import HTMLParser

from program import ProgramTest

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from plot import make_runs, read_column

EMPTY = {"meta", "link", "br", "img", "hr", "input", "path", "use", "rect", "circle"}


class Page(HTMLParser):
    """Reads a page: every tag that opens closes, and what a page needs to be read aloud."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.ids, self.targets, self.tags, self.texts = [], [], [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        if "id" in found:
            self.ids.append(found["id"])
        for key in ("href", "src", "data", "action"):
            if key in found:
                self.targets.append(found[key])
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> where {self.open[-3:]} is open, line {self.getpos()[0]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style",):
            self.texts.append(data)

    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))


class Report(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.runs = make_runs()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.runs, ignore_errors=True)

    def facts(self, *runs):
        return json.loads(self.scree("report", *runs, "--json")[0], parse_constant=lambda word: self.fail(word))

    def test_facts_are_those_of_the_files(self):
        run = self.runs / "soft"
        summary = json.loads((run / "summary.json").read_text())
        one = self.facts(run)["runs"][0]
        for path, key in ((("bodies", "count"), "bodies"), (("bodies", "mass"), "mass"), (("step", "step"), "dt"), (("step", "stable_step"), "stable_step"), (("step", "steps"), "steps"),
                          (("speed", "body_steps_per_second"), "particle_steps_per_second"), (("speed", "wall_seconds"), "wall_seconds"), (("speed", "seconds_per_stage"), "seconds_per_stage"),
                          (("pair_list", "rebuilds"), "pair_list_rebuilds"), (("contacts", "at_end"), "contacts"), (("contacts", "largest_overlap", "ratio_at_end"), "max_overlap_ratio"),
                          (("versions", "scree"), "version"), (("state_hash",), "state_hash"), (("title",), "title")):
            value = one
            for part in path:
                value = value[part]
            self.assertEqual(value, summary[key], path)
        self.assertEqual(one["step"]["margin"], summary["stable_step"] / summary["dt"])
        self.assertEqual([entry["text"] for entry in one["warnings"]], summary["warnings"])
        self.assertEqual(one["settings"]["law"], "hertz")
        self.assertEqual(one["materials"]["glass"]["young"], 5e6)
        volume = 4 / 3 * np.pi
        with h5py.File(run / "state.h5") as state:
            self.assertEqual(len(state["frames/000000/id"]), 8)
        (row,) = one["bodies"]["start"]  # spheres of both shapes: frames tell them apart by their radius only
        self.assertEqual((row["count"], row["radius_min"], row["radius_max"]), (8, 0.002, 0.003))
        self.assertAlmostEqual(row["mass"], 2500 * volume * 4 * (0.002**3 + 0.003**3), delta=1e-12)

    def test_balances_are_those_of_the_series(self):
        run = self.runs / "soft"
        one = self.facts(run)["runs"][0]
        time, total = read_column(run, "energy.total")
        energy = one["energy"]
        self.assertAlmostEqual(energy["largest_change"], np.abs(total - total[0]).max(), delta=1e-18)
        parts = sum(read_column(run, f"energy.{name}")[1] for name in ("kinetic_translation", "kinetic_rotation", "elastic_normal", "elastic_tangential", "dissipated_damping", "dissipated_friction"))
        turned = max(parts.max(), np.ptp(read_column(run, "energy.potential")[1]))
        self.assertAlmostEqual(energy["relative_error"], np.abs(total - total[0]).max() / turned, delta=1e-12)
        self.assertLess(energy["relative_error"], 0.02)
        _, ratio = read_column(run, "max_overlap.ratio")
        self.assertEqual(one["contacts"]["largest_overlap"]["ratio"], ratio.max())
        momentum = one["momentum"]
        self.assertEqual(momentum["end"], [read_column(run, f"momentum.{axis}")[1][-1] for axis in ("px", "py", "pz")])
        # The floor's load is all that changes momentum beside gravity; its impulse by hand.
        mass = json.loads((run / "summary.json").read_text())["mass"]
        _, load = read_column(run, "wall_load.floor.fz")
        force = -load - 9.81 * mass
        self.assertAlmostEqual(momentum["impulse"][2], np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(time)), delta=1e-12)
        error = np.array(momentum["end"]) - momentum["start"] - momentum["impulse"]
        self.assertAlmostEqual(momentum["error"], np.linalg.norm(error), delta=1e-15)
        for name, entry in one["series"].items():
            if name.startswith("energy."):
                _, value = read_column(run, name)
                self.assertEqual((entry["values"], entry["last"], entry["min"], entry["max"]), (len(value), value[-1], value.min(), value.max()))

    def test_momentum_balances_where_it_is_sampled_at_every_step(self):
        scene = (self.runs / "balls.toml").read_text().replace("every = 5e-4", "every = 2e-5")
        (self.folder / "dense.toml").write_text(scene)
        self.scree("run", "dense.toml", "-o", "dense", "-q", "--until", "0.015")
        momentum = self.facts("dense")["runs"][0]["momentum"]
        # Contacts last some 50 steps, and trapezoids miss them by 1 % or so.
        self.assertLess(momentum["relative_error"], 0.02)
        self.assertGreater(np.linalg.norm(np.array(momentum["end"]) - momentum["start"]), 5 * momentum["error"])

    def test_the_page_is_whole_and_sends_nowhere(self):
        out, _ = self.scree("report", self.runs / "soft", "-o", "page.html")
        self.assertIn("page.html", out)
        text = (self.folder / "page.html").read_text()
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        tags = dict(reversed(page.tags))
        self.assertEqual(tags["html"]["lang"], "en")
        for target in page.targets:
            self.assertTrue(target.startswith(("#", "data:")), target)
        self.assertNotRegex(text, r"https?://|@import|url\((?!#)|<script|<link")
        for target in page.targets:
            if target.startswith("#"):
                self.assertIn(target[1:], page.ids)
        for target in re.findall(r"url\(#([^)]*)\)", text):
            self.assertIn(target, page.ids)
        plots = [found for tag, found in page.tags if tag == "svg"]
        self.assertGreater(len(plots), 8)
        for found in plots:
            self.assertEqual(found["role"], "img")
            self.assertIn("Plot of ", found["aria-label"])
        self.assertTrue(all(found.get("alt") for tag, found in page.tags if tag == "img"))
        self.assertTrue(all(found.get("scope") in ("col", "row") for tag, found in page.tags if tag == "th"))
        self.assertEqual(sum(tag == "h1" for tag, _ in page.tags), 1)
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertIn("currentColor", text)
        said = page.text()
        for words in ("Eight balls", "glass", "floor", "stability margin", "kinetic_translation", "body-steps per second", "hertz", "error of the energy balance"):
            self.assertIn(words, said)
        summary = json.loads((self.runs / "soft" / "summary.json").read_text())
        self.assertIn(summary["state_hash"], said)
        self.assertIn(f"{summary['stable_step'] / summary['dt']:.3g} ×", said)
        for warning in summary["warnings"]:
            self.assertIn(warning, said)

    def test_the_pictures_of_a_run_are_in_its_page(self):
        self.scree("report", self.runs / "soft", "-o", "page.html")
        page = Page((self.folder / "page.html").read_text())
        pictures = [found for tag, found in page.tags if tag == "img"]
        with h5py.File(self.runs / "soft" / "state.h5") as state:
            times = [frame.attrs["time"] for _, frame in sorted(state["frames"].items())]
        wanted = list(dict.fromkeys([times[0], times[(len(times) - 1) // 2], times[-1]]))
        self.assertEqual([found["alt"] for found in pictures], [f"soft at t = {time:.4g} s" for time in wanted])
        self.assertEqual(len(pictures), 3)
        whole = [base64.b64decode(found["src"].removeprefix("data:image/png;base64,")) for found in pictures]
        self.assertEqual(len(set(whole)), 3)
        for data in whole:
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", data[16:24]), (1120, 700))
        # What `scree render` draws of these frames together, by one camera and with one bar.
        self.scree("render", self.runs / "soft", "-o", "drawn", "--frames", "0," + str((len(times) - 1) // 2) + ",-1", "--size", "1120x700", "-q")
        self.assertEqual([file.read_bytes() for file in sorted((self.folder / "drawn").iterdir())], whole)

    def test_verdicts_are_those_of_the_summary(self):
        self.scree("report", self.runs / "soft", "-o", "page.html")
        summary = json.loads((self.runs / "soft" / "summary.json").read_text())
        self.assertEqual(self.facts(self.runs / "soft")["runs"][0]["verdicts"], summary["verdicts"])
        said = Page((self.folder / "page.html").read_text()).text()
        self.assertIn("Did it go well?", said)
        self.assertIn(f"contacts at the end: between bodies, with walls {summary['contacts']}, {summary['wall_contacts']} ", said)
        for name, one in summary["verdicts"].items():
            self.assertIn(f"{name} {one['verdict']} {one['text']}", said)

    def test_runs_are_compared(self):
        facts = self.facts(self.runs / "soft", self.runs / "hard")
        differences = {row["key"]: row["values"] for row in facts["differences"]}
        self.assertEqual(differences, {"material.glass.young": [5e6, 2e7], "material.glass.friction": [0.4, 0.2]})
        rows = {row["result"]: row for row in facts["comparison"]}
        for k, name in enumerate(("soft", "hard")):
            summary = json.loads((self.runs / name / "summary.json").read_text())
            self.assertEqual(rows["state hash"]["values"][k], summary["state_hash"])
            self.assertEqual(rows["stability margin"]["values"][k], summary["stable_step"] / summary["dt"])
            self.assertEqual(rows["energy.potential, last"]["values"][k], read_column(self.runs / name, "energy.potential")[1][-1])
        # A stiffness four times as large has steps half as long.
        self.assertAlmostEqual(rows["stability margin"]["values"][0] / rows["stability margin"]["values"][1], 2, delta=0.2)
        for label, key in (("contacts between bodies at the end", "contacts"), ("contacts with walls at the end", "wall_contacts")):
            self.assertEqual(rows[label]["values"], [json.loads((self.runs / name / "summary.json").read_text())[key] for name in ("soft", "hard")])
        # Few columns, so that the page of both runs is made soon.
        for name in ("soft", "hard"):
            shutil.copytree(self.runs / name, self.folder / name)
            for table in ("state.h5", "checkpoint.h5"):
                (self.folder / name / table).unlink()
            lines = (self.folder / name / "series.csv").read_text().splitlines()
            (self.folder / name / "series.csv").write_text("\n".join(",".join(line.split(",")[:4]) for line in lines) + "\n")
        self.scree("report", "soft", "hard", "-o", "both.html")
        page = Page((self.folder / "both.html").read_text())
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for words in ("Comparison of 2 runs", "material.glass.young", "Settings that differ", "soft", "hard", "20 MPa"):
            self.assertIn(words, page.text().replace("2 × 10 7", "20 MPa"))

    def test_a_run_that_has_not_ended(self):
        shutil.copytree(self.runs / "soft", self.folder / "going")
        (self.folder / "going" / "summary.json").unlink()
        series = self.folder / "going" / "series.csv"
        series.write_text(series.read_text()[:-40])  # a last line cut short
        one = self.facts("going")["runs"][0]
        self.assertFalse(one["ended"])
        self.assertEqual(one["series"]["energy.total"]["values"], 60)
        self.assertIsNone(one["step"]["margin"])
        self.assertIsNone(one["momentum"]["error"])

    def test_warnings_of_the_log_are_told(self):
        self.scree("run", self.runs / "balls.toml", "-o", "deep", "-q", "--set", "method.overlap_warning=0.001", "--until", "0.02")
        told = [entry["text"] for entry in self.facts("deep")["runs"][0]["warnings"]]
        self.assertEqual(len(told), 1)
        self.assertIn("method.overlap_warning = 0.001", told[0])

    def test_frames_that_are_damaged_are_told(self):
        """The report shows what is before them, and says so; numbers of a sweep are not taken from them."""
        frames = self.frames_of(self.runs / "soft")
        for name, spoil, words in (("attribute", lambda frame: frame.attrs.__delitem__("time"), "time"), ("array", lambda frame: frame.__delitem__("mass"), "it has no mass")):
            shutil.copytree(self.runs / "soft", self.folder / name)
            with h5py.File(self.folder / name / "state.h5", "r+") as state:
                spoil(state["frames"][frames[2]])
            os.utime(self.folder / name / "summary.json")  # the run has ended since
            _, err = self.scree("report", name, "-o", f"{name}.html")
            self.assertRegex(err, rf"\Awarning: {name}/state\.h5: frame 2, /frames/{frames[2]}, cannot be read \([^\n]*{words}[^\n]*; left out are this frame and those after it, "
                                  rf"{len(frames) - 2} of {len(frames)}\n\Z")
            self.assertIn(f"/frames/{frames[2]}, cannot be read", Page((self.folder / f"{name}.html").read_text()).text())
            one = self.facts(name)["runs"][0]
            self.assertIn(f"{name}/state.h5: frame 2, /frames/{frames[2]}, cannot be read", one["warnings"][-1]["text"])
            self.assertIn("warning: ", self.scree("plot", name, "-o", f"{name}.svg")[1])
            # While a run goes on its last frame is not whole yet.
            (self.folder / name / "summary.json").unlink()
            self.assertEqual(self.scree("report", name, "-o", f"{name}.html", "--overwrite")[1], "")

    def frames_of(self, run):
        with h5py.File(run / "state.h5") as state:
            return sorted(state["frames"])

    def test_wrong_input(self):
        (self.folder / "there.html").write_text("mine")
        (self.folder / "empty").mkdir()
        (self.folder / "folder.html").mkdir()
        (self.folder / "broken").mkdir()
        (self.folder / "broken" / "scene.toml").write_text("title = \n")
        (self.folder / "torn").mkdir()
        (self.folder / "torn" / "scene.toml").write_text('title = "t"\n')
        (self.folder / "torn" / "series.csv").write_text("step,time,energy.total\n0,0\n1,0.1,3\n")
        run = self.runs / "soft"
        (self.folder / "cut").mkdir()
        (self.folder / "cut" / "scene.toml").write_text((run / "scene.toml").read_text())
        (self.folder / "cut" / "state.h5").write_bytes((run / "state.h5").read_bytes()[:3000])
        for arguments, said in (
                (("cut",), "cut/state.h5: frames cannot be read: "),
                (("nowhere",), "nowhere: no such run directory"),
                (("empty",), "this is no run directory, it holds no scene.toml"),
                (("broken", "--json"), "broken/scene.toml"),
                (("torn", "--json"), "torn/series.csv:2: 2 cells, but the first line names 3 columns"),
                ((run, "-o", "there.html"), "there.html is there already: --overwrite replaces it"),
                ((run, "-o", "report.doc"), "the name must end in .html"),
                ((run, "-o", "folder.html"), "this is a folder"),
                ((run, "-o", "r.html", "--json"), "--json prints to the terminal"),
                ((run, run, "--json"), "is given twice")):
            with self.subTest(arguments=arguments):
                _, err = self.scree("report", *arguments, code=2)
                self.assertIn(said, err)
                self.assertTrue(err.startswith("error: "))
                self.assertNotIn("Traceback", err)
        self.assertEqual((self.folder / "there.html").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
