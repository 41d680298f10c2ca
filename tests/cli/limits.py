"""What the program does where the system or its user takes something away, or gives too much of it: it says so and ends, in time."""

import time
import unittest

from program import PILE, ProgramTest


class Limits(ProgramTest):
    def test_a_file_size_limit_before_the_first_step_is_a_message(self):
        _, err = self.scree("run", PILE, "-o", "run", "-q", code=2, file_limit=0)
        self.assertRegex(err, r"\Aerror: .*(File too large|cannot)")

    def test_a_removed_series_ends_the_run_with_a_checkpoint(self):
        process = self.start("run", PILE, "-o", "run", "-q", "--set", "time.end=1000", "--set", "output.every=1000")
        series = self.folder / "run" / "series.csv"
        end = time.monotonic() + 60
        while time.monotonic() < end and not (series.exists() and series.stat().st_size > 500):
            time.sleep(0.02)
        series.unlink()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("series.csv: it was removed or replaced while the run went on", err)
        self.assertIn("its state is in run/checkpoint.h5", err)
        self.assertEqual(self.summary("run")["exit_code"], 1)
        self.assertIn("run/checkpoint.h5", self.scree("info", "run/checkpoint.h5")[0])

    def test_messages_have_a_length_that_is_read(self):
        (self.folder / "long.toml").write_text("x" * 3_000_000 + " = 1\n[time]\nend = 1\n")
        _, err = self.scree("check", "long.toml", code=2)
        self.assertLess(len(err), 2200)
        self.assertIn("bytes left out", err)
        self.assertTrue(err.startswith("error: long.toml:1:1: "))

    def test_what_is_no_file_is_refused_at_once(self):
        for path in ("/dev/zero", "/dev/stdin", "/"):
            with self.subTest(path=path):
                begin = time.monotonic()
                self.scree("check", path, code=2)
                self.assertLess(time.monotonic() - begin, 10)  # reading it would not end


if __name__ == "__main__":
    unittest.main()
