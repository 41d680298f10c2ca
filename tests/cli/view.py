#!/usr/bin/env python3
"""The server of `scree view` and `scree run --view`: who may ask, what is answered against the files of the run, following a run, control,
slow and many clients, and what the command line refuses. tests/cli/view_page.py looks at the page in a browser."""

import http.client
import json
import os
import shutil
import signal
import socket
import time
import unittest
from unittest import mock

from program import PILE, ProgramTest
from view_client import View, unpack

try:
    import h5py
except ImportError:
    h5py = None

QUICK = ("--until", "0.01", "--set", "output.every=0.002", "--set", "output.contacts=true", "-q")
BROKEN = "[time]\nend = 1\n[material.m]\ndensity = 1\nyoung = 1e6\npoison = 0.3\n"


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen in time")
        time.sleep(0.05)


class Answers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.scree("run", PILE, "-o", "run", *QUICK)
        self.view = View(self, "view", "run")

    def test_who_may_ask(self):
        view = self.view
        self.assertEqual(view.host, "127.0.0.1")
        self.assertGreaterEqual(len(view.token), 32)
        self.assertEqual(view.request("run")[0], 200)
        for token in ("", "x", view.token[:-1], view.token + "0", view.token[:-1] + ("0" if view.token[-1] != "0" else "1"), "..", "%2e%2e"):
            self.assertEqual(view.request("run", token=token)[0], 403, token)
        own = f"127.0.0.1:{view.port}"
        for host in ("evil.example", f"evil.example:{view.port}", f"10.0.0.1:{view.port}", "127.0.0.1", ""):
            self.assertEqual(view.request("run", headers={"Host": host})[0], 403, host)
        for host in (own, f"localhost:{view.port}", f"LOCALHOST:{view.port}"):
            self.assertEqual(view.request("run", headers={"Host": host})[0], 200, host)
        self.assertEqual(view.request("run", headers={"Origin": "http://evil.example"})[0], 403)
        self.assertEqual(view.request("run", headers={"Origin": "null"})[0], 403)
        self.assertEqual(view.request("run", headers={"Origin": f"http://{own}"})[0], 200)
        self.assertEqual(view.request("control?do=pause", method="POST")[0], 403)
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(view.request("run", method=method)[0], 405, method)
        self.assertEqual(view.request("run", method="POST", body=b"x" * 100)[0], 413)
        # Nothing is a path.
        for name in ("../run/scene.toml", "scene.toml", "..%2fscene.toml", "%2e%2e/%2e%2e/etc/passwd", "state.h5", "frame/../run", "run/"):
            self.assertEqual(view.request(name)[0], 404, name)
        for name in ("frame?n=999", "frame", "frame?n=-1", "frame?n=x", "frame?n=0&field=../x", "field?n=0&field=nothing", "body?n=0&id=1e3", "rods?n=0&what=bonds",
                     "rods?n=0&what=x", "series?c=nothing", "history?id=0&step=0", "walls?n=4294967296"):
            self.assertIn(view.request(name)[0], (400, 404), name)
        self.assertEqual(view.request("?" + "x" * 20000)[0] // 100, 4)
        self.assertEqual(view.request("run")[0], 200)  # and still answers

    def test_on_all_addresses_by_numbers_only(self):
        view = View(self, "view", "run", "--listen", "0.0.0.0")
        self.assertEqual(view.request("run", headers={"Host": f"10.1.2.3:{view.port}"})[0], 200)
        self.assertEqual(view.request("run", headers={"Host": f"[fe80::1]:{view.port}"})[0], 200)
        for host in (f"evil.example:{view.port}", "10.1.2.3", f"10.1.2.3.evil.example:{view.port}"):
            self.assertEqual(view.request("run", headers={"Host": host})[0], 403, host)
        self.assertEqual(view.request("run", token="0" * 32)[0], 403)

    def test_headers_of_the_page(self):
        status, headers, page = self.view.request("")
        self.assertEqual(status, 200)
        self.assertIn(b"<canvas", page)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Cache-Control"], "no-store")
        # The page asks nobody else for anything.
        script = self.view.request("main.js")[2]
        for text in (page, self.view.request("style.css")[2]):
            self.assertNotIn(b"http://", text)
            self.assertNotIn(b"https://", text)
        self.assertGreater(len(script), 100000)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_frames_are_those_of_the_file(self):
        head, arrays = self.view.packet("run")
        with h5py.File(self.folder / "run/state.h5") as file:
            frames = file["frames"]
            self.assertEqual(len(arrays["times"]), len(frames))
            self.assertEqual(head["name"], "run")
            self.assertFalse(head["running"])
            self.assertEqual(head["walls"], sorted(head["walls"], key=head["walls"].index))
            for k, name in enumerate(frames):
                group = frames[name]
                self.assertEqual(arrays["times"][k], group.attrs["time"])
                of_frame, values = self.view.packet("frame", n=k, field="velocity_z")
                self.assertEqual(of_frame["bodies"], group.attrs["bodies"])
                self.assertEqual(values["id"].tolist(), group["id"][:].tolist())
                place = group["position"][:]
                for i in range(0, len(place), 17):
                    for a in range(3):
                        self.assertAlmostEqual(values["place"][4 * i + a], place[i][a], delta=1e-7)
                    self.assertAlmostEqual(values["place"][4 * i + 3], group["radius"][i], delta=1e-9)
                    self.assertAlmostEqual(values["value"][i], group["velocity"][i][2], delta=1e-6)
                # Walls bear what contacts say, with the other sign.
                contacts = group["contacts"]
                for w in range(len(head["walls"])):
                    chosen = contacts["wall"][:] == w
                    total = -contacts["force"][:][chosen].sum(axis=0)
                    for a in range(3):
                        self.assertAlmostEqual(values["wall_loads"][3 * w + a], total[a], delta=1e-9 + 1e-9 * abs(total[a]))
            last = frames[list(frames)[-1]]
            body = int(last["contacts/a"][0])
            of_body, lists = self.view.packet("body", n=len(frames) - 1, id=body)
            row = list(last["id"]).index(body)
            self.assertAlmostEqual(of_body["fields"]["mass"]["value"], last["mass"][row], delta=1e-12)
            self.assertEqual(of_body["fields"]["mass"]["unit"], "kg")
            with_it = [(int(a), int(b), int(w)) for a, b, w in zip(last["contacts/a"], last["contacts/b"], last["contacts/wall"]) if a == body or (w < 0 and b == body)]
            self.assertEqual(len(of_body["partners"]), len(with_it))
            self.assertEqual(of_body["fields"]["coordination"]["value"], len(with_it))
            self.assertEqual(len(lists["force"]), len(with_it))
            past, curve = self.view.packet("history", id=body, field="z", count=64)
            self.assertEqual(past["unit"], "m")
            self.assertEqual(len(curve["values"]), len(frames))
            for k, name in enumerate(frames):
                ids = list(frames[name]["id"])
                self.assertAlmostEqual(curve["values"][k], frames[name]["position"][ids.index(body)][2], delta=1e-12)
        self.assertFalse(self.view.packet("body", n=0, id=99999)[0]["there"])
        rods, ends = self.view.packet("rods", n=len(arrays["times"]) - 1, what="chains")
        self.assertEqual(rods["unit"], "N")
        self.assertEqual(len(ends["end"]) // 8 * 4, len(ends["colour"]))
        self.assertGreater(len(ends["end"]), 0)

    def test_walls_and_series(self):
        walls, arrays = self.view.packet("walls", n=0)
        self.assertIn("ramp", walls["walls"])
        w = walls["walls"].index("ramp")
        corners = {tuple(round(arrays["vertex"][3 * v + a], 6) for a in range(3)) for v in arrays["triangle"][arrays["first"][w]:arrays["first"][w + 1]]}
        self.assertEqual(corners, {(0, 0, 0.006), (0.03, 0, 0.001), (0.03, 0.06, 0.001), (0, 0.06, 0.006)})
        columns = self.view.packet("run")[0]["series"]
        self.assertEqual(columns[:2], ["step", "time"])
        rows = self.read_series("run")
        column = columns[2]
        head, values = self.view.packet("series", c=["time", column])
        self.assertEqual(head["rows"], len(rows))
        self.assertEqual(values["column0"].tolist(), [row["time"] for row in rows])
        for value, row in zip(values["column1"], rows):  # an empty cell is no number
            self.assertTrue(value == row[column] if column in row else value != value)
        few = self.view.packet("series", c=["time"], most=3)[1]["column0"]
        self.assertLessEqual(len(few), 4)
        self.assertEqual(few[-1], rows[-1]["time"])

    def test_many_and_slow_clients(self):
        open_ones = [self.view.stream() for _ in range(16)]
        self.assertTrue(all(reply.status == 200 for _, reply in open_ones))
        connection, reply = self.view.stream()
        self.assertEqual(reply.status, 503)
        reply.close()
        connection.close()
        # Those who ask and never read do not keep others from answers.
        lazy = []
        for _ in range(8):
            s = socket.create_connection(("127.0.0.1", self.view.port))
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.sendall(f"GET /{self.view.token}/main.js HTTP/1.1\r\nHost: 127.0.0.1:{self.view.port}\r\n\r\n".encode() * 3)
            lazy.append(s)
        began = time.monotonic()
        self.assertEqual(self.view.request("run")[0], 200)
        self.assertLess(time.monotonic() - began, 4)
        for s in lazy:
            s.close()
        open_ones[0][1].close()
        open_ones[0][0].close()
        # A viewer that has gone makes room, once its stream is written to.
        until(lambda: self.admitted(), 30)
        for connection, reply in open_ones[1:]:
            reply.close()
            connection.close()
        self.assertEqual(self.view.end(), 0)

    def connect(self, begun):
        s = socket.create_connection(("127.0.0.1", self.view.port), timeout=20)
        s.sendall(begun.encode())
        return s

    def test_requests_that_never_end(self):
        """More than there are threads, with and without the word: others are answered as before, and all of these are sent away."""
        own = f"GET /{self.view.token}/run HTTP/1.1\r\n"
        clients = [self.connect(begun) for begun in (f"{own}Host: x\r\nA: ", own, "GET /", "") for _ in range(50)]
        began = time.monotonic()
        for s in clients:
            try:
                s.sendall(b"x")  # a letter now and then is not enough
            except OSError:
                pass  # pushed out by others
        for _ in range(3):
            self.assertEqual(self.view.request("run")[0], 200)
        self.assertLess(time.monotonic() - began, 4)
        for s in clients:
            try:
                while s.recv(1000):
                    pass
            except ConnectionResetError:
                pass
            s.close()
        self.assertLess(time.monotonic() - began, 15)  # 5 s, and what they have waited longer for a slow machine

    def test_who_lacks_the_word_is_sent_away_at_once(self):
        began = time.monotonic()
        for line, status in (("GET /0123456789abcdef/run HTTP/1.1", 403), ("GET / HTTP/1.0", 403), ("hello", 400), (f"GET /{self.view.token}/run", 400),
                             ("GET /" + 9000 * "x" + " HTTP/1.1", 414), (f"GET /{self.view.token}/ HTTP/1.1\r\n" + 300 * ("A: " + 70 * "b" + "\r\n"), 431)):
            with self.subTest(line=line[:40]):  # none of them sends the empty line that ends a request
                s = self.connect(line + "\r\n")
                answer = b""
                while part := s.recv(1000):
                    answer += part
                s.close()
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()), answer)
        self.assertLess(time.monotonic() - began, 4)

    def test_several_requests_on_one_connection(self):
        """One after the other, and all at once: each has its answer, in their order."""
        ask = "GET /{}/field?n={}&field=z HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n"
        frames = len(self.view.packet("run")[1]["times"])
        last = "Connection: close\r\n"
        text = "".join(ask.format(self.view.token, k, self.view.port, last if k == frames - 1 else "") for k in range(frames))
        s = self.connect(text)
        answer = b""
        while part := s.recv(100000):
            answer += part
        s.close()
        packets = answer.split(b"HTTP/1.1 200 OK\r\n")[1:]
        self.assertEqual([unpack(packet.split(b"\r\n\r\n", 1)[1])[0]["frame"] for packet in packets], list(range(frames)))
        connection = http.client.HTTPConnection("127.0.0.1", self.view.port, timeout=20)
        for k in range(frames):
            connection.request("GET", f"/{self.view.token}/field?n={k}&field=z")
            mine = connection.sock if k == 0 else mine
            self.assertIs(connection.sock, mine)
            self.assertEqual(unpack(connection.getresponse().read())[0]["frame"], k)
        connection.close()

    def test_without_velocities(self):
        self.scree("run", PILE, "-o", "still", *QUICK, "--set", 'output.leave_out=["velocity"]')
        view = View(self, "view", "still")
        head = view.packet("run")[0]
        self.assertEqual(head["field"], "none")
        self.assertEqual({"speed", "velocity_x", "kinetic"} & set(head["fields"]), set())
        self.assertEqual(self.view.packet("run")[0]["field"], "speed")
        self.assertEqual(set(self.view.packet("run")[0]["fields"]) - set(head["fields"]), {"speed", "velocity_x", "velocity_y", "velocity_z", "kinetic"})
        for field in head["fields"]:  # each that is offered is there
            self.assertEqual(view.packet("field", n=0, field=field)[0]["field"], field)
        self.assertEqual(view.packet("frame", n=0)[0]["field"], "none")
        self.assertEqual(set(view.packet("body", n=0, id=0)[0]["fields"]), set(head["fields"]) - {"none"})
        for name in ("frame?n=0&field=speed", "history?id=0&field=speed"):
            status, _, text = view.request(name)
            self.assertEqual(status, 404)
            self.assertIn(b"the frames hold no velocities", text)

    def test_frames_that_hold_different_things(self):
        """A run continued with another [output]: each field that some frame holds is offered, and frames without it say so."""
        self.scree("run", PILE, "-o", "run", "--restart", "run/checkpoint.h5", "--until", "0.014", "--set", "output.every=0.002",
                   "--set", "output.contacts=false", "--set", 'output.leave_out=["velocity"]', "-q")
        head, arrays = self.view.packet("run")
        last = len(arrays["times"]) - 1
        self.assertGreater(last, 5)
        self.assertTrue(head["contacts"])
        self.assertLessEqual({"speed", "kinetic", "force", "coordination"}, set(head["fields"]))
        self.assertEqual(head["field"], "speed")
        for field, lack in ("speed", "velocities: it was written with `leave_out`"), ("force", "contacts: it was written without `contacts`"):
            told = f"frame {last + 1} of {last + 1} holds no {lack} in [output]; "
            for name in ("frame", "field"):
                with self.subTest(field=field, name=name):
                    self.assertEqual(self.view.packet(name, n=0, field=field)[0]["lacks"], "")
                    of_last, values = self.view.packet(name, n=last, field=field)
                    self.assertTrue(of_last["lacks"].startswith(told), of_last["lacks"])
                    self.assertEqual((of_last["field"], set(values["value"])), ("none", {0}))
            curve = self.view.packet("history", id=0, field=field, count=64)
            self.assertEqual([value == value for value in curve[1]["values"]], [self.view.packet("field", n=k, field=field)[0]["lacks"] == "" for k in range(last + 1)])
            self.assertEqual(curve[0]["unit"], {"speed": "m/s", "force": "N"}[field])
        self.assertGreater(len(self.view.packet("rods", n=last - 3, what="chains")[1]["end"]), 0)
        rods, ends = self.view.packet("rods", n=last, what="chains")
        self.assertIn("holds no contacts", rods["lacks"])
        self.assertEqual(len(ends["end"]), 0)
        self.assertNotIn("speed", self.view.packet("body", n=last, id=0)[0]["fields"])
        self.assertEqual(self.view.request("rods?n=0&what=bonds")[0], 404)  # none holds them

    @unittest.skipIf(h5py is None, "there is no h5py")
    def test_a_file_that_is_damaged(self):
        """It is shown up to the first frame that cannot be read, and that is said; a frame that the run is writing is not."""
        self.assertEqual(self.view.packet("run")[0]["error"], "")
        frames = len(self.view.packet("run")[1]["times"])
        shutil.copytree(self.folder / "run", self.folder / "bad")
        with h5py.File(self.folder / "bad" / "state.h5", "r+") as file:
            del file["frames/000002"].attrs["step"]
        os.utime(self.folder / "bad" / "summary.json")
        told = f"bad/state.h5: cannot read /frames/000002@step; the file may be damaged or of another kind; left out are this frame and those after it, {frames - 2} of {frames}"
        view = View(self, "view", "bad")
        head, arrays = view.packet("run")
        self.assertEqual((head["error"], len(arrays["times"]), head["running"]), (told, 2, False))
        view.end()
        self.assertEqual(view.lines, [f"warning: {told}\n"])
        (self.folder / "bad" / "summary.json").unlink()  # as of a run that goes on
        view = View(self, "view", "bad")
        head, arrays = view.packet("run")
        self.assertEqual((head["error"], len(arrays["times"]), head["running"]), ("", 2, True))

    def admitted(self):
        connection, reply = self.view.stream()
        reply.close()
        connection.close()
        return reply.status == 200


