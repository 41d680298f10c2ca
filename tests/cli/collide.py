"""scree collide: what it prints and writes, and what it says of files that are wrong."""

import json
import random
import time
import unittest

from program import PILE, ProgramTest


class Collide(ProgramTest):
    def spheres(self, name="spheres.csv", n=400, radius=0.06):
        rows = random.Random(1)
        table = [[rows.random(), rows.random(), rows.random(), radius * (0.2 + rows.random())] for _ in range(n)]
        with open(self.folder / name, "w", encoding="utf-8") as file:
            file.write("x,y,z,r\n")
            for row in table:
                file.write(",".join(map(repr, row)) + "\n")
        return table

    @staticmethod
    def touching(table):
        """Pairs by the definition, and the distances of their surfaces."""
        found = []
        for i, a in enumerate(table):
            for j in range(i + 1, len(table)):
                b = table[j]
                square = sum((p - q) ** 2 for p, q in zip(a[:3], b[:3]))
                if square <= (a[3] + b[3]) ** 2:
                    found.append((i, j, square ** 0.5 - a[3] - b[3]))
        return found

    def test_contacts_are_those_of_the_definition_for_every_method(self):
        expected = self.touching(self.spheres())
        self.assertGreater(len(expected), 200)
        texts = set()
        for method in ("auto", "brute", "grid", "levels", "bins"):
            for threads in (1, 2):
                out, _ = self.scree("collide", "spheres.csv", "--method", method, "--threads", threads, "-o", "out.csv")
                report = json.loads(out)
                self.assertEqual(report["bodies"], 400)
                self.assertEqual(report["contacts"], len(expected))
                self.assertGreaterEqual(report["pairs_tested"], len(expected))
                self.assertGreater(report["bytes"], 0)
                self.assertIn("search" if method != "bins" else "4 sort", report["stages"])
                if method != "auto":
                    self.assertEqual(report["method"], method)
                texts.add((self.folder / "out.csv").read_text())
        self.assertEqual(len(texts), 1)  # the same bytes by any method, on any number of threads
        lines = texts.pop().splitlines()
        self.assertEqual(lines[0], "a,b,ax,ay,az,bx,by,bz,nx,ny,nz,distance")
        for line, (a, b, distance) in zip(lines[1:], expected, strict=True):
            fields = line.split(",")
            self.assertEqual((int(fields[0]), int(fields[1])), (a, b))
            self.assertAlmostEqual(float(fields[11]), distance, delta=1e-15)  # rounding of sums of numbers below 1

    def test_boxes_within_a_memory_limit_change_nothing(self):
        self.spheres(n=40000, radius=0.01)
        whole = json.loads(self.scree("collide", "spheres.csv", "-o", "whole.csv")[0])
        boxes = json.loads(self.scree("collide", "spheres.csv", "-o", "boxes.csv", "--memory", "27MB")[0])
        self.scree("collide", "spheres.csv", "-o", "vast.csv", "--memory", "900TB")
        self.assertEqual((self.folder / "vast.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual(whole["boxes"], 1)
        self.assertGreater(boxes["boxes"], 1)
        self.assertGreater(boxes["bodies_in_boxes"], 40000)
        self.assertEqual((self.folder / "boxes.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["boxes.csv", "spheres.csv", "vast.csv", "whole.csv"])

    def test_boxes_dealt_out_to_several_devices_change_nothing(self):
        self.spheres(n=5000, radius=0.02)
        whole = json.loads(self.scree("collide", "spheres.csv", "-o", "whole.csv", "--device", "cpu")[0])
        dealt = json.loads(self.scree("collide", "spheres.csv", "-o", "dealt.csv", "--device", "cpu,cpu")[0])
        self.assertEqual((whole["boxes"], whole["contacts"]), (1, dealt["contacts"]))
        self.assertGreaterEqual(dealt["boxes"], 8)  # four to each
        self.assertEqual((self.folder / "dealt.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        for devices, said in (("cuda:1,cuda:1", "twice"), ("cpu,auto", "name each"), ("cpu,", "is no device"), ("cuda:99", "cuda:99 cannot be used")):
            _, error = self.scree("collide", "spheres.csv", "-o", "dealt.csv", "--device", devices, code=2)
            self.assertIn(said, error)

    def test_a_checkpoint(self):
        self.scree("run", PILE, "-o", "run", "--steps", 1500)
        report = json.loads(self.scree("collide", "run/checkpoint.h5", "-o", "contacts.csv")[0])
        self.assertEqual(report["bodies"], self.summary("run")["bodies"])
        self.assertEqual(len((self.folder / "contacts.csv").read_text().splitlines()), report["contacts"] + 1)
        self.assertGreater(report["contacts"], 20)
        self.scree("collide", "run/checkpoint.h5", "-o", "limited.csv", "--memory", "1GB")
        self.assertEqual((self.folder / "limited.csv").read_bytes(), (self.folder / "contacts.csv").read_bytes())
        self.scree("collide", "run/checkpoint.h5", "-o", "first.h5")
        time.sleep(1.1)  # HDF5 could keep the time of writing, in seconds
        self.scree("collide", "run/checkpoint.h5", "-o", "second.h5", "--threads", 1)
        self.assertEqual((self.folder / "first.h5").read_bytes(), (self.folder / "second.h5").read_bytes())

    def test_empty_input(self):
        (self.folder / "none.csv").write_text("x,y,z,r\n")
        report = json.loads(self.scree("collide", "none.csv", "-o", "out.csv")[0])
        self.assertEqual((report["bodies"], report["contacts"]), (0, 0))
        self.assertEqual((self.folder / "out.csv").read_text().count("\n"), 1)

    def test_wrong_input_ends_with_2_and_overwrites_nothing(self):
        self.spheres("good.csv")
        (self.folder / "bad.csv").write_text("x,y,z,r\n1,2,3,4\n1,2,three,4\n")
        (self.folder / "out.csv").write_text("mine")
        (self.folder / "link.csv").symlink_to("good.csv")
        (self.folder / "waiting.csv.tmp").write_text("x,y,z,r\n1,2,3,4\n")
        before = (self.folder / "good.csv").read_text()
        for arguments, part in ((["bad.csv", "-o", "out.csv"], "bad.csv:3:5"), (["missing.csv", "-o", "out.csv"], "missing.csv"),
                                (["good.csv", "-o", "out.txt"], ".csv"), (["good.csv", "-o", "none/out.csv"], "no folder"),
                                (["good.csv", "-o", "out.csv", "--memory", "much"], "--memory"),
                                (["good.csv", "-o", "out.csv", "--memory", "1MB"], "at least"),
                                (["good.csv", "-o", "out.csv", "--memory", "1e-5"], "--memory"), (["good.csv", "-o", ""], "empty"),
                                (["good.csv", "-o", "good.csv"], "would overwrite"), (["good.csv", "-o", "link.csv"], "would overwrite"),
                                (["waiting.csv.tmp", "-o", "waiting.csv"], "would overwrite"), (["/dev/null"], "not a file on a disk"),
                                (["good.csv", "-o", "/proc/out.csv"], "cannot be written"), (["good.csv", "--threads", "0"], "--threads"),
                                (["good.csv", "--method", "magic"], "--method"), ([], "FILE"),
                                ([PILE], "there is no column x")):
            with self.subTest(arguments=arguments):
                _, err = self.scree("collide", *arguments, code=2)
                self.assertIn(part, err)
        self.assertEqual((self.folder / "out.csv").read_text(), "mine")
        self.assertEqual((self.folder / "good.csv").read_text(), before)
        self.assertEqual((self.folder / "waiting.csv.tmp").read_text(), "x,y,z,r\n1,2,3,4\n")


if __name__ == "__main__":
    unittest.main()
