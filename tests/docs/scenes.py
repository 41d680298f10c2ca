"""What the pages show holds: whole scenes run, fragments have keys that there are, fragments of the guide stand in its scenes, commands have options that
there are, and each scene of the guide runs.

A block of TOML with a table [time] is a whole scene; all others are fragments.
"""

import pathlib
import re
import sys
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from program import ProgramTest  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED = {"material": "[material.NAME]", "shape": "[shape.NAME]"}


def blocks(page, word):
    """(first line, text) of each fenced block of that word."""
    text = page.read_text()
    for match in re.finditer(rf"^```{word}\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 2, match.group(1)


def known_keys():
    """Keys of each table, by its heading in the reference."""
    tables, heading = {}, None
    for line in (ROOT / "docs" / "scene_reference.md").read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:].replace("`", "")
            tables[heading] = set()
        elif match := re.match(r"\| `([a-z_0-9]+)` \|", line):
            tables[heading].add(match.group(1))
    return tables


class Pages(ProgramTest):
    def check_table(self, name, table, tables):
        self.assertIn(name, tables)
        for key, value in table.items():
            self.assertIn(key, tables[name], f"in {name}")
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, dict) and f"{key} of {name}" in tables:
                    self.check_table(f"{key} of {name}", part, tables)

    def test_blocks_of_toml(self):
        tables, whole = known_keys(), 0
        (self.folder / "data").symlink_to(ROOT / "examples" / "guide" / "data")
        for page in PAGES:
            if page.name in ("scene_reference.md", "sweeps.md"):
                continue
            for line, text in blocks(page, "toml"):
                with self.subTest(page=str(page.relative_to(ROOT)), line=line):
                    scene = tomllib.loads(text)
                    if "time" in scene:
                        whole += 1
                        (self.folder / "scene.toml").write_text(text)
                        self.scree("run", "scene.toml", "--steps", "5", "-q", "--overwrite", "-o", "run")
                        continue
                    for key, value in scene.items():
                        if not isinstance(value, (dict, list)):
                            self.assertIn(key, tables["Top"])
                        elif key in NAMED:
                            for table in value.values():
                                self.check_table(NAMED[key], table, tables)
                        elif isinstance(value, list):
                            for table in value:
                                self.check_table(f"[[{key}]]", table, tables)
                        else:
                            self.check_table(f"[{key}]", value, tables)
        self.assertGreater(whole, 0)

    def test_blocks_of_sweeps_and_calibrations(self):
        sys.path.insert(0, str(ROOT / "src" / "cli" / "python"))
        try:
            import samples
            from toml_places import read_toml
        except SystemExit:
            self.skipTest("the packages of sweeps are not there")
        for scene in (ROOT / "examples" / "calibrate").iterdir():
            (self.folder / scene.name).symlink_to(scene)
        for line, text in blocks(ROOT / "docs" / "sweeps.md", "toml"):
            with self.subTest(line=line):
                (self.folder / "file.toml").write_text(text)
                keys = tomllib.loads(text)
                if "scene" in keys or "unknown" in keys:
                    self.scree("sweep" if "scene" in keys else "calibrate", "file.toml", "--dry-run")
                else:
                    samples.read_parameters(read_toml(self.folder / "file.toml").tables("parameter"))

    def test_fragments_of_the_guide_stand_in_its_scenes(self):
        without_mark = lambda line: re.sub(r" *#.*$", "", line)
        for page in sorted((ROOT / "docs" / "guide").glob("*.md")):
            named = re.findall(r"\]\(\.\./\.\./(examples/[^)]+\.toml)\)", page.read_text())
            if len(set(named)) != 1:
                continue
            scene = [without_mark(line) for line in (ROOT / named[0]).read_text().splitlines()]
            for line, text in blocks(page, "toml"):
                with self.subTest(page=page.name, line=line):
                    for wanted in map(without_mark, text.splitlines()):
                        self.assertIn(wanted, scene, named[0])

    def test_scenes_of_the_guide_run(self):
        scenes = sorted((ROOT / "examples" / "guide").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 12)
        for scene in scenes:
            with self.subTest(scene=scene.name):
                self.scree("run", scene, "--steps", "10", "-q", "-o", scene.stem)
                self.assertEqual(self.summary(scene.stem)["steps"], 10)

    def test_every_tutorial_has_scene_pictures_and_check(self):
        check = (ROOT / "examples" / "guide" / "check.py").read_text()
        for scene in sorted((ROOT / "examples" / "guide").glob("*.toml")):
            if scene.stem == "blank":
                continue
            with self.subTest(scene=scene.stem):
                page = (ROOT / "docs" / "guide" / f"{scene.stem}.md").read_text()
                self.assertIn(f"(../../examples/guide/{scene.name})", page)
                self.assertIn("## What to check", page)
                self.assertIn(f"(../images/guide_{scene.stem}.png)", page)
                self.assertIn(f"check.py {scene.stem} ", page)
                self.assertIn(f"def {scene.stem}(run)", check)

    def test_words_for_other_programs_users_are_there(self):
        """Each word of the right columns of the tables of words: names are keys, kinds or columns that a reference page has, options those of a command."""
        pages = ["scene_reference.md", "output.md", "laws.md", "rendering.md"]
        known = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", " ".join((ROOT / "docs" / page).read_text() for page in pages)))
        helps = "".join(self.scree(name, "--help")[0] for name in ("run", "render", "plot", "export", "report"))
        known |= set(re.findall(r"[A-Za-z_]+", helps)) | {"scree", "new", "mm", "tools", "new_law", "RUN", "SCENE", "vtk", "csv", "lammps"}
        count = 0
        for page in sorted((ROOT / "docs" / "guide").glob("from_*.md")):
            for row in page.read_text().splitlines():
                if not row.startswith("| ") or row.startswith("| in "):
                    continue
                for code in re.findall(r"`([^`]+)`", row.split(" | ", 1)[1]):
                    for word in re.findall(r"[A-Za-z_][A-Za-z_0-9]*", code):
                        count += 1
                        self.assertTrue(word in known, f"{page.name}: {word} is on no reference page: {row}")
        self.assertGreater(count, 200)

    def test_commands_have_options_that_there_are(self):
        helps, seen = {}, 0
        for page in PAGES:
            for line, text in blocks(page, "(?:console|sh)?"):
                for command in re.findall(r"^(?:build/bin/)?scree ([a-z]+)(.*)$", text, re.M):
                    name, rest = command[0], re.split(r" {2,}| [|>] ", command[1])[0]
                    if name not in helps:
                        helps[name] = self.scree(name, "--help")[0]
                    for option in re.findall(r"(?<= )--?[a-z][a-z-]*", re.sub(r'"[^"]*"', '""', rest)):
                        seen += 1
                        self.assertRegex(helps[name], rf"(?<![a-z-]){option}(?![a-z-])", f"{page.name}:{line}: scree {name}{rest}")
        self.assertGreater(seen, 20)


if __name__ == "__main__":
    unittest.main()