class Live(ProgramTest):
    def test_a_run_that_is_written(self):
        run = self.start("run", PILE, "-o", "run", "--until", "50", "--set", "output.every=0.005", "-q")
        until(lambda: (self.folder / "run/state.h5").exists())
        view = View(self, "view", "run")
        counts = []
        connection, events = view.stream()
        for line in events:
            text = line.decode()
            if text.startswith("data: {"):
                state = json.loads(text[6:])
                counts.append(state["frames"])
                if len(set(counts)) == 4 and run.poll() is None:  # it saw the run grow
                    run.send_signal(signal.SIGINT)
                if not state["running"]:
                    break
        events.close()
        connection.close()
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.assertEqual(counts, sorted(counts))
        head, arrays = view.packet("run")
        self.assertEqual(len(arrays["times"]), counts[-1])
        self.assertLess(self.summary("run")["time"] - arrays["times"][-1], 0.005 + 1e-9)  # all that it wrote
        # Started anew, it is another edition with its own frames.
        self.scree("run", PILE, "-o", "run", "--overwrite", "--until", "0.004", "--set", "output.every=0.002", "-q")
        again, arrays = view.packet("run")
        self.assertGreater(again["edition"], head["edition"])
        self.assertEqual(len(arrays["times"]), 3)

    def test_a_run_that_writes_more_often_than_it_can_be_read(self):
        run = self.start("run", PILE, "-o", "run", "--until", "50", "--set", "output.every=1e-3", "-q")
        until(lambda: (self.folder / "run/state.h5").exists())
        view = View(self, "view", "run")
        connection, events = view.stream()
        connection.sock.settimeout(120)
        counts = []
        for line in events:
            text = line.decode()
            if text.startswith("data: {"):
                counts.append(json.loads(text[6:])["frames"])
            if len(set(counts)) >= 4 and counts[-1] > 200:
                break
        events.close()
        connection.close()
        self.assertIsNone(run.poll())
        for k in (0, 100, 200):  # and its frames can be had
            self.assertEqual(len(view.packet("frame", n=k)[1]["id"]), 216)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        view.end()
        self.assertEqual("".join(view.lines).strip(), "")  # a look that met a half-written file says nothing

    def test_a_scene(self):
        scene = self.folder / "scene.toml"
        scene.write_text(PILE.read_text())
        view = View(self, "view", "scene.toml")
        head, arrays = view.packet("run")
        self.assertEqual((head["kind"], head["error"], len(arrays["times"])), ("scene", "", 1))
        self.assertIn("bodies", head["report"])
        self.assertEqual(head["report"], self.scree("check", "scene.toml")[0])
        self.assertEqual(len(view.packet("frame", n=0)[1]["id"]), 216)
        scene.write_text(BROKEN)
        os.utime(scene, (1, 1))
        head, arrays = view.packet("run")
        self.assertIn("scene.toml:6:1: unknown key \"poison\"", head["error"])
        self.assertEqual(len(arrays["times"]), 0)
        self.assertEqual(view.end(), 0)


