"""scree calibrate: a ball that hits a floor gives back what is known of it, by both methods; confidence as formulas have it; what it writes; going on; wrong input."""

import csv
import html
import json
import math
import os
import shutil
import signal
import sys
import time
import tomllib
import unittest

from program import HERE, ProgramTest
from wrong_input import check_refusals

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
    import numpy as np
    import scipy  # noqa: F401
    import sklearn  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from report import Page

sys.path.insert(0, str(HERE.parents[1] / "src" / "cli" / "python"))
import responses  # noqa: E402
from calibration import Calibration  # noqa: E402
from scree_run import Problem  # noqa: E402

E, MU = 0.62, 0.21  # what is to be found
# The ball comes with 1 m/s across the floor and 3 m/s along it: it leaves with e across, and has lost mu (1 + e) along.
TEXT = f"""
[[unknown]]
name = "restitution"
key = "material.m.restitution"
range = [0.2, 0.95]

[[unknown]]
name = "friction"
key = "material.m.friction"
range = [0.05, 0.8]
scale = "log"

[[test]]
scene = "hit.toml"

[[target]]
name = "rebound"
column = "body.vz"
value = {E}
tolerance = 0.01

[[target]]
name = "slowed"
column = "3 - body.vx"
value = {MU * (1 + E):.6g}
tolerance = 0.01

[search]
runs = 11
start = 6
batch = 1
"""


