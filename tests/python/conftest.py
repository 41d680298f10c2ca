"""What the tests of the Python package share: scenes, and the program."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENES = ROOT / "tests" / "cli" / "scenes"
PILE = SCENES / "pile.toml"

BALLS = {
    "time": {"end": 0.05},
    "domain": {"min": [-1, -1, -1], "max": [1, 1, 1]},
    "material": {"glass": {"density": 2500, "young": "5 MPa", "poisson": 0.25, "restitution": 0.6, "friction": 0.4}},
    "shape": {"ball": {"kind": "sphere", "radius": "5 mm"}},
    "bodies": [{"shape": "ball", "material": "glass", "place": {"lattice": [3, 3, 3], "spacing": "12 mm", "jitter": 0.9}}],
    "wall": [{"name": "floor", "kind": "plane", "point": [0, 0, -0.01], "normal": [0, 0, 1], "material": "glass"}],
}


class Program:
    """The program scree; runs in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments):
        command = [os.environ["SCREE_PROGRAM"], *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, "SCREE_NO_RECORD": "1"})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, scene, *arguments, to="run"):
        """Runs a scene, and returns its summary."""
        self("run", scene, "-o", to, "-q", "--device", "cpu", *arguments)
        return json.loads((self.folder / to / "summary.json").read_text())


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def balls():
    import copy

    return copy.deepcopy(BALLS)
