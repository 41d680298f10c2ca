#!/usr/bin/env python3
"""The page of `scree view` in headless Chromium, drawn by software: it draws what the run holds, goes through time, follows a run, picks bodies,
cuts, filters, plots, saves pictures and films, keeps its view in a link, is readable in light and dark and by keys, and comes back after its
server did."""

import os
import struct
import sys
import time
import unittest
import zlib
from unittest import mock

import browser
from program import PILE, ProgramTest
from view_client import View

try:
    import h5py
except ImportError:
    h5py = None

READY = "window.scree && scree.frame && scree.measured.shown !== undefined && scree.measured.drawn > 0"
QUICK = ("--until", "0.02", "--set", "output.every=0.002", "--set", "output.contacts=true", "-q")
MIXED = """[time]
end = 1e-3
step = 1e-4
[material.m]
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
[shape.egg]
kind = "ellipsoid"
semi_axes = [0.05, 0.05, 0.09]
[shape.pill]
kind = "capsule"
base_radius = 0.04
height = 0.18
[[bodies]]
shape = "ball"
material = "m"
place = { at = [0, 0, 0.05] }
[[bodies]]
shape = "cube"
material = "m"
place = { at = [0.3, 0, 0.05] }
[[bodies]]
shape = "egg"
material = "m"
place = { at = [0.6, 0, 0.1] }
[[bodies]]
shape = "pill"
material = "m"
place = { at = [0.9, 0, 0.1] }
[[wall]]
kind = "plane"
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
"""