class Control(ProgramTest):
    def test_pause_step_and_stop(self):
        whole = self.hash_of("whole", "--until", "0.04", "--set", "output.every=0.002")
        view = View(self, "run", PILE, "-o", "run", "--view", "--control", "--until", "0.04", "--set", "output.every=0.002", "-q")
        connection, events = view.stream()
        state = {}

        def read(wanted):
            deadline = time.monotonic() + 60
            for line in events:
                text = line.decode()
                if text.startswith("data: {"):
                    state.update(json.loads(text[6:]))
                    if wanted(state):
                        return state
                if time.monotonic() > deadline:
                    break
            raise AssertionError(f"it did not come to it: {state}")

        self.assertEqual(view.request("control?do=dance", method="POST")[0], 400)
        self.assertEqual(view.request("control?do=pause", method="POST", headers={"Origin": "http://evil.example"})[0], 403)
        self.assertEqual(view.request("control?do=pause", method="POST")[0], 200)
        paused = dict(read(lambda s: s["waits"]))
        time.sleep(0.5)
        self.assertEqual(view.request("control?do=step", method="POST")[0], 200)
        stepped = read(lambda s: s["waits"] and s["step"] > paused["step"] and s["frames"] > paused["frames"])
        self.assertEqual(stepped["frames"], paused["frames"] + 1)
        self.assertEqual(view.packet("run")[1]["times"][-1], stepped["time"])  # it waits where the frame was written
        self.assertEqual(view.request("control?do=stop", method="POST")[0], 200)
        self.assertEqual(view.process.wait(timeout=60), 130)
        events.close()
        connection.close()
        view.end()
        self.assertIn("go on with --restart", "".join(view.lines))
        self.assertEqual(self.summary("run")["exit_reason"], "interrupted")
        # Nothing of this shows in what is computed.
        self.scree("run", PILE, "-o", "run", "--restart", "run/checkpoint.h5", "--until", "0.04", "--set", "output.every=0.002", "-q")
        self.assertEqual(self.summary("run")["state_hash"], whole)

    def test_only_looking(self):
        view = View(self, "run", PILE, "-o", "run", "--view", "--until", "0.05", "-q")
        self.assertEqual(view.request("control?do=stop", method="POST")[0], 403)
        self.assertTrue(view.packet("run")[0]["attached"])
        self.assertEqual(view.process.wait(timeout=60), 0)
        self.assertEqual(self.summary("run")["exit_reason"], "done")
        with self.assertRaises(OSError):  # the view has ended with its run
            view.request("run")

    def test_a_view_dies_with_its_run(self):
        view = View(self, "run", PILE, "-o", "run", "--view", "--until", "5", "-q")
        self.assertEqual(view.request("run")[0], 200)
        view.process.kill()
        view.process.wait()

        def gone():
            try:
                view.request("run")
            except OSError:
                return True
            return False

        until(gone, 10)


