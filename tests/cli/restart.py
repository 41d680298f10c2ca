"""A run that was stopped, interrupted or killed goes on to the same bits, in its own directory or another one."""

import csv
import pathlib
import shutil
import signal
import time
import unittest

from program import GAS, MILL, PILE, WATER, ProgramTest


class Restart(ProgramTest):
    def whole(self, *arguments):
        return self.hash_of("whole", *arguments)

    def read(self, name):
        return (self.folder / name).read_text()

    def test_half_and_half(self):
        for precision in ("double", "mixed"):
            with self.subTest(precision=precision):
                how = ("--precision", precision)
                whole = self.hash_of(f"whole-{precision}", *how)
                half = f"half-{precision}"
                self.scree("run", PILE, "-o", half, "-q", "--until", "0.03", *how)
                elsewhere = self.hash_of(f"rest-{precision}", *how, "--restart", f"{half}/checkpoint.h5")
                self.assertEqual(elsewhere, whole)
                self.assertEqual(self.hash_of(half, *how, "--restart", f"{half}/checkpoint.h5"), whole)
                self.assertEqual(self.read(f"{half}/series.csv"), self.read(f"whole-{precision}/series.csv"))
                self.assertEqual(self.read(f"{half}/state.xdmf"), self.read(f"whole-{precision}/state.xdmf"))

    def test_other_threads_and_skin_of_time(self):
        whole = self.whole()
        self.scree("run", PILE, "-o", "half", "-q", "--steps", "1234")  # no multiple of anything
        self.assertEqual(self.hash_of("half", "--restart", "half/checkpoint.h5", "--threads", "2"), whole)

    def test_walls_that_move(self):
        self.scree("run", MILL, "-o", "whole", "-q")
        self.scree("run", MILL, "-o", "half", "-q", "--steps", "777")  # in the middle of every motion
        self.scree("run", MILL, "-o", "half", "-q", "--restart", "half/checkpoint.h5", "--threads", "2")
        self.assertEqual(self.summary("half")["state_hash"], self.summary("whole")["state_hash"])
        self.assertEqual(self.read("half/series.csv"), self.read("whole/series.csv"))
        rows = list(csv.DictReader(self.read("whole/series.csv").splitlines()))
        work = [float(row["energy.work_of_walls"]) for row in rows]
        energy = [float(row["energy.total"]) for row in rows]
        self.assertGreater(work[-1], 1e-4)
        for w, e in zip(work, energy):
            self.assertLess(abs(e - w - energy[0]), 0.02 * (abs(work[-1]) + abs(energy[0])))
        self.assertEqual(float(rows[3]["wall_load.belt.power"]), 0)  # not before 10 ms
        self.assertTrue(any(float(row["wall_load.stirrer.power"]) != 0 for row in rows))
        self.assertTrue(all(float(row["wall_load.ends.power"]) == 0 for row in rows))

    def test_hard_particles(self):
        for stepping in ("events", "steps"):
            with self.subTest(stepping=stepping):
                how = ("--set", f"method.stepping={stepping}")
                whole, half = f"whole-{stepping}", f"half-{stepping}"
                expected = self.hash_of(whole, *how, scene=GAS)
                for until in (1.237, 2.5):  # off and on the beat of frames and measures
                    more = ("--restart", f"{half}/checkpoint.h5") if until > 2 else ()
                    self.scree("run", GAS, "-o", half, "-q", "--until", until, *how, *more)
                self.assertEqual(self.hash_of(half, *how, "--restart", f"{half}/checkpoint.h5", scene=GAS), expected)
                self.assertEqual(self.read(f"{half}/series.csv"), self.read(f"{whole}/series.csv"))
                rows = list(csv.DictReader(self.read(f"{whole}/series.csv").splitlines()))
                self.assertGreater(float(rows[-1]["pressure.collisions"]), 5 * 512)
                self.assertGreater(float(rows[-1]["pressure.wall_collisions"]), 100)

    def test_hard_particles_keep_their_stepping(self):
        self.scree("run", GAS, "-o", "run", "-q", "--until", 0.5)
        before = self.summary("run")
        _, err = self.scree("run", GAS, "-o", "run", "-q", "--restart", "run/checkpoint.h5", "--set", "method.stepping=steps", code=2)
        self.assertIn("method.stepping", err)
        self.assertEqual(self.summary("run"), before)

    def test_fluids(self):
        whole = self.hash_of("whole", scene=WATER)
        self.scree("run", WATER, "-o", "half", "-q", "--until", "0.123")
        self.scree("run", WATER, "-o", "half", "-q", "--until", "0.25", "--restart", "half/checkpoint.h5")
        self.assertEqual(self.hash_of("half", "--restart", "half/checkpoint.h5", "--threads", "2", scene=WATER), whole)
        self.assertEqual(self.read("half/series.csv"), self.read("whole/series.csv"))
        summary = self.summary("whole")
        self.assertEqual(summary["method"], "fluid")
        self.assertGreater(summary["bodies_removed"], 10)
        rows = list(csv.DictReader(self.read("whole/series.csv").splitlines()))
        self.assertLess(max(float(row["density.max_compression"]) for row in rows), 0.03)  # of a blow of the paddle
        self.assertGreater(max(abs(float(row["wall_load.paddle.fx"])) for row in rows), 0.1)
        self.assertAlmostEqual(float(rows[0]["extent.max_x"]), 0.1, places=12)
        self.scree("export", "whole", "--to", "csv", "-o", "csv")
        first = list(csv.DictReader(self.read("csv/frame_000000.csv").splitlines()))
        self.assertEqual({row["pressure"] for row in first}, {"0"})
        inside = [row for row in first if all(0.02 < float(row[x]) < 0.08 for x in "xyz")]
        self.assertEqual(len(inside), 6**3)
        for row in inside:
            self.assertAlmostEqual(float(row["density"]), 1000, places=6)
        last = list(csv.DictReader(self.read(sorted(str(p) for p in (self.folder / "csv").glob("frame_*.csv"))[-1]).splitlines()))
        self.assertGreater(max(float(row["pressure"]) for row in last), 100)  # of a centimetre of water

    def test_many_restarts(self):
        whole = self.whole("--steps", "1000")
        self.scree("run", PILE, "-o", "run", "-q", "--steps", "100")
        for _ in range(9):
            self.scree("run", PILE, "-o", "run", "-q", "--steps", "100", "--restart", "run/checkpoint.h5")
        self.assertEqual(self.summary("run")["state_hash"], whole)
        self.assertEqual(self.summary("run")["steps"], 1000)

    def started(self, run, *arguments, **how):
        """Starts a run and waits until it has written its second frame."""
        process = self.start("run", PILE, "-o", run, *arguments, **how)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            xdmf = self.folder / run / "state.xdmf"
            if xdmf.exists() and "000001" in xdmf.read_text():
                return process
            time.sleep(0.01)
        self.fail(f"the run ended before it could be interrupted: {process.communicate()}")

    def test_interrupted(self):
        slow = ("--set", "output.every=0.0005")
        whole = self.whole(*slow)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                run = f"run{int(number)}"
                process = self.started(run, *slow)
                process.send_signal(number)
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, err)
                self.assertIn("--restart", err)
                self.assertEqual(self.summary(run)["exit_reason"], "interrupted")
                self.assertEqual(self.hash_of(run, *slow, "--restart", f"{run}/checkpoint.h5"), whole)
                self.assertEqual(self.read(f"{run}/series.csv"), self.read("whole/series.csv"))

    def test_a_closing_terminal_sends_more_than_one_signal(self):
        slow = ("--set", "output.every=0.0005")
        process = self.started("run", *slow)
        for _ in range(5):
            process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.summary("run")["exit_reason"], "interrupted")

    def test_a_run_under_nohup_goes_on(self):
        process = self.started("run", "--set", "output.every=0.0005", prefix=("nohup",))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_killed(self):
        often = ("--set", "output.every=0.0005", "--set", "output.checkpoint_every=0.02")
        whole = self.whole(*often)
        process = self.started("run", *often)
        checkpoint = self.folder / "run" / "checkpoint.h5"
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.communicate()
        self.assertLess(process.returncode, 0)
        self.assertIn("frames", self.scree("info", "run/state.h5")[0])
        self.assertEqual(self.hash_of("run", *often, "--restart", "run/checkpoint.h5"), whole)
        self.assertEqual(self.read("run/series.csv"), self.read("whole/series.csv"))
        self.assertEqual(self.read("run/state.xdmf"), self.read("whole/state.xdmf"))

    def test_what_may_change(self):
        self.scree("run", PILE, "-o", "run", "-q", "--steps", 100)
        scene = PILE.read_text()
        changed = self.folder / "changed.toml"
        changed.write_text(scene.replace('name = "rod"', 'name = "stick"').replace("max = [0.06, 0.06, 0.3]", "max = [0.07, 0.06, 0.3]")
                           .replace('end = "0.06 s"', 'end = "0.01 s"').replace('every = "10 ms"', 'every = "4 ms"'))
        self.scree("run", changed, "-o", "walls", "-q", "--restart", "run/checkpoint.h5")
        self.assertEqual(self.summary("walls")["steps"], 500)
        changed.write_text(scene.replace("friction = 0.5", "friction = 0.6"))
        _, err = self.scree("run", changed, "-o", "other", "--restart", "run/checkpoint.h5", code=2)
        self.assertIn("material.grain.friction: 0.5 in the checkpoint, 0.6 now", err)
        self.assertFalse((self.folder / "other").exists())

    def test_files_that_shapes_and_bodies_are_read_from_may_not_change(self):
        wall = "\n".join(("v 0 0 -0.05", "v 0.1 0 -0.05", "v 0 0.1 -0.05", "f 1 2 3", ""))
        for name, content in (("places.csv", "x,y,z\n0.03,0.03,0.2\n"), ("wall.obj", wall)):
            (self.folder / name).write_text(content)
        scene = self.folder / "files.toml"
        scene.write_text(PILE.read_text() + '\n[[bodies]]\nshape = "grain"\nmaterial = "grain"\nplace = { file = "places.csv" }\n'
                         '\n[[wall]]\nkind = "mesh"\nname = "under"\nfile = "wall.obj"\nmaterial = "steel"\n')
        self.scree("run", scene, "-o", "run", "-q", "--steps", 100)
        again = ("run", scene, "-o", "new", "-q", "--steps", 100, "--restart", "run/checkpoint.h5")
        (self.folder / "wall.obj").write_text(wall.replace("0.1 0 ", "0.2 0 "))  # walls may change
        self.scree(*again, "--overwrite")
        shutil.rmtree(self.folder / "new")
        (self.folder / "places.csv").write_text("x,y,z\n0.03,0.03,0.21\n")
        _, err = self.scree(*again, code=2)
        line = 1 + scene.read_text().split("places.csv")[0].count("\n")
        self.assertRegex(err, rf'files\.toml:{line}:\d+: ".*places\.csv" is not as it was when run/checkpoint\.h5 was written')
        self.assertFalse((self.folder / "new").exists())
        (self.folder / "places.csv").unlink()
        _, err = self.scree(*again, code=2)
        self.assertIn("cannot read", err)

    def test_bad_checkpoints(self):
        self.scree("run", PILE, "-o", "run", "-q", "--steps", 100)
        good = (self.folder / "run" / "checkpoint.h5").read_bytes()
        (self.folder / "short.h5").write_bytes(good[: len(good) // 2])
        (self.folder / "text.h5").write_text("not a checkpoint")
        shutil.copy(self.folder / "run" / "state.h5", self.folder / "frames.h5")
        for name, message in (("short.h5", "truncated"), ("text.h5", "not a readable HDF5 file"), ("frames.h5", "not a checkpoint")):
            with self.subTest(name=name):
                _, err = self.scree("run", PILE, "-o", "new", "--restart", name, code=2)
                self.assertIn(message, err)
        _, err = self.scree("run", PILE, "-o", "run", "--overwrite", "--restart", "run/checkpoint.h5", code=2)
        self.assertIn("--overwrite", err)
        self.assertEqual((self.folder / "run" / "checkpoint.h5").read_bytes(), good)
        # An end that is already reached.
        self.scree("run", PILE, "-o", "new", "--until", "0.001", "--restart", "run/checkpoint.h5", code=2)


class MovedTree(ProgramTest):
    """The scene of a run's directory names files from there, so that a tree of folders may be moved, copied and gone on with."""

    SCENE = """[time]
step = 1e-5
end = 4e-3
[method]
kind = "penalty"
[material.m]
density = 2500
young = 1e7
poisson = 0.3
restitution = 0.5
friction = 0.3
[shape.ball]
kind = "sphere"
radius = "5 mm"
[shape.stone]
kind = "mesh"
file = "parts/a \\"stone\\".obj"
scale = 0.01
[[bodies]]
shape = "ball"
material = "m"
place = { file = "parts/balls.csv" }
[[bodies]]
shape = "stone"
material = "m"
place = { at = [0.1, 0, 0.0049] }
[[wall]]
kind = "mesh"
name = "floor"
file = "parts/floor.obj"
material = "m"
motion = { table = "parts/motion.csv" }
[[measure]]
kind = "energy"
every = 1e-3
"""

    def setUp(self):
        super().setUp()
        parts = self.folder / "tree" / "parts"
        parts.mkdir(parents=True)
        (parts.parent / "scene.toml").write_text(self.SCENE)
        (parts / 'a "stone".obj').write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        (parts / "floor.obj").write_text("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n")
        (parts / "balls.csv").write_text("x,y,z\n0,0,0.00501\n0.02,0,0.00502\n")
        (parts / "motion.csv").write_text("time,x,y,z\n0,0,0,0\n1,0,0,0.001\n")

    def test_a_moved_tree_runs_and_goes_on(self):
        self.scree("run", "tree/scene.toml", "-o", "tree/runs/whole", "-q")
        self.scree("run", "tree/scene.toml", "-o", "tree/runs/half", "-q", "--until", "2e-3")
        written = (self.folder / "tree/runs/half/scene.toml").read_text()
        self.assertNotIn(str(self.folder), written)
        for name in ('../../parts/a \\"stone\\".obj', "../../parts/floor.obj", "../../parts/balls.csv", "../../parts/motion.csv"):
            self.assertIn(f'"{name}"', written)
        (self.folder / "tree").rename(self.folder / "elsewhere")
        whole = self.summary("elsewhere/runs/whole")["state_hash"]
        self.assertEqual(self.hash_of("again", scene="elsewhere/runs/half/scene.toml"), whole)
        on = ("--restart", "elsewhere/runs/half/checkpoint.h5")
        self.assertEqual(self.hash_of("from_run", *on, scene="elsewhere/runs/half/scene.toml"), whole)
        self.assertEqual(self.hash_of("from_tree", *on, scene="elsewhere/scene.toml"), whole)
        # A file of another name, or of other content, is another file.
        (self.folder / "elsewhere/parts/balls.csv").rename(self.folder / "elsewhere/parts/others.csv")
        scene = self.folder / "elsewhere/scene.toml"
        scene.write_text(scene.read_text().replace("balls.csv", "others.csv"))
        out, err = self.scree("run", "elsewhere/scene.toml", *on, "-o", "other", code=2)
        self.assertIn("the scene differs from the one in the checkpoint", err)
        (self.folder / "elsewhere/parts/balls.csv").write_text("x,y,z\n0,0,0.00501\n0.03,0,0.00502\n")
        out, err = self.scree("run", "elsewhere/runs/half/scene.toml", *on, "-o", "other", code=2)
        self.assertIn("is not as it was when", err)

    def test_what_shares_the_root_alone_keeps_its_path(self):
        self.scree("run", "tree/scene.toml", "-o", "/dev/shm/scree-moved-run", "-q", "--overwrite")
        written = pathlib.Path("/dev/shm/scree-moved-run/scene.toml").read_text()
        shutil.rmtree("/dev/shm/scree-moved-run")
        self.assertIn(f'"{self.folder}/tree/parts/floor.obj"', written)


if __name__ == "__main__":
    unittest.main()