class Calibrate(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(HERE.parents[1] / "examples" / "calibrate" / "hit.toml", self.folder)

    def calibrate(self, text, *arguments, code=0, output="out"):
        (self.folder / "c.toml").write_text(text)
        return self.scree("calibrate", "c.toml", "-o", output, *arguments, code=code)

    def best(self, output="out"):
        return json.loads((self.folder / output / "best.json").read_text())

    def evaluations(self, output="out"):
        with open(self.folder / output / "evaluations.csv") as file:
            return list(csv.DictReader(file))


class Found(Calibrate):
    def test_what_is_known_is_found(self):
        out, _ = self.calibrate(TEXT, "--jobs", "1")
        found = self.best()
        self.assertEqual((found["evaluations"], found["runs"], found["failed"], found["remarks"]), (11, 11, 0, []))
        e, mu = (found["unknowns"][name] for name in ("restitution", "friction"))
        self.assertLess(abs(e["best"] / E - 1), 0.01)
        self.assertLess(abs(mu["best"] / MU - 1), 0.02)
        self.assertIn(f"restitution = {e['best']:.4g}, 68 %: {e['68%'][0]:.4g} to", out)
        # e = vz, and mu = lost / (1 + vz): how the tolerances go on.
        for entry, value, sigma in ((e, E, 0.01), (mu, MU, math.hypot(0.01 / (1 + E), 0.01 * MU / (1 + E)))):
            for level, deviations in (("68%", 1), ("95%", 1.96)):
                low, high = entry[level]
                self.assertTrue(low < value < high)
                self.assertAlmostEqual((high - low) / 2 / (deviations * sigma), 1, delta=0.15)
        slope = -MU / (1 + E) * 0.01 / math.hypot(0.01 / (1 + E), 0.01 * MU / (1 + E))
        self.assertAlmostEqual(found["correlation"][0][1], slope / 0.01 * 0.01, delta=0.06)
        # The scene of the best values gives what was measured.
        self.scree("run", "out/best_hit/scene.toml", "-o", "again", "-q")
        last = self.read_series("again")[-1]
        self.assertAlmostEqual(last["body.vz"], E, delta=0.01)
        self.assertAlmostEqual(3 - last["body.vx"], MU * (1 + E), delta=0.01)
        settings = tomllib.loads((self.folder / "out" / "best.toml").read_text())
        self.assertEqual(settings, {"hit": {"material.m.restitution": e["best"], "material.m.friction": mu["best"]}})
        rows = self.evaluations()
        self.assertEqual([row["stage"] for row in rows], ["start"] * 6 + ["search"] * 4 + ["best"])
        for row in rows:
            wanted = ((float(row["rebound"]) - E) / 0.01) ** 2 + ((float(row["slowed"]) - float(f"{MU * (1 + E):.6g}")) / 0.01) ** 2
            self.assertAlmostEqual(float(row["misfit"]), wanted, delta=1e-9 * wanted + 1e-12)
        self.check_page(found)
        # The same call once more runs nothing, and comes to the same.
        before = (self.folder / "out" / "best.json").read_bytes()
        out, _ = self.calibrate(TEXT)
        self.assertNotIn("done in", out)
        self.assertEqual((self.folder / "out" / "best.json").read_bytes(), before)

    def check_page(self, found):
        text = (self.folder / "out" / "report.html").read_text()
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertTrue(all(target.startswith("#") and target[1:] in page.ids for target in page.targets), page.targets)
        self.assertNotRegex(text, r"https?://|@import|<script|<link")
        said = html.unescape(page.text())
        for words in ("Calibration of restitution, friction", "68 % of its probability", "rebound", "slowed", "material.m.friction", "Misfit over restitution and friction",
                      f"{found['unknowns']['friction']['best']:.4g}", f"{found['unknowns']['restitution']['68%'][0]:.4g} to"):
            self.assertIn(words, said + "".join(str(tag) for tag in page.tags))
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags), 1 + 4 + 1)  # surface, targets over unknowns, convergence

    def test_a_simplex_finds_it_too(self):
        self.calibrate(TEXT.replace("runs = 11\nstart = 6", "method = \"nelder-mead\"\nruns = 45"))
        found = self.best()
        self.assertLess(abs(found["nearest"]["restitution"] / E - 1), 0.02)
        self.assertLess(abs(found["nearest"]["friction"] / MU - 1), 0.04)
        self.assertLess(abs(found["unknowns"]["friction"]["best"] / MU - 1), 0.04)

    def test_what_targets_do_not_tell_is_said(self):
        text = TEXT[:TEXT.index("[[target]]\nname = \"slowed\"")] + "[search]\nruns = 9\nstart = 6\n"
        self.calibrate(text)
        found = self.best()
        self.assertTrue(any(one.startswith("the targets hardly tell friction") for one in found["remarks"]), found["remarks"])
        self.assertLess(abs(found["unknowns"]["restitution"]["best"] / E - 1), 0.02)
        # Out of reach: at the border, and missed.
        self.calibrate(TEXT.replace("range = [0.2, 0.95]", "range = [0.2, 0.5]").replace("runs = 11", "runs = 8"), output="short")
        remarks = " ".join(self.best("short")["remarks"])
        self.assertIn("restitution is at the border of its range", remarks)
        self.assertIn("no values in these ranges give rebound", remarks)

    def test_two_tests_a_derived_key_and_points_that_fail(self):
        # The second ball is twice as fast along the floor and tells friction; where mu > 0.625 its run fails.
        (self.folder / "fast.toml").write_text((self.folder / "hit.toml").read_text().replace("velocity = [3, 0, -1]", "velocity = [6, 0, -1]"))
        text = f"""
[[unknown]]
name = "e"
key = "material.m.restitution"
range = [0.2, 0.95]
[[unknown]]
name = "mu"
key = "material.m.friction"
range = [0.05, 0.8]
[[parameter]]
name = "poisson"
key = "material.m.poisson"
value = "0.25 + 0.4 * mu"
[[test]]
name = "slow"
scene = "hit.toml"
unknowns = ["e"]
[[test]]
scene = "fast.toml"
[test.set]
"time.end" = 0.015
[[target]]
test = "slow"
column = "body.vz"
value = {E}
tolerance = 0.01
[[target]]
name = "lost"
test = "fast"
column = "6 - body.vx"
value = {MU * (1 + E)}
tolerance = 0.01
[search]
runs = 22
start = 7
batch = 1
"""
        out, _ = self.calibrate(text)
        found = self.best()
        self.assertGreater(found["failed"], 0)
        self.assertIn("FAILED", out)
        self.assertEqual(found["runs"], 22)
        self.assertLess(abs(found["unknowns"]["e"]["best"] / E - 1), 0.02)
        self.assertLess(abs(found["unknowns"]["mu"]["best"] / MU - 1), 0.03)
        settings = tomllib.loads((self.folder / "out" / "best.toml").read_text())
        self.assertEqual(set(settings["slow"]), {"material.m.restitution"})
        self.assertEqual(set(settings["fast"]), {"material.m.restitution", "material.m.friction", "material.m.poisson", "time.end"})
        self.assertAlmostEqual(settings["fast"]["material.m.poisson"], 0.25 + 0.4 * found["unknowns"]["mu"]["best"], delta=1e-9)