class Arguments(ProgramTest):
    def refused(self, *arguments):
        err = self.scree(*arguments, code=2)[1]
        self.assertEqual(err.count("\n"), 1, err)
        return err

    def test_what_is_refused(self):
        (self.folder / "empty").mkdir()
        (self.folder / "no.h5").write_text("no")
        self.assertIn("no such run directory", self.refused("view", "nothing"))
        self.assertIn("not a run directory", self.refused("view", "empty"))
        self.assertIn("no.h5", self.refused("view", "no.h5"))
        self.assertIn("--port", self.refused("view", "empty", "--port", "0"))
        self.assertIn("--port", self.refused("view", "empty", "--port", "http"))
        self.assertIn("--control", self.refused("view", "empty", "--control"))
        self.assertIn("--set", self.refused("view", "empty", "--set", "a=1"))
        self.assertIn("--view", self.refused("run", PILE, "--control"))
        self.assertIn("--view", self.refused("run", PILE, "--port", "8000"))
        self.scree("run", PILE, "-o", "run", "--steps", "1", "-q")
        self.assertIn("203.0.113.7", self.refused("view", "run", "--listen", "203.0.113.7"))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertIn(f"port {port}", self.refused("view", "run", "--port", port))
            before = sorted(p.name for p in self.folder.iterdir())
            self.assertIn(f"port {port}", self.refused("run", PILE, "-o", "other", "--view", "--port", port))
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)  # nothing was made
        with mock.patch.dict(os.environ, {"SCREE_VIEW_TOKEN": "short"}):
            self.assertIn("SCREE_VIEW_TOKEN", self.refused("view", "run"))


if __name__ == "__main__":
    unittest.main()
