"""Arguments: a scene of examples/. With method.kind alone changed to the other method it runs for some steps, in a stable step; hard
particles, which no other method has, with the other stepping."""

import os
import pathlib
import re
import sys
import unittest

from program import ProgramTest

SCENE = pathlib.Path(sys.argv.pop(1)).resolve()
OTHER = {"cone": "penalty", "penalty": "cone", "events": "steps", "steps": "events"}
AS_CHECKED = {"events": "hard, event by event", "steps": "hard, in time steps"}
STEPS = 6


def flipped(text):
    """The scene with the other method or stepping, and its name; a scene that names none has the penalty method."""
    section = re.search(r"^\[method\][^\n]*\n(?:(?!\[)[^\n]*\n)*", text, re.M)
    if not section:
        return text + '\n[method]\nkind = "cone"\n', "cone"
    line = re.search(r'^kind = "(\w+)"', section[0], re.M)
    if not line:
        head = text[:section.start()] + "[method]\n"
        return head + 'kind = "cone"\n' + text[section.start() + len("[method]\n"):], "cone"
    if line[1] == "hard":
        line = re.search(r'^stepping = "(\w+)"', section[0], re.M)
    at = section.start() + line.start(1)
    return text[:at] + OTHER[line[1]] + text[at + len(line[1]):], OTHER[line[1]]


class FlippedExample(ProgramTest):
    def test_runs(self):
        text, kind = flipped(SCENE.read_text())
        scene = self.folder / SCENE.name
        scene.write_text(text)
        os.symlink(SCENE.parent / "data", self.folder / "data")  # files are named from the scene's folder
        report, _ = self.scree("check", scene)
        self.assertRegex(report, rf"(?m)^method +{AS_CHECKED.get(kind, kind)}$")
        _, err = self.scree("run", scene, "-o", "run", "-q", "--steps", STEPS)
        self.assertRegex((self.folder / "run" / "scene.toml").read_text(), rf'(?m)^(kind|stepping) = "{kind}"$')
        self.assertNotIn("past the stable limit", err)
        summary = self.summary("run")
        self.assertEqual((summary["exit_code"], summary["steps"]), (0, STEPS))
        # What the method does otherwise than the scene says is said, with its place.
        wishes = [w for w in summary["warnings"] if "the penalty method" in w]
        restitution = re.search(r"^restitution = 0\s", text, re.M)
        self.assertEqual(bool(wishes), kind == "penalty" and bool(restitution), summary["warnings"])
        for wish in wishes:
            self.assertRegex(wish, rf"{re.escape(str(scene))}:\d+:\d+: \[material\.\w+\] restitution: ")


if __name__ == "__main__":
    unittest.main()