class GoesOn(Calibrate):
    def refuse_damaged_lists(self):
        """The list of evaluations is not gone over in silence where it cannot be read, and is left as it is, with all else."""
        listed, plan = self.folder / "out" / "evaluations.json", (self.folder / "out" / "calibration.toml").read_bytes()
        whole = listed.read_text()
        for damaged in (whole[:len(whole) // 2], "", "{}", "[1]", whole.replace('"way"', '"wy"', 1), whole.replace('"draw": ', '"draw": "', 1).replace("\n", '"\n', 1), whole.replace("0.", "\"0.", 1), "\udcff"):
            listed.write_text(damaged, errors="surrogateescape")
            before = listed.read_bytes()
            (self.folder / "c.toml").write_text(TEXT.replace("runs = 11", "runs = 12"))
            _, err = self.scree("calibrate", "c.toml", "-o", "out", code=2)
            self.assertRegex(err, r"\Aerror: out/evaluations\.json: the evaluations of earlier calls cannot be read: [^\n]*\. Restore this file, or remove it: [^\n]*\n\Z")
            self.assertEqual((listed.read_bytes(), (self.folder / "out" / "calibration.toml").read_bytes()), (before, plan))
        listed.write_text(whole)

    def test_a_search_that_is_cut_off_goes_on_as_if_it_had_not_been(self):
        text = TEXT.replace("runs = 11", "runs = 9")
        self.calibrate(text, "--jobs", "2", output="whole")
        (self.folder / "c.toml").write_text(text)
        process = self.start("calibrate", "c.toml", "-o", "out", "--jobs", "1")
        for _ in range(600):
            if (self.folder / "out" / "runs" / "0003.json").exists():
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, (out, err))
        self.assertIn("the same call goes on", err)
        self.assertLess(len(self.evaluations()), 9)
        self.scree("calibrate", "c.toml", "-o", "out")
        for name in ("evaluations.csv", "best.json", "best.toml"):
            self.assertEqual((self.folder / "out" / name).read_bytes(), (self.folder / "whole" / name).read_bytes(), name)
        self.refuse_damaged_lists()
        # More runs go on from there; another target uses the runs that are there.
        out, _ = self.calibrate(text.replace("runs = 9", "runs = 10").replace(f"value = {E}", "value = 0.5"))
        self.assertIn("out has 9 evaluations from before", out)
        self.assertEqual(out.count("done in"), 1)
        self.assertLess(abs(self.best()["unknowns"]["restitution"]["best"] / 0.5 - 1), 0.02)


class Model(unittest.TestCase):
    def test_probability_of_a_line_is_that_of_its_formula(self):
        random = np.random.default_rng(2)
        x = random.random((30, 2))
        slopes, tolerance, scatter = np.array([[2.0, -1.0], [1.0, 3.0]]), np.array([0.05, 0.1]), 0.02
        true = np.array([0.4, 0.6])
        data = [(x, x @ slope + scatter * random.standard_normal(30)) for slope in slopes]
        model = responses.Model(data, slopes @ true, tolerance, 1)
        points, weights = model.posterior()
        # Of y = A x with errors of y: covariance A^-1 diag(tolerance^2) A^-T, widened a little by what 30 points leave unknown.
        inverse = np.linalg.inv(slopes)
        covariance = inverse @ np.diag(tolerance**2) @ inverse.T
        mean = weights @ points
        found = ((points - mean) * weights[:, None]).T @ (points - mean)
        self.assertLess(np.abs(mean - true).max(), 0.01)
        np.testing.assert_allclose(found, covariance, rtol=0.15)
        self.assertLess(np.abs(model.best() - true).max(), 0.012)
        for one in model.responses:
            self.assertAlmostEqual(one.scatter(), scatter, delta=0.5 * scatter)

    def test_the_next_point_is_where_the_misfit_falls(self):
        x = np.array([[0.0], [0.3], [0.6], [1.0]])
        model = responses.Model([(x, x[:, 0] ** 2)], [0.49], [0.01], 1)
        self.assertAlmostEqual(float(model.next_point(x, [], 0)[0]), 0.7, delta=0.05)
        away = model.next_point(x, [np.array([0.7])], 0)
        self.assertGreater(abs(float(away[0]) - 0.7), 0.049)


class WrongInput(Calibrate):
    def test_messages_have_place_and_remedy(self):
        cases = (
            ("range = [0.2, 0.95]", "values = [1, 2]", "c.toml:2:1: an unknown needs range = [least, largest]"),
            ("range = [0.05, 0.8]", "range = [0, 0.8]", "c.toml:10:1: scale = \"log\" needs a range above 0"),
            ("material.m.friction", "material.m.fricton", "c.toml:9:1: unknown key \"fricton\"; did you mean \"friction\"?"),
            ("scene = \"hit.toml\"", "scene = \"hti.toml\"", "c.toml:14:1: there is no scene hti.toml"),
            ("scene = \"hit.toml\"", "scene = \"hit.toml\"\nrepeats = 2", "c.toml:15:1: repeats = 2 of the same scene would all give the same bits"),
            ("scene = \"hit.toml\"", "scene = \"hit.toml\"\nname = \"../mine\"", "c.toml:15:1: name = \"../mine\": a name without / is wanted"),
            ("name = \"slowed\"", "name = \"friction\"", "\"friction\" is an unknown already: give another name"),
            ("name = \"slowed\"", "name = \"misfit\"", "\"misfit\" is a column of evaluations.csv already"),
            ("start = 6", "start = 2", "c.toml:30:1: start = 2: a whole number of at least 3 is wanted"),
            ("tolerance = 0.01", "tolerance = 0", "c.toml:20:1: tolerance = 0: a number above 0 is wanted"),
            ("tolerance = 0.01\n", "", "c.toml:16:1: [[target]] needs tolerance = a number above 0"),
            ("value = 0.62", "value = 0.62\ntest = \"hti\"", "c.toml:20:1: there is no test \"hti\"; did you mean \"hit\"?"),
            ("column = \"body.vz\"", "kind = \"run_ut\"", "did you mean \"run_out\"?"),
            ("runs = 11", "runs = 5", "c.toml:29:1: runs = 5 are 5 evaluations of 1 run each; 8 are needed at least"),
            ("runs = 11", "runs = 11\nmethod = \"newton\"", "c.toml:30:1: method = \"newton\": one of bayesian, nelder-mead is wanted"),
            ("runs = 11", "run = 11", "c.toml:29:1: unknown key \"run\" in [search]; did you mean \"runs\"?"),
            ("[search]", "[serach]", "c.toml:28:1: unknown key \"serach\" in the file; did you mean \"search\"?"),
            ("name = \"slowed\"", "name = \"rebound\"", "there are two targets \"rebound\""))

        def read(text):
            (self.folder / "c.toml").write_text(text)
            Calibration("c.toml")

        check_refusals(self, TEXT, cases, lambda old, new: "fricton" in new or "runs = 5" in new, lambda text: self.calibrate(text, code=2)[1], read, Problem)

    def test_a_target_that_no_run_gives(self):
        _, err = self.calibrate(TEXT.replace("\"body.vz\"", "\"body.heat\"").replace("runs = 11\nstart = 6", "runs = 6\nstart = 3"), code=2)
        self.assertIn("3 of 3 evaluations have no value of some target: run 0000, rebound: series.csv has no column body.heat", err)

    def test_packages_that_are_missing_are_named(self):
        bare = self.folder / "python3"
        for package, named in (("sklearn", "python3-sklearn"), ("scipy", "python3-scipy")):
            bare.write_text(f"#!/bin/sh\nshift\nexec /usr/bin/python3 -B -c \"import sys, runpy; sys.modules['{package}'] = None; sys.argv = sys.argv[1:]; "
                            "sys.path.insert(0, sys.argv[0].rsplit('/', 1)[0]); runpy.run_path(sys.argv[0], run_name='__main__')\" \"$@\"\n")
            bare.chmod(0o755)
            (self.folder / "c.toml").write_text(TEXT)
            _, err = self.scree("calibrate", "c.toml", "-o", "out", code=2, prefix=("env", f"SCREE_PYTHON={bare}"))
            self.assertIn(f"install the Debian package {named}", err)
            self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
