"""Options, exit codes, run directories, and what is printed."""

import os
import pathlib
import re
import sys
import time
import unittest

from program import PILE, PROGRAM, ProgramTest


class CommandLine(ProgramTest):
    def test_wrong_options_end_with_2(self):
        for arguments in ([], ["frobnicate"], ["run"], ["run", PILE, "--frobnicate"], ["run", PILE, "--device", "moon"],
                          ["run", PILE, "--precision", "half"], ["run", PILE, "--threads", "none"], ["run", PILE, "--steps", "-1"],
                          ["run", PILE, "--until", "1", "--steps", "1"], ["export", "run"], ["export", "run", "--to", "pdf"],
                          ["run", "no_such_scene.toml"], ["info", "no_such_file"], ["run", PILE, "--set", "time.ende=1"],
                          ["run", PILE, "--restart", "no_such_checkpoint.h5"]):
            with self.subTest(arguments=arguments):
                _, err = self.scree(*arguments, code=2)
                self.assertTrue(err.strip())
        self.assertIn("frobnicate", self.scree("frobnicate", code=2)[1])
        self.assertFalse((self.folder / "runs").exists())

    def test_values_of_options_are_checked_in_one_line(self):
        for option, values, wanted in (("--until", ("inf", "-1", "nan", "1e999", "soon"), "must be a number of at least 0, not"),
                                       ("--steps", ("-1", "1.5", "99999999999999999999", "1e3"), "must be a whole number from 0 to"),
                                       ("--threads", ("0", "100000", "none"), f"must be a whole number from 1 to {max(64, 4 * os.cpu_count())}, not"),
                                       ("-o", ("",), "must not be empty")):
            for value in values:
                with self.subTest(option=option, value=value):
                    _, err = self.scree("run", PILE, option, value, code=2)
                    self.assertRegex(err, r"\Aerror: [^\n]*\n\Z")
                    self.assertIn(wanted, err)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_missing_gpu_is_said_before_anything_is_written(self):
        if "no CUDA device" not in self.scree("version")[0]:
            self.skipTest("a GPU answers here")
        _, err = self.scree("run", PILE, "-o", "run", "--device", "cuda", code=2)
        self.assertIn("--device cpu", err)
        self.assertFalse((self.folder / "run").exists())

    def test_help_version_reference(self):
        self.assertIn("run", self.scree("--help")[0])
        self.assertIn("--restart", self.scree("run", "--help")[0])
        self.assertNotIn("--shuffle", self.scree("run", "--help")[0])
        self.assertRegex(self.scree("version")[0], r"^scree \d+\.\d+")
        self.assertIn("[material.NAME]", self.scree("reference")[0])

    def test_check_counts_and_runs_nothing(self):
        out, _ = self.scree("check", PILE)
        for part in ("bodies        216", "box: 6 planes, steel", "ramp: 2 triangles", "rod: 1 cylinder, steel, from 0 s to 0.03 s", "2e-05 s (as given)",
                     "3000 steps", "removed", "8 frames"):
            self.assertIn(part, out)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_check_says_which_walls_pass_through_others(self):
        walls = [line for line in self.scree("check", pathlib.Path(__file__).parents[2] / "examples" / "cone_lid.toml")[0].splitlines() if "does not touch other walls" in line]
        self.assertEqual(len(walls), 1)
        self.assertIn("carried by lid", walls[0])

    def test_the_scenes_of_the_readme_warn_of_nothing(self):
        text = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        scenes = [block for block in re.findall(r"```toml\n(.*?)```", text, re.S) if "[time]" in block]
        self.assertTrue(scenes)
        for number, block in enumerate(scenes):
            scene = self.folder / f"scene_{number}.toml"
            scene.write_text(block)
            self.assertNotIn("warning", "".join(self.scree("check", scene)))
            self.scree("run", scene, "-o", f"run_{number}", "-q")
            self.assertEqual(self.summary(f"run_{number}")["warnings"], [])

    def test_check_foretells_the_disk_that_a_run_takes(self):
        many = ("--set", "output.every=2e-5", "--set", "time.end=0.004", "--set", "output.contacts=false")
        line = next(line for line in self.scree("check", PILE, *many)[0].splitlines() if line.startswith("disk"))
        number, unit = line.split()[-2:]
        foretold = float(number) * {"kB": 1e3, "MB": 1e6}[unit]
        self.scree("run", PILE, "-o", "run", "-q", *many)
        taken = sum((self.folder / "run" / name).stat().st_size for name in ("state.h5", "state.xdmf"))
        self.assertLess(taken, foretold)
        self.assertLess(foretold, 1.5 * taken)

    def test_run_directory_is_not_reused_by_accident(self):
        self.scree("run", PILE, "--steps", 10)
        run = self.folder / "runs" / "pile"
        before = (run / "state.h5").read_bytes()
        (run / "notes.txt").write_text("mine")
        _, err = self.scree("run", PILE, "--steps", 20, code=2)
        self.assertIn("--overwrite", err)
        self.assertEqual((run / "state.h5").read_bytes(), before)
        self.scree("run", PILE, "--steps", 20, "--overwrite")
        self.assertEqual(self.summary("runs/pile")["steps"], 20)
        self.assertEqual((run / "notes.txt").read_text(), "mine")

    def test_what_a_run_reads_is_not_overwritten(self):
        scene = self.folder / "scn" / "scene.toml"
        scene.parent.mkdir()
        scene.write_text("# mine\n" + PILE.read_text())
        (self.folder / "link.toml").symlink_to(scene)
        before = scene.read_bytes()
        for name in ("scn/scene.toml", "./scn/../scn/scene.toml", "link.toml"):
            with self.subTest(name=name):
                _, err = self.scree("run", name, "-o", "scn", "--overwrite", "--steps", 1, code=2)
                self.assertIn("would replace scn/scene.toml", err)
                self.assertEqual(scene.read_bytes(), before)
                self.assertEqual(list(scene.parent.iterdir()), [scene])
        points = self.folder / "scn" / "series.csv"
        points.write_text("x,y,z\n0.03,0.03,0.03\n")
        reading = self.folder / "elsewhere" / "reading.toml"
        reading.parent.mkdir()
        for named in (points, "../scn/series.csv"):  # the latter from the scene's folder
            with self.subTest(named=named):
                reading.write_text(PILE.read_text() + f'\n[[bodies]]\nshape = "grain"\nmaterial = "grain"\nplace = {{ file = "{named}" }}\n')
                _, err = self.scree("run", reading, "-o", "scn", "--overwrite", "--steps", 1, code=2)
                self.assertIn("would replace scn/series.csv", err)
                self.assertTrue(points.exists())

    def test_one_run_at_a_time_in_a_directory(self):
        process = self.start("run", PILE, "-o", "run", "-q", "--set", "time.end=1e3", "--set", "output.every=0")
        try:
            deadline = time.monotonic() + 60
            while not (self.folder / "run" / "state.xdmf").exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            before = (self.folder / "run" / "state.h5").stat().st_ino
            for how in ((), ("--overwrite",)):
                _, err = self.scree("run", PILE, "-o", "run", "--steps", 1, *how, code=2)
                self.assertIn("another run writes to this directory", err)
            self.assertEqual((self.folder / "run" / "state.h5").stat().st_ino, before)
        finally:
            process.kill()
            process.communicate()
        self.scree("run", PILE, "-o", "run", "-q", "--steps", 1, "--overwrite")

    def test_places_that_cannot_be_written(self):
        (self.folder / "file").write_text("")
        for place in ("file", "file/below", "/proc/none"):
            with self.subTest(place=place):
                _, err = self.scree("run", PILE, "-o", place, "--steps", 1, code=2)
                self.assertIn(place, err)

    def environment_of_a_run(self, name, *prefix):
        """What a run of the program that was started by `env` with this prefix has in its environment; the system lists it by its name."""
        process = self.start("run", PILE, "-o", name, "--set", "time.end=1e3", "--set", "output.every=0", prefix=("env", *prefix))
        try:
            deadline = time.monotonic() + 60
            while not (self.folder / name).exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            proc = pathlib.Path(f"/proc/{process.pid}")
            self.assertEqual((proc / "comm").read_text().strip(), pathlib.Path(PROGRAM).name)
            return (proc / "environ").read_bytes().decode().split("\0")
        finally:
            process.kill()
            process.communicate()

    @unittest.skipUnless(sys.platform == "linux", "threads wait otherwise")
    def test_threads_wait_briefly_unless_the_user_says_how(self):
        unset = ("-u", "OMP_WAIT_POLICY", "-u", "GOMP_SPINCOUNT")
        self.assertIn("GOMP_SPINCOUNT=3000", self.environment_of_a_run("own", *unset))
        for asked in ("GOMP_SPINCOUNT=7", "OMP_WAIT_POLICY=active"):
            with self.subTest(asked=asked):
                found = self.environment_of_a_run(asked, *unset, asked)
                self.assertIn(asked, found)
                self.assertNotIn("GOMP_SPINCOUNT=3000", found)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.scree("run", PILE, "-o", "locked", "--steps", 1, code=2)

    def test_more_frames_than_the_disk_holds(self):
        _, err = self.scree("run", PILE, "-o", "run", "--set", "time.end=1e9", "--set", "output.every=1e-5", code=2)
        self.assertIn("too little space", err)
        self.assertFalse((self.folder / "run").exists())

    def test_a_run_that_would_make_no_step_says_so(self):
        soft = [word for name in ("grain", "steel") for word in ("--set", f"material.{name}.young=1e-300")]
        _, err = self.scree("run", PILE, "-o", "run", "--set", 'time.step="auto"', *soft, code=2)
        self.assertIn("would make none; set time.step", err)
        self.assertFalse((self.folder / "run").exists())

    def test_a_scene_without_bodies_is_warned_of(self):
        scene = self.folder / "cut.toml"
        scene.write_text(PILE.read_text().split("[[bodies]]")[0])
        _, err = self.scree("run", scene, "-o", "run", "--steps", 5)
        self.assertIn("the scene has no bodies", err)
        warnings = self.summary("run")["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertIn("no bodies", warnings[0])
        out, err = self.scree("check", scene)
        self.assertIn("the scene has no bodies", out + err)

    def test_set_until_and_steps(self):
        self.scree("run", PILE, "-o", "a", "--set", "time.end=0.001")
        self.assertEqual(self.summary("a")["steps"], 50)
        self.scree("run", PILE, "-o", "b", "--until", "0.0004")
        self.assertEqual(self.summary("b")["steps"], 20)
        self.scree("run", PILE, "-o", "c", "--steps", "7", "--set", 'material.grain.young="6 MPa"')
        self.assertEqual(self.summary("c")["steps"], 7)
        self.assertIn("young = 6000000", (self.folder / "c" / "scene.toml").read_text())

    def test_the_resolved_scene_runs_alike(self):
        first = self.hash_of("a", "--steps", 300)
        self.assertEqual(self.hash_of("b", "--steps", 300, scene="a/scene.toml"), first)

    def test_quiet_is_quiet(self):
        out, err = self.scree("run", PILE, "-o", "a", "-q", "--steps", 10)
        self.assertEqual(out + err, "")
        out, _ = self.scree("run", PILE, "-o", "b", "--steps", 10)
        self.assertIn("done: 216 bodies", out)

    def test_a_step_past_the_stable_limit_is_warned_of_once(self):
        _, err = self.scree("run", PILE, "-o", "a", "-q", "--steps", 2, "--set", 'time.step="0.1 ms"')
        self.assertEqual(err.count("past the stable limit"), 1)
        self.assertEqual(sum("past the stable limit" in w for w in self.summary("a")["warnings"]), 1)
        self.assertEqual((self.folder / "a" / "log.txt").read_text().count("past the stable limit"), 1)

    def test_summary(self):
        self.scree("run", PILE, "-o", "a", "-q", "--steps", 200)
        s = self.summary("a")
        self.assertEqual((s["bodies"], s["steps"], s["precision"], s["threads"], s["exit_reason"]), (216, 200, "double", 1, "done"))
        self.assertAlmostEqual(s["time"], 200 * 2e-5, places=12)
        self.assertRegex(s["state_hash"], "^[0-9a-f]{16}$")
        self.assertGreater(s["particle_steps_per_second"], 0)
        self.assertEqual(s["bodies_inserted"], 0)
        self.assertTrue(s["seconds_per_stage"])


if __name__ == "__main__":
    unittest.main()
