"""Every scene of broken/ ends with the exit code and the message that broken/expected.txt names, and leaves no run directory behind."""

import unittest

from program import HERE, ProgramTest


def expectations():
    for line in (HERE / "broken" / "expected.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, code, message = (part.strip() for part in line.split("|", 2))
            yield name, int(code), message


class BrokenScenes(ProgramTest):
    def test_each_scene(self):
        for name, code, message in expectations():
            with self.subTest(scene=name):
                scene = HERE / "broken" / f"{name}.toml"
                _, err = self.scree("run", scene, "-o", name, "-q", code=code)
                self.assertIn(message, err)
                self.assertNotIn("terminate called", err)
                if code == 2:
                    self.assertIn(f"error: {scene}", err)
                    self.assertFalse((self.folder / name).exists())
                else:
                    self.assertEqual(self.summary(name)["exit_code"], code)
                    self.assertTrue((self.folder / name / "fault.h5").exists())

    def test_check_refuses_what_run_refuses(self):
        for name, code, message in expectations():
            if code == 2:
                with self.subTest(scene=name):
                    _, err = self.scree("check", HERE / "broken" / f"{name}.toml", code=2)
                    self.assertIn(message, err)

    def test_the_list_is_complete(self):
        scenes = sorted(path.stem for path in (HERE / "broken").glob("*.toml"))
        self.assertEqual(scenes, sorted(name for name, _, _ in expectations()))


if __name__ == "__main__":
    unittest.main()