def pixels(png):
    """Width and rows of (red, green, blue) of a screenshot."""
    place, data = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        data += body if kind == b"IDAT" else b""
        place += 12 + length
    step, raw = {2: 3, 6: 4}[colour], zlib.decompress(data)
    assert depth == 8
    rows, before = [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        way, line = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for x in range(len(line)):
            a, b, c = line[x - step] if x >= step else 0, before[x], before[x - step] if x >= step else 0
            if way == 1:
                line[x] = (line[x] + a) & 255
            elif way == 2:
                line[x] = (line[x] + b) & 255
            elif way == 3:
                line[x] = (line[x] + (a + b) // 2) & 255
            elif way == 4:
                p = a + b - c
                line[x] = (line[x] + min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]) & 255
        rows.append([tuple(line[step * x:step * x + 3]) for x in range(width)])
        before = line
    return width, rows


class Page(ProgramTest):
    """One browser for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser(1000, 640)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, view, link=""):
        self.browser.open("about:blank")
        self.browser.until("location.href === 'about:blank'")
        self.browser.errors.clear()  # of the page before
        self.browser.open(view.url + ("#" + link if link else ""))
        self.browser.until(READY, 120)

    def no_errors(self):
        self.assertEqual(self.browser.errors, [])

    def go(self, k):
        self.browser.run(f"(() => {{ const s = document.getElementById('slider'); s.value = {k}; s.dispatchEvent(new Event('input')); }})()")
        self.browser.until(f"scree.state.frame === {k} && scree.frame.head.frame === {k}")


class Shows(Page):
    @unittest.skipIf(h5py is None, "needs h5py")
    def test_frames_bodies_cut_and_filter(self):
        b = self.browser
        self.scree("run", PILE, "-o", "run", *QUICK)
        view = View(self, "view", "run")
        self.open(view)
        with h5py.File(self.folder / "run/state.h5") as file:
            frames = [file["frames"][name] for name in file["frames"]]
            self.assertEqual(b.run("scree.frames"), len(frames))
            self.assertEqual(b.run("scree.state.frame"), len(frames) - 1)  # it begins at the end
            # The slider.
            self.go(3)
            self.assertAlmostEqual(b.run("scree.frame.head.time"), frames[3].attrs["time"], delta=1e-12)
            self.assertIn("4 of", b.run("document.getElementById('time').textContent"))
            self.assertEqual(b.run("scree.measured.shown"), len(frames[3]["id"]))
            self.assertIn(f"{len(frames[3]['id'])} bodies", b.run("document.getElementById('counts').textContent"))
            # A click chooses the body that is nearest to the eye there, by an independent look along the ray.
            position, radius, ids = frames[3]["position"][:], frames[3]["radius"][:], frames[3]["id"][:]
            chosen = 0
            for row in range(0, len(ids), 29):
                x, y = b.run(f"scree.placeOf({ids[row]})")
                eye, along = b.run(f"""(() => {{ const c = document.getElementById('canvas').getBoundingClientRect();
                    const r = scree.view.ray(2 * ({x} - c.left) / c.width - 1, 1 - 2 * ({y} - c.top) / c.height);
                    return [r.from.toArray(), r.along.toArray()]; }})()""")
                nearest, expected = float("inf"), None
                for k in range(len(ids)):
                    away = position[k] - eye
                    t = float(away @ along)
                    left = radius[k] ** 2 - float(away @ away) + t * t
                    if left >= 0 and t - left ** 0.5 < nearest:
                        nearest, expected = t - left ** 0.5, int(ids[k])
                b.click(x, y)
                b.until(f"scree.state.selected === {expected}", 10)
                chosen += 1
            self.assertGreater(chosen, 5)
            # Its numbers are the file's.
            b.until(f"document.querySelector('#body table') && document.getElementById('body-id').value === '{expected}'")
            row = list(ids).index(expected)
            mass = b.run("[...document.querySelectorAll('#body tr')].find((r) => r.cells[0].textContent === 'mass').cells[1].textContent")
            self.assertRegex(mass, r" kg$|10")
            contacts = frames[3]["contacts"]
            number = sum(1 for a, c, w in zip(contacts["a"], contacts["b"], contacts["wall"]) if a == expected or (w < 0 and c == expected))
            words = b.until("document.querySelector('#body .hint') && document.querySelector('#body .hint').textContent")
            self.assertEqual(words, f"{number} contacts" if number else "no contacts")
            self.assertTrue(b.until("document.querySelector('#body svg path')?.getAttribute('d').length > 20"))
            # A cut hides bodies by their centres.
            before = b.picture()
            b.run("""(() => { const i = document.querySelector('#cuts input[data-axis="0"][data-side="low"]'); i.value = 0.03; i.dispatchEvent(new Event('input')); })()""")
            low = b.run("scree.state.cut.low[0]")
            self.assertAlmostEqual(low, 0.03, delta=0.001)
            self.assertEqual(b.run("scree.measured.shown"), int((position[:, 0].astype("float32") >= low).sum()))
            time.sleep(0.3)
            self.assertNotEqual(b.picture(), before)
            b.run("document.getElementById('cut-none').click()")
            self.assertEqual(b.run("scree.measured.shown"), len(ids))
            # A filter by another field than the colour's.
            b.run("""(() => { const set = (id, v) => { const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event('change')); };
                set('filter-field', 'radius'); set('filter-low', 0.0035); })()""")
            b.until(f"scree.measured.shown === {int((radius > 0.0035).sum())}")
        self.assertTrue(b.until("!!document.querySelector('#plots svg path')"))
        walls = b.run("document.getElementById('walls').textContent")
        self.assertRegex(walls, r"ramp\D*[\d.]+ [µm]?N")
        # Force chains.
        b.run("(() => { const e = document.getElementById('show-chains'); e.checked = true; e.dispatchEvent(new Event('change')); })()")
        b.until("scree.drawing.rods.chains.mesh.visible")
        self.assertIn("contact force", b.run("document.getElementById('legend').innerText"))
        self.no_errors()

    def test_a_frame_that_lacks_a_field(self):
        """It is shown without, and a line says why, until another frame is shown."""
        b = self.browser
        self.scree("run", PILE, "-o", "run", *QUICK)
        self.scree("run", PILE, "-o", "run", "--restart", "run/checkpoint.h5", "--until", "0.024", "--set", "output.every=0.002", "--set", "output.contacts=false", "-q")
        view = View(self, "view", "run")
        self.open(view)
        last = b.run("scree.frames") - 1
        b.run("(() => { const set = (id, v) => { const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event('change')); }; set('field', 'coordination'); })()")
        words = b.until("document.getElementById('notice').textContent")
        self.assertIn(f"frame {last + 1} of {last + 1} holds no contacts: it was written without `contacts` in [output]", words)
        self.assertEqual(b.run("scree.frame.head.field"), "none")
        self.go(1)
        b.until("scree.frame.head.field === 'coordination'")
        self.assertTrue(b.run("document.getElementById('notice').hidden"))
        b.run("(() => { const e = document.getElementById('show-chains'); e.checked = true; e.dispatchEvent(new Event('change')); })()")
        b.until("scree.drawing.rods.chains.mesh.visible")
        self.go(last)
        self.assertIn("holds no contacts", b.until("document.getElementById('notice').textContent"))
        self.no_errors()

    def test_every_shape_is_drawn_where_it_is(self):
        (self.folder / "scene.toml").write_text(MIXED)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        view = View(self, "view", "run")
        self.open(view, "view=-90,20,2.4,0.45,0,0.05&field=none&walls=0")
        self.browser.run("scree.view.changed()")
        time.sleep(0.5)
        width, rows = pixels(self.browser.picture())
        back = {}
        for body in range(4):
            x, y = map(round, self.browser.run(f"scree.placeOf({body})"))
            r, g, b = rows[y][x]
            self.assertGreater(r, b + 15, f"body {body}: {rows[y][x]}")  # sand before a bluish ground
            self.browser.click(x, y)
            self.browser.until(f"scree.state.selected === {body}", 10)
            back[body] = rows[y - 90][x]
            self.assertLessEqual(back[body][0], back[body][2] + 4)
        self.browser.click(30, 300)
        self.browser.until("scree.state.selected === null", 10)
        self.no_errors()

    def test_link_keys_themes_picture_and_film(self):
        b = self.browser
        self.scree("run", PILE, "-o", "run", *QUICK)
        view = View(self, "view", "run")
        self.open(view)
        self.go(5)
        b.run("""(() => { const e = document.getElementById('field'); e.value = 'z'; e.dispatchEvent(new Event('change')); })()""")
        b.until("scree.frame.head.field === 'z'")
        b.run("document.getElementById('canvas').focus()")
        was = b.run("[scree.view.azimuth, scree.view.distance]")
        b.key("ArrowLeft")
        b.key("+")
        self.assertNotEqual(b.run("scree.view.azimuth"), was[0])
        self.assertLess(b.run("scree.view.distance"), was[1])
        b.key(".")
        b.until("scree.state.frame === 6 && scree.frame.head.frame === 6")
        b.key("Home")
        b.until("scree.state.frame === 0")
        b.key(",")
        b.key("?")
        self.assertFalse(b.run("document.getElementById('help').hidden"))
        b.key("Escape")
        self.assertTrue(b.run("document.getElementById('help').hidden"))
        b.key(" ")  # plays
        b.until("scree.state.playing && scree.state.frame > 2")
        b.key(" ")
        b.until("!scree.state.playing")
        self.go(4)
        time.sleep(0.5)
        # The link brings all of it back.
        link = b.run("location.hash")
        for part in ("t=", "field=z", "view="):
            self.assertIn(part, link)
        azimuth = b.run("scree.view.azimuth")
        self.open(view, link[1:])
        b.until("scree.state.frame === 4 && scree.frame.head.field === 'z'")
        self.assertAlmostEqual(b.run("scree.view.azimuth"), azimuth, delta=1e-3)
        self.assertFalse(b.run("document.getElementById('live').checked"))
        # Every control has a name, and can be reached by the Tab key.
        nameless = b.run("""[...document.querySelectorAll('button, input, select, canvas')].filter((e) =>
            !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).map((e) => e.id || e.outerHTML)""")
        self.assertEqual(nameless, [])
        self.assertEqual(b.run("[...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex < 0).length"), 0)
        # Text stands out from its ground by more than 4.5 to 1 (WCAG 2.1, 1.4.3) in both themes, which differ.
        grounds = []
        for dark in (False, True):
            b.scheme(dark)
            least, ground = b.run("""(() => { const c = (s) => { const e = document.createElement('i'); e.style.color = `var(${s})`; document.body.append(e);
                const v = getComputedStyle(e).color.match(/\\d+/g).slice(0, 3).map((x) => x / 255).map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
                e.remove(); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
                const ratio = (a, b) => (Math.max(c(a), c(b)) + 0.05) / (Math.min(c(a), c(b)) + 0.05);
                const pairs = [['--text', '--card'], ['--text', '--back'], ['--soft', '--card'], ['--soft', '--back'], ['--accent', '--card'], ['--bad', '--card'], ['--good', '--card'], ['--on-accent', '--accent']];
                return [Math.min(...pairs.map((p) => ratio(...p))), c('--card')]; })()""")
            self.assertGreater(least, 4.5)
            grounds.append(ground)
        b.scheme(False)
        self.assertGreater(grounds[0], grounds[1])
        # A picture, and a film of some frames.
        b.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        b.run("document.getElementById('picture').click()")
        saved = self.folder / "run_000004.png"
        b.until("scree.measured.picture_bytes > 0")
        self.wait_for(saved)
        width, rows = pixels(saved.read_bytes())
        self.assertGreater(len({pixel for row in rows for pixel in row}), 200)
        b.run("document.getElementById('film').click()")
        deadline, k = time.monotonic() + 60, 0
        while b.run("scree.film.bytes") < 2000 or k < 12:
            self.assertLess(time.monotonic(), deadline)
            k += 1
            self.go(k % 6)
        self.go(5)
        b.run("document.getElementById('film').click()")
        film = self.folder / "run_000005.webm"
        self.wait_for(film)
        self.assertEqual(film.read_bytes()[:4], b"\x1a\x45\xdf\xa3")  # EBML
        self.assertGreater(film.stat().st_size, 2000)
        self.no_errors()

    def wait_for(self, path):
        deadline = time.monotonic() + 20
        while not path.exists() or path.stat().st_size == 0:
            self.assertLess(time.monotonic(), deadline, f"{path.name}: {[p.name for p in self.folder.iterdir()]}")
            time.sleep(0.1)
        time.sleep(0.3)

    def test_a_scene_before_it_runs(self):
        scene = self.folder / "scene.toml"
        scene.write_text(PILE.read_text())
        view = View(self, "view", "scene.toml")
        self.open(view)
        self.assertEqual(self.browser.run("scree.measured.shown"), 216)
        self.assertIn("216", self.browser.run("document.getElementById('report').textContent"))
        scene.write_text(PILE.read_text().replace("poisson", "poison", 1))
        words = self.browser.until("!document.getElementById('notice').hidden && document.getElementById('notice').textContent")
        self.assertRegex(words, r"scene\.toml:\d+:\d+: unknown key \"poison\"")
        scene.write_text(PILE.read_text().replace("lattice = [6, 6, 6]", "lattice = [6, 6, 5]"))
        self.browser.until("document.getElementById('notice').hidden && scree.frame && scree.measured.shown === 180")
        self.no_errors()


class Follows(Page):
    @unittest.skipIf(h5py is None, "needs h5py")
    def test_a_run_that_goes_on(self):
        b = self.browser
        view = View(self, "run", PILE, "-o", "run", "--view", "--control", "--until", "50", "--set", "output.every=0.02", "-q")
        self.open(view)
        seen = b.run("scree.frames")
        b.until(f"scree.frames > {seen} && scree.state.frame === scree.frames - 1")  # live: the newest frame
        self.assertIn("step", b.run("document.getElementById('progress').textContent"))
        b.run("document.getElementById('run-pause').click()")
        b.until("document.getElementById('status').textContent === 'waits'")
        with h5py.File(self.folder / "run/state.h5") as file:  # which the page may not have seen yet
            there = len(file["frames"])
        b.until(f"scree.frames === {there}")
        b.run("document.getElementById('run-step').click()")
        b.until(f"scree.frames === {there + 1} && scree.state.frame === {there} && document.getElementById('status').textContent === 'waits'")
        b.run("document.getElementById('run-pause').click()")
        b.until("document.getElementById('status').textContent === 'running'")
        b.run("document.getElementById('run-stop').click()")
        self.assertEqual(view.process.wait(timeout=60), 130)
        view.end()
        b.until("document.getElementById('status').classList.contains('lost')")
        self.assertTrue((self.folder / "run/checkpoint.h5").exists())

    def test_the_server_comes_back(self):
        b = self.browser
        self.scree("run", PILE, "-o", "run", *QUICK)
        with mock.patch.dict(os.environ, {"SCREE_VIEW_TOKEN": "a-word-for-tests-0"}):
            first = View(self, "view", "run")
            self.open(first)
            self.go(2)
            first.end()
            b.until("document.getElementById('status').classList.contains('lost')")
            View(self, "view", "run", "--port", first.port)
            b.until("document.getElementById('status').textContent === 'ended'")
        self.assertEqual(b.run("scree.state.frame"), 2)
        self.go(7)

    def test_many_bodies_are_drawn_coarsely_while_they_move(self):
        # Told, not judged: how long drawings of 100,000 spheres by software take.
        b = self.browser
        scene = self.folder / "many.toml"
        scene.write_text(MIXED.split("[shape.cube]")[0] + """[[bodies]]
shape = "ball"
material = "m"
seed = 1
place = { lattice = [50, 50, 40], spacing = 0.11, origin = [0, 0, 0.06] }
""")
        self.scree("run", "many.toml", "-o", "run", "--steps", "2", "--set", "output.every=1e-4", "-q")
        view = View(self, "view", "run")
        self.open(view)
        whole = "!scree.isCoarse && !scree.pace.busy && scree.measured.still_ms > 0 && canvas.width === Math.floor(document.getElementById('stage').getBoundingClientRect().width)"
        b.until(whole)
        self.assertEqual(b.run("scree.measured.shown"), 100000)
        self.assertEqual(b.run("scree.measured.moving"), 0)
        fetched = b.run("scree.measured.frame_ms")
        b.run("scree.pace.full_ms = 1000")  # however fast this machine is
        # It turns: whole pictures give way to coarse ones, with the same bodies in the same places.
        spin = "new Promise((done) => { const end = performance.now() + 2000, step = () => { scree.view.turn(1, 0); performance.now() < end || scree.measured.moving < 3 ? requestAnimationFrame(step) : done([scree.isCoarse, !document.getElementById('coarse').hidden, canvas.width]); }; step(); })"
        cost = b.processor_time()
        drawn = b.run("scree.measured.drawn")
        self.assertEqual(b.run(spin)[:2], [True, True])
        drawn, cost = b.run("scree.measured.drawn") - drawn, b.processor_time() - cost
        times = sorted(b.run("scree.measured.moving_ms"))
        self.assertGreaterEqual(len(times), 3)
        self.assertEqual(b.run("document.getElementById('coarse').getAttribute('aria-hidden')"), "true")
        # At rest it is whole again.
        b.until(whole)
        self.assertTrue(b.run("document.getElementById('coarse').hidden"))
        still = b.run("scree.measured.still_ms")
        print(f"100000 spheres by software, 680 x 560: {still:.0f} ms to a still picture; moving {times[len(times) // 2]:.0f} ms (of {len(times)}, the least {times[0]:.0f}), "
              f"{1000 * cost / drawn:.0f} ms of the browser's processor time each; {fetched:.0f} ms to fetch and show a frame", file=sys.stderr)
        # A coarse picture shows what the whole one does: where each pixel is a body's, and how bright they are in the mean.
        covered = b.run("""(() => { const gl = drawing.renderer.getContext(), look = () => { const v = new Uint8Array(4 * canvas.width * canvas.height);
            gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, v); let n = 0, sum = 0;
            for (let k = 0; k < v.length; k += 4) if (v[k + 3] === 255) { ++n; sum += v[k] + v[k + 1] + v[k + 2]; } return [n, sum / Math.max(1, n)]; };
            scree.view.place(); drawing.render(scree.view); const whole = look(), parts = [1, 4, 16].map((step) => { drawing.renderCoarse(scree.view, step, -1); return look(); });
            drawing.render(scree.view); return [whole, ...parts, look()]; })()""".replace("drawing.", "scree.drawing."))
        (pixels_whole, light), *parts, after = covered
        self.assertGreater(pixels_whole, 20000)
        self.assertEqual(after, covered[0])
        self.assertAlmostEqual(parts[0][0] / pixels_whole, 1, delta=0.05)
        self.assertAlmostEqual(parts[0][1] / light, 1, delta=0.1)
        for n, _ in parts[1:]:  # fewer and larger bodies fill about the same
            self.assertAlmostEqual(n / pixels_whole, 1, delta=0.25)
        # While it plays, too; what a click chooses is what was there.
        b.run("scree.pace.full_ms = 1000; document.getElementById('play').click()")
        played = b.run("scree.measured.moving")
        b.until(f"scree.measured.moving > {played + 2} && scree.isCoarse")
        x, y = b.run("scree.placeOf(99999)")
        wanted = b.run(f"""(() => {{ const c = document.getElementById('canvas').getBoundingClientRect();
            return scree.frame.arrays.id[scree.drawing.pick(scree.view.ray(2 * ({x} - c.left) / c.width - 1, 1 - 2 * ({y} - c.top) / c.height))]; }})()""")
        b.click(x, y)
        b.until(f"scree.state.selected === {wanted}")
        self.assertEqual(b.run("scree.measured.shown"), 100000)
        b.run("document.getElementById('play').click()")
        b.until(whole)
        self.no_errors()


if __name__ == "__main__":
    if not browser.is_there():
        print("skipped: needs chromium and python3-websocket")
        sys.exit(77)
    unittest.main()
