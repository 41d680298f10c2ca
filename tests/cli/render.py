#!/usr/bin/env python3
"""`scree render`: pictures decoded with zlib, bodies where they should be and in their colours, films by ffprobe, threads, what is refused;
and `scree shape --picture`."""

import os
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zlib

from program import PROGRAM, ProgramTest

SCENE = """[time]
end = 1e-3
step = 1e-4
[material.alpha]
density = 1000
young = "5 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.3
[material.beta]
density = 1000
young = "5 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.3
[shape.ball]
kind = "sphere"
radius = 0.05
[shape.cube]
kind = "box"
edges = [0.1, 0.1, 0.1]
[[bodies]]
shape = "ball"
material = "alpha"
place = {{ at = [{x}, 0, 0.05] }}
velocity = [1, 0, 0]
[[bodies]]
shape = "cube"
material = "beta"
place = {{ at = [0.3, 0, 0.05] }}
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "alpha"
[output]
every = 5e-4
contacts = true
"""
SMALL = ("--size", "320x240", "-q")
ABOVE = ("--from", "0,0,4", "--at", "0,0,0.05", "--up", "0,1,0", "--field", 20, "--plain")  # 320 pixels are 1.857 m at the middle


def read_png(path):
    """Width, height, and rows of (red, green, blue)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, parts, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            parts += body
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    assert (depth, colour, interlaced) == (8, 2, 0), header
    raw, rows, above = zlib.decompress(parts), [], bytes(3 * width)
    for y in range(height):
        kind, line = raw[y * (3 * width + 1)], bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for k in range(len(line)):
            left, up, corner = (line[k - 3] if k >= 3 else 0), above[k], (above[k - 3] if k >= 3 else 0)
            if kind == 4:
                guess = left + up - corner
                near = min((left, up, corner), key=lambda v: abs(guess - v))
            else:
                near = (0, left, up, (left + up) // 2)[kind]
            line[k] = (line[k] + near) & 255
        above = bytes(line)
        rows.append([tuple(line[3 * x:3 * x + 3]) for x in range(width)])
    return width, height, rows


class Render(ProgramTest):
    def make(self, name="run", x=-0.3):
        (self.folder / "scene.toml").write_text(SCENE.format(x=x))
        self.scree("run", "scene.toml", "-o", name, "-q")

    def render(self, *arguments, code=0, run="run", **how):
        return self.scree("render", run, *arguments, code=code, **how)

    def test_bodies_are_where_they_are_and_have_their_colours(self):
        self.make()
        self.render(*SMALL, *ABOVE, "--colour", "material", "-o", "a.png", "--hide", "floor")
        width, height, rows = read_png(self.folder / "a.png")
        self.assertEqual((width, height), (320, 240))
        # Metres per pixel at the height of the centres; the picture's middle is x = y = 0.
        pixel = 2 * 3.95 * 0.17632698 / 240
        at = lambda x, y: rows[round(120 - y / pixel)][round(160 + x / pixel)]
        ball, cube, nothing = at(-0.3, 0), at(0.3, 0), at(0, 0)
        self.assertGreater(cube[0], cube[2] + 30)  # the second category's colour is orange
        self.assertGreater(ball[2], ball[0] + 30)  # the first one's blue
        self.assertLess(max(nothing) - min(nothing), 20)
        self.assertGreater(min(nothing), 200)
        # The cube's face is a square of 0.1 m, nearer by 0.05 m.
        orange = sum(p[0] > p[2] + 40 for row in rows for p in row)
        self.assertAlmostEqual(orange * (pixel * 3.9 / 3.95) ** 2, 0.01, delta=0.001)
        blue = sum(p[2] > p[0] + 15 for row in rows for p in row[:160])
        self.assertAlmostEqual(blue * pixel**2, 3.14159265 * 0.05**2, delta=0.001)
        # Cut away, hidden and brought back.
        self.render(*SMALL, *ABOVE, "--colour", "material", "-o", "b.png", "--hide", "floor", "--cut", "x>0.29")
        self.assertEqual(sum(p[0] > p[2] + 40 for row in read_png(self.folder / "b.png")[2] for p in row), 0)
        self.render(*SMALL, *ABOVE, "--colour", "material", "-o", "c.png")
        grey = read_png(self.folder / "c.png")[2][120][160]
        self.assertLess(min(grey), min(nothing) - 15)  # the floor

    def test_pictures_have_legends_and_are_the_same_on_any_number_of_threads(self):
        self.make()
        pictures = []
        for threads in (1, 3):
            env = {**os.environ, "OMP_NUM_THREADS": str(threads)}
            subprocess.run([PROGRAM, "render", "run", *SMALL, "--chains", "--colour", "speed", "--body-size", "0.5", "-o", f"{threads}.png"], cwd=self.folder, check=True, env=env)
            self.render(*SMALL, "--chains", "--colour", "speed", "--body-size", 0.5, "--threads", threads, "-o", f"{threads}t.png")
            pictures += [(self.folder / f"{threads}.png").read_bytes(), (self.folder / f"{threads}t.png").read_bytes()]
        self.assertEqual(len(set(pictures)), 1)
        rows = read_png(self.folder / "1.png")[2]
        # The bars on the right go through the colours of viridis, above, and embers.
        right = [p for row in rows for p in row[240:]]
        for name, colour in (("viridis low", (68, 1, 84)), ("viridis high", (253, 231, 37)), ("embers", (128, 0, 38))):
            with self.subTest(name):
                self.assertTrue(any(max(abs(a - b) for a, b in zip(p, colour)) < 12 for p in right))
        self.assertTrue(any(max(p) < 80 for row in rows[200:] for p in row[:200]))  # time and scale, in ink
        self.render(*SMALL, "--chains", "--body-size", 0.5, "--plain", "-o", "plain.png")
        self.assertFalse(any(max(p) < 60 for row in read_png(self.folder / "plain.png")[2][225:] for p in row))

    def test_folders_runs_side_by_side_and_files_that_are_there(self):
        self.make()
        out, _ = self.render("--size", "160x120", "--frames", "all", "-o", "pictures", "--samples", 1)
        self.assertIn("3 pictures", out)
        self.assertEqual(sorted(p.name for p in (self.folder / "pictures").iterdir()), [f"frame_{k:06d}.png" for k in range(3)])
        _, err = self.render("--size", "160x120", "--frames", "1", "-o", "pictures", code=2)
        self.assertIn('frame_000001.png" exists; give --overwrite', err)
        before = (self.folder / "pictures/frame_000001.png").read_bytes()
        self.render("--size", "160x120", "--frames", "1", "-o", "pictures", "--overwrite", "--azimuth", 90)
        self.assertNotEqual(before, (self.folder / "pictures/frame_000001.png").read_bytes())
        self.render("--size", "160x120", "-q")
        self.assertTrue((self.folder / "run/render.png").exists())
        self.make("other", x=-0.2)
        self.scree("render", "run", "other", *SMALL, "-o", "both.png", "--colour", "material", "--from", "0,-3,0.05", "--at", "0,0,0.05", "--hide", "floor", "--plain")
        rows = read_png(self.folder / "both.png")[2]
        middle = rows[120]
        place = lambda row: sum(x for x, p in enumerate(row) if p[2] > p[0] + 40) / max(1, sum(p[2] > p[0] + 40 for p in row))
        pixel = 2 * 3 * 0.24932800 / 240
        self.assertAlmostEqual(place(middle[160:]) - place(middle[:160]), 0.1 / pixel, delta=1)
        # Following the ball, it stays in the middle.
        self.render(*SMALL, "--colour", "material", "--follow", 0, "--frames", "last", "--hide", "floor", "--plain", "-o", "follow.png")
        rows = read_png(self.folder / "follow.png")[2]
        self.assertGreater(rows[120][160][2], rows[120][160][0] + 20)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_films(self):
        self.make()
        for ending, name in (("mp4", "h264"), ("webm", "vp9")):
            with self.subTest(ending):
                # An odd height is made even.
                self.render("--size", "160x91", "-q", "--samples", 1, "-o", f"film.{ending}", "--frames", 0, "--orbit", 0.5, "--pictures", 5, "--fps", 10)
                probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames,r_frame_rate",
                                        "-of", "default=noprint_wrappers=1", f"film.{ending}"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
                for line in (f"codec_name={name}", "width=160", "height=92", "nb_read_frames=5", "r_frame_rate=10/1"):
                    self.assertIn(line, probe)
        self.assertEqual([p.name for p in self.folder.iterdir() if "tmp" in p.name], [])
        _, err = self.render("-o", "film.mp4", code=2)
        self.assertIn('"film.mp4" exists; give --overwrite', err)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_films_that_a_signal_ends_leave_nothing(self):
        self.make()
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start("render", "run", "-o", "film.mp4", "--frames", 0, "--orbit", 1, "--pictures", 100000, "--size", "160x90", "--samples", 1)
                deadline = time.monotonic() + 60
                while not any("tmp" in p.name for p in self.folder.iterdir()) and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertTrue(any("tmp" in p.name for p in self.folder.iterdir()))
                process.send_signal(number)
                process.communicate(timeout=30)
                self.assertEqual(process.returncode, -number)  # as the signal's own action ends a program
                self.assertEqual([p.name for p in self.folder.iterdir() if "film" in p.name], [])

    def test_sections(self):
        self.make()
        self.render(*SMALL, *ABOVE, "--colour", "material", "--hide", "floor", "--section", "x>0.3", "-o", "a.png")
        pixel = 2 * 3.95 * 0.17632698 / 240
        rows = read_png(self.folder / "a.png")[2]
        orange = sum(p[0] > p[2] + 40 for row in rows for p in row)
        self.assertAlmostEqual(orange * (pixel * 3.9 / 3.95) ** 2, 0.005, delta=0.0007)  # half of the cube
        # Seen from the side that was cut off, the section is a square as large as a face.
        self.render(*SMALL, "--from", "4,0,0.05", "--at", "0.3,0,0.05", "--field", 10, "--plain", "--colour", "material", "--hide", "floor", "--section", "x>0.3", "-o", "b.png")
        rows = read_png(self.folder / "b.png")[2]
        side = 2 * 3.7 * 0.08748866 / 240
        orange = [p for row in rows for p in row if p[0] > p[2] + 40]
        self.assertAlmostEqual(len(orange) * side**2, 0.01, delta=0.0007)
        self.assertLess(max(p[0] for p in orange) - min(p[0] for p in orange), 25)  # flat
        _, err = self.render("--section", "x=1", code=2)
        self.assertIn('--section "x=1": must be an axis', err)

    def test_pictures_without_bodies_are_warned_of(self):
        self.make()
        for arguments, why in ((("--cut", "z>0"), "--cut and --section take all of them away"), (("--from", "0,0,4", "--at", "0,0,8"), "the camera looks elsewhere"),
                               (("--body-size", 0), "--body-size 0 leaves them out")):
            with self.subTest(why):
                _, err = self.render(*SMALL, *arguments, "-o", "a.png", "--overwrite")
                self.assertEqual(err.count("\n"), 1)
                self.assertTrue(err.startswith("warning: the picture shows no body: " + why), err)
        _, err = self.render("--size", "160x120", "-q", "--frames", "all", "--cut", "z>0", "-o", "pictures")
        self.assertTrue(err.startswith("warning: 3 of 3 pictures, the first at t = 0 s, show no body: "), err)
        _, err = self.render(*SMALL, "-o", "good.png")
        self.assertEqual(err, "")

    def test_bodies_far_away_are_warned_of(self):
        text = SCENE.format(x=-0.3).replace("[0.3, 0, 0.05] }", "[4000, 0, 0.05] }")
        grains = '[[bodies]]\nshape = "ball"\nmaterial = "alpha"\nplace = { lattice = [5, 5, 5], spacing = 0.12, origin = [0, 0, 0.1] }\n'
        (self.folder / "scene.toml").write_text(text.replace("[[wall]]", grains + "[[wall]]", 1))
        self.scree("run", "scene.toml", "-o", "run", "-q")
        _, err = self.render(*SMALL, "-o", "a.png")
        self.assertRegex(err, r"^warning: 1 of 127 bodies lies far from all others, which are dots in the picture: body 1 is at \(4000, 0, 0\.0\d+\) m, 3\.999\d* km from the middle")
        cut = re.search(r'--cut "(x>[^"]*)"', err).group(1)
        _, err = self.render(*SMALL, "-o", "b.png", "--cut", cut)
        self.assertEqual(err, "")
        _, err = self.render(*SMALL, "-o", "c.png", "--from", "1,-1,1", "--at", "0.2,0.2,0.2")
        self.assertEqual(err, "")

    def test_films_without_ffmpeg(self):
        self.make()
        process = subprocess.run([PROGRAM, "render", "run", "-o", "film.mp4"], cwd=self.folder, capture_output=True, text=True, env={**os.environ, "PATH": str(self.folder)})
        self.assertEqual(process.returncode, 2)
        self.assertIn("ffmpeg, which is not on PATH", process.stderr)
        (self.folder / "ffmpeg").write_text("#!/bin/sh\necho it is broken >&2\nexit 3\n")
        (self.folder / "ffmpeg").chmod(0o755)
        process = subprocess.run([PROGRAM, "render", "run", "-o", "film.mp4"], cwd=self.folder, capture_output=True, text=True, env={**os.environ, "PATH": str(self.folder)})
        self.assertEqual(process.returncode, 1)
        self.assertIn("ffmpeg could not make film.mp4: it is broken", process.stderr)
        self.assertFalse((self.folder / "film.mp4").exists())

    def test_what_is_refused(self):
        self.make()
        (self.folder / "notes.txt").write_text("no frames")
        for arguments, message in (
            (("--colour", "sped"), "--colour sped: there is no such field; there are speed"),
            (("--hide", "lid"), "--hide lid: there is no such wall; there are floor"),
            (("--transparent", "floor=2"), "the opacity must be a number above 0 and below 1"),
            (("--cut", "x=1"), '--cut "x=1": must be an axis, < or >'),
            (("--frames", "7"), "--frames 7: the run has frames 0 to 2"),
            (("--time", "soon"), "--time soon: must be a time in seconds"),
            (("--size", "10x10"), "--size: must be width x height"),
            (("--range", "2:1"), "--range: must be two numbers, the lower first"),
            (("--from", "1,2"), "--from: must be three numbers"),
            (("--follow", "99"), "--follow 99: the frame at t = "),
            (("--bonds",), "--bonds: the frames hold no bonds"),
            (("--map", "rainbow"), "--map"),
            (("--samples", "0"), "must be a whole number from 1"),
            (("--pictures", "5"), "--pictures counts the pictures of an orbit: give --orbit too"),
            (("--pictures", "5", "--orbit", "1", "--frames", "all"), "of an orbit about one frame, but 3 frames are drawn"),
            (("--frames", "0,,1"), "--frames"),
            (("-o", "a.jpg"), "pictures are .png, films .mp4 or .webm"),
            (("-o", "a.png", "--frames", "all"), "is one picture, but 3 were asked for"),
            (("-o", "nowhere/a.png"), "there is no folder nowhere"),
            (("-o", "notes.txt/x", "--frames", "all"), "notes.txt/x"),
            (("--azimuth", "1", "--from", "1,1,1"), "--from"),
        ):
            with self.subTest(arguments):
                _, err = self.render(*arguments, code=2)
                self.assertIn(message, err)
                self.assertEqual(err.count("\n"), 1)
        for run, message in (("nothing", "no such run directory or file"), ("notes.txt", "notes.txt")):
            _, err = self.render(run=run, code=2)
            self.assertIn(message, err)
        self.assertFalse((self.folder / "run/render.png").exists())

    def test_shape_picture(self):
        text = "".join(f"v {k & 1} {k >> 1 & 1} {k >> 2}\n" for k in range(8))
        for face in ("0 2 3 1", "4 5 7 6", "0 1 5 4", "2 6 7 3", "0 4 6 2", "1 3 7 5"):
            a, b, c, d = (int(k) + 1 for k in face.split())
            text += f"f {a} {b} {c}\nf {a} {c} {d}\n"
        (self.folder / "cube.obj").write_text(text)
        out, _ = self.scree("shape", "cube.obj", "--picture", "cube.png")
        self.assertIn("12 triangles", out)
        width, height, rows = read_png(self.folder / "cube.png")
        self.assertEqual((width, height), (700, 700))
        self.assertLess(max(rows[350][350]), 225)
        _, err = self.scree("shape", "cube.obj", "--picture", "cube.png", code=2)
        self.assertIn('"cube.png" exists; give --overwrite', err)
        _, err = self.scree("shape", "cube.obj", "--picture", "cube.jpg", code=2)
        self.assertIn("pictures end in .png", err)
        _, err = self.scree("shape", "cube.obj", "--picture", "cube.obj", "--overwrite", code=2)
        self.assertIn("would overwrite the mesh", err)
        self.scree("shape", "cube.obj", "--as", "spheres", "--most", 3, "--picture", "cube.png", "--overwrite")
        width, _, rows = read_png(self.folder / "cube.png")
        self.assertEqual(width, 1400)
        left, right = (sum(max(p) - min(p) > 60 for row in rows for p in row[side:side + 700]) for side in (0, 700))
        self.assertEqual(left, 0)
        self.assertGreater(right, 20000)  # spheres in colours


if __name__ == "__main__":
    unittest.main()
