"""What `scree run` shows while it goes on and at its end: on a terminal, in a pipe, as JSON; widths, colours, verdicts, the record of speeds."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from program import PILE, PROGRAM, ProgramTest, prepare_child

CALM = ("--set", "time.end=0.02")


class Terminal(ProgramTest):
    def on_terminal(self, *arguments, columns=100, environment=(), interrupt_after=None):
        """Runs the program with a terminal on all three streams; returns its exit status as the shell sees it, and all that it wrote."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs,
                                   env={**os.environ, "TERM": "xterm", **dict(environment)}, preexec_fn=prepare_child)
        os.close(theirs)
        written, began, interrupted = b"", time.monotonic(), False
        while True:
            ready, _, _ = select.select([ours], [], [], 0.1)
            if ready:
                try:
                    piece = os.read(ours, 65536)
                except OSError:  # the last one has hung up
                    break
                if not piece:
                    break
                written += piece
            elif process.poll() is not None:
                break
            if interrupt_after and not interrupted and interrupt_after in written:
                process.send_signal(signal.SIGINT)
                interrupted = True
            self.assertLess(time.monotonic() - began, 120)
        os.close(ours)
        return process.wait(timeout=60), written.decode()

    def screen(self, written):
        """Lines as they stand at the end, and the widest that a line that was drawn again ever was."""
        lines, widest = [], max(map(len, re.findall(r"\r([^\r\n]*?)\x1b\[K", written)), default=0)
        for line in written.replace("\r\n", "\n").split("\n"):
            shown = ""
            for piece in line.split("\r"):
                piece = re.sub(r"\x1b\[\d*m", "", piece)
                shown = piece.replace("\x1b[K", "") if "\x1b[K" in piece else piece + shown[len(piece):]
            lines.append(shown)
        return lines, widest

    def test_one_line_is_drawn_again_and_gone_at_the_end(self):
        code, written = self.on_terminal("run", PILE, "-o", "run", "--threads", 1, "--set", "output.every=2e-4", "--set", "time.end=0.12")
        self.assertEqual(code, 0, written)
        self.assertIn("placing bodies", written)
        self.assertRegex(written, r"\r +\d+\.\d %  t = \S+ s of 0\.12 s  .*left")
        self.assertIn("writing a frame", written)
        lines, widest = self.screen(written)
        self.assertLessEqual(widest, 100)
        self.assertFalse([line for line in lines if "left" in line and "%  t =" in line], lines)
        self.assertTrue(any(line.startswith("done: 216 bodies") for line in lines), lines)

    def test_lines_fit_a_narrow_terminal(self):
        for columns in (50, 20):
            with self.subTest(columns=columns):
                code, written = self.on_terminal("run", PILE, "-o", f"run_{columns}", "--threads", 1, *CALM, columns=columns)
                self.assertEqual(code, 0)
                for piece in re.findall(r"\r([^\r\n]*?)\x1b\[K", written):
                    self.assertLess(len(piece), columns)
                table = self.screen(written)[0]
                start = next(k for k, line in enumerate(table) if line.startswith("done:"))
                self.assertTrue(table[start + 1].startswith("  ok    step"))
                for line in table[start + 1:]:
                    # A word that is longer has a line of its own.
                    self.assertTrue(len(line) <= max(columns, 42) or " " not in line.strip()[3:], line)

    def test_colours_are_for_terminals_that_want_them(self):
        _, written = self.on_terminal("run", PILE, "-o", "a", *CALM)
        self.assertIn("\x1b[32mok  \x1b[0m", written)
        _, written = self.on_terminal("run", PILE, "-o", "b", *CALM, environment=(("NO_COLOR", "1"),))
        self.assertNotRegex(written, r"\x1b\[\d+m")
        self.assertIn("\x1b[K", written)
        _, written = self.on_terminal("run", PILE, "-o", "c", *CALM, environment=(("TERM", "dumb"),))
        self.assertNotIn("\x1b", written)
        out, err = self.scree("run", PILE, "-o", "d", *CALM)
        self.assertNotIn("\x1b", out + err)

    def test_an_interrupt_on_a_terminal(self):
        code, written = self.on_terminal("run", PILE, "-o", "run", "--threads", 1, "--set", "time.end=100", "--set", "output.every=1", interrupt_after=b"% ")
        self.assertEqual(code, 130)
        lines, _ = self.screen(written)
        text = "\n".join(lines)
        self.assertIn("go on with --restart", text)
        self.assertRegex(text, r"\n  look  end +interrupted")
        self.assertEqual(self.summary("run")["verdicts"]["end"]["verdict"], "look")

    def test_styles_by_choice(self):
        _, err = self.scree("run", PILE, "-o", "json", "--progress", "json", *CALM)
        objects = [json.loads(line) for line in err.splitlines()]
        self.assertEqual({one["event"] for one in objects}, {"progress", "warning", "end"})
        self.assertEqual(objects[-1], {"event": "end", "reason": "done", "message": "", "exit_code": 0})
        steps = [one["step"] for one in objects if one["event"] == "progress"]
        self.assertEqual(steps, sorted(steps))
        self.assertEqual(steps[-1], 1000)
        self.assertIn("passed method.overlap_warning", next(one["text"] for one in objects if one["event"] == "warning"))
        _, err = self.scree("run", PILE, "-o", "none", "--progress", "none", *CALM)
        self.assertNotIn("%", err.replace("warning:", ""))
        _, err = self.scree("run", PILE, "-o", "line", "--progress", "line", *CALM)
        self.assertIn("\x1b[K", err)
        _, err = self.scree("run", PILE, "-o", "lines", "--progress", "lines", *CALM)
        self.assertNotIn("\r", err)
        self.scree("run", PILE, "-o", "x", "--progress", "loud", code=2)

    def test_a_failure_as_json(self):
        _, err = self.scree("run", PILE, "-o", "run", "--progress", "json", "--set", "method.overlap_limit=0.051", code=1)
        objects = [json.loads(line) for line in err.splitlines()]
        self.assertEqual((objects[-1]["reason"], objects[-1]["exit_code"]), ("overlap", 1))
        self.assertIn("body", objects[-1]["message"])

    def test_warnings_come_once_and_are_counted(self):
        out, err = self.scree("run", PILE, "-o", "run")
        self.assertEqual(err.count("passed method.overlap_warning"), 1)
        repeated = self.summary("run")["warnings_repeated"]
        self.assertEqual(len(repeated), 1)
        (text, times), = repeated.items()
        self.assertIn(text, err)
        self.assertGreater(times, 1)
        self.assertRegex(out, rf"\n  look  warnings  1; at {times} looks: an overlap passed")

    def test_the_table_says_what_the_summary_says(self):
        out, _ = self.scree("run", PILE, "-o", "run")
        summary = self.summary("run")
        verdicts = summary["verdicts"]
        self.assertEqual(list(verdicts), ["step", "overlap", "energy", "lists", "bodies", "time", "speed", "warnings"])
        for name, one in verdicts.items():
            self.assertIn(f"  {one['verdict']:<4}  {name:<9} {one['text']}\n", out)
            self.assertEqual(one["verdict"] == "ok", one["advice"] == "")
        self.assertAlmostEqual(summary["dt"] / summary["stable_step"], float(verdicts["step"]["text"].split()[0]), places=3)
        # The largest overlap, by the measure that the scene has of it at all rows, and its bodies in the frames.
        largest = max(row["max_overlap.ratio"] for row in self.read_series("run") if "max_overlap.ratio" in row) if "max_overlap.ratio" in self.read_series("run")[-1] else 0
        self.assertGreaterEqual(summary["largest_overlap"]["ratio"], 0.999 * summary["max_overlap_ratio"])
        if largest:
            self.assertGreaterEqual(summary["largest_overlap"]["ratio"], 0.5 * largest)
        self.assertRegex(summary["largest_overlap"]["between"], r"^body \d+ and (body \d+|wall \".+\")$")
        # The energy error, from series.csv.
        rows = [row for row in self.read_series("run") if "energy.total" in row]
        kept = [row["energy.total"] - row.get("energy.work_of_walls", 0) - row.get("energy.work_of_fields", 0) for row in rows]
        change = max(abs(value - kept[0]) for value in kept)
        self.assertEqual(summary["energy_error"]["samples"], len(rows))
        self.assertAlmostEqual(summary["energy_error"]["largest_change"], change, delta=1e-6 * abs(change))
        self.assertIn("state.h5 (", out)
        self.assertEqual(summary["bodies_at_start"], 216)
        self.assertAlmostEqual(summary["mass_at_start"], summary["mass"], places=9)

    def test_bodies_that_leave_the_domain_are_looked_at(self):
        out, _ = self.scree("run", PILE, "-o", "run", "--set", "domain.max=[1,1,0.02]", "--set", "domain.leave=\"remove\"", "--set", "domain.min=[-1,-1,-1]", *CALM)
        summary = self.summary("run")
        self.assertGreater(summary["bodies_removed"], 0)
        self.assertEqual(summary["verdicts"]["bodies"]["verdict"], "look")
        self.assertIn(f"{summary['bodies_removed']} left the domain", out)

    def test_a_failed_run_is_bad(self):
        out, err = self.scree("run", PILE, "-o", "run", "--set", "method.overlap_limit=0.051", code=1)
        self.assertIn("error: ", err)
        self.assertRegex(out, r"\n  bad   end +failed: overlap")
        self.assertGreater(self.summary("run")["largest_overlap"]["ratio"], 0.051)
        self.assertIn("fault.h5", out)

    def test_quiet_runs_judge_all_the_same(self):
        self.scree("run", PILE, "-o", "run", "-q", *CALM)
        self.assertIn("step", self.summary("run")["verdicts"])

    def test_the_record_of_speeds(self):
        state = self.folder / "state"
        long_enough = ("--set", "time.end=1e3", "--set", "output.every=1e3")
        with_state = ("env", "-u", "SCREE_NO_RECORD", f"XDG_STATE_HOME={state}")
        # A short run leaves none, and looks at none.
        self.scree("run", PILE, "-o", "short", *CALM, prefix=with_state)
        self.assertFalse(state.exists())

        def interrupted(name, prefix):
            process = self.start("run", PILE, "-o", name, *long_enough, prefix=prefix)
            time.sleep(3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, err)
            return out

        self.assertNotIn("usual", interrupted("first", with_state))
        file = state / "scree" / "speeds.csv"
        lines = file.read_text().splitlines()
        self.assertEqual(lines[0], "date,kind,body_steps_per_second")
        self.assertEqual(len(lines), 2)
        date, kind, speed = lines[1].split(",")
        self.assertRegex(date, r"^\d{4}-\d\d-\d\d$")
        self.assertAlmostEqual(float(speed), self.summary("first")["stepping_speed"], delta=1e-3 * float(speed))
        # A machine that was ten times as fast: this run is a look.
        file.write_text("\n".join([lines[0]] + [f"2026-01-01,{kind},{10 * float(speed)}"] * 3) + "\n")
        self.assertRegex(interrupted("second", with_state), r"\n  look  speed .* of the usual .* \(3 runs of this kind here\)")
        usual = self.summary("second")["usual_speed"]
        self.assertEqual(usual["runs"], 3)
        self.assertEqual(len(file.read_text().splitlines()), 5)
        # Opted out, or where nothing can be written.
        before = file.read_bytes()
        self.assertNotIn("usual", interrupted("third", ("env", "SCREE_NO_RECORD=1", f"XDG_STATE_HOME={state}")))
        self.assertEqual(file.read_bytes(), before)
        self.scree("run", PILE, "-o", "fourth", *CALM, prefix=("env", "-u", "SCREE_NO_RECORD", "XDG_STATE_HOME=/proc/none"))


if __name__ == "__main__":
    unittest.main()
