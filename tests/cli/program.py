"""Runs the program under test. The build passes its path in SCREE_PROGRAM; every test gets a folder of its own."""

import csv
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("SCREE_PROGRAM", "scree")
os.environ.setdefault("SCREE_NO_RECORD", "1")  # runs of tests are not what a machine is used to
HERE = pathlib.Path(__file__).resolve().parent
PILE = HERE / "scenes" / "pile.toml"
MILL = HERE / "scenes" / "mill.toml"  # walls that move
GAS = HERE / "scenes" / "gas.toml"  # hard particles
WATER = HERE / "scenes" / "water.toml"  # a fluid


def prepare_child(file_limit=None):
    # A test driver in the background ignores Ctrl-C; the program must not inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))


NAMED_SPHERE = """[shape.{name}]
kind = "sphere"
radius = {radius}
[[body]]
name = "{name}"
shape = "{name}"
material = "m"
position = {position}
velocity = {velocity}
angular_velocity = {spin}
"""


# Ends of scenes of a few bodies: energy and momentum, and the body a as `of`.
BALANCES = """[output]
every = {every}
[[measure]]
kind = "energy"
every = {every}
[[measure]]
kind = "momentum"
every = {every}
"""
FOLLOWED = """[[measure]]
kind = "body"
body = "a"
name = "of"
every = {every}
"""


def named_sphere(name, radius, position, velocity=(0, 0, 0), spin=(0, 0, 0)):
    """Text of a scene: a sphere of the material m, with a shape of its own."""
    return NAMED_SPHERE.format(name=name, radius=radius, position=list(position), velocity=list(velocity), spin=list(spin))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scree-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, *arguments, prefix=(), file_limit=None, program=PROGRAM, env=None):
        """Starts the program in the test's folder; one thread unless the arguments say otherwise."""
        command = [*prefix, program, *map(str, arguments)]
        if arguments and arguments[0] == "run" and "--threads" not in arguments:
            command += ["--threads", "1"]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                                preexec_fn=lambda: prepare_child(file_limit))

    def scree(self, *arguments, code=0, **how):
        """Runs the program to its end, checks the exit code, and returns (stdout, stderr)."""
        process = self.start(*arguments, **how)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, f"{arguments}\n{out}\n{err}")
        return out, err

    def summary(self, run):
        return json.loads((self.folder / run / "summary.json").read_text())

    def read_series(self, run):
        """Rows of series.csv as numbers by column; empty cells are left out."""
        with open(self.folder / run / "series.csv") as file:
            return [{key: float(value) for key, value in row.items() if value} for row in csv.DictReader(file)]

    def hash_of(self, run, *arguments, scene=PILE, **how):
        """State hash at the end of a run of its own directory."""
        self.scree("run", scene, "-o", run, "-q", *arguments, **how)
        return self.summary(run)["state_hash"]
