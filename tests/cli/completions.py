"""Completion scripts and the manual page: bash's is run, those of zsh and fish are read by their shells where these are there, and each
option and subcommand that --help shows is in all of them."""

import re
import shutil
import subprocess
import unittest

from program import PROGRAM, ProgramTest

HARNESS = """
source {script}
COMP_WORDS=({words})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
compopt() {{ :; }}
_scree
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


class Completions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.script = self.folder / "scree.bash"
        self.script.write_text(self.scree("completions", "bash")[0])

    def complete(self, *words):
        """What bash offers for the last of the words."""
        quoted = " ".join("'" + word + "'" for word in words)
        done = subprocess.run(["bash", "--norc", "-c", HARNESS.format(script=self.script, words=quoted)], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return sorted(line for line in done.stdout.splitlines() if line)

    def helps(self):
        """Of each subcommand, and "" for the program: the options in its --help."""
        commands = re.findall(r"^  ([a-z]+) ", self.scree("--help")[0].split("Subcommands:")[1], re.MULTILINE)
        found = {"": set(re.findall(r"--[a-z][a-z-]*|(?<![\w-])-[a-z]\b", self.scree("--help")[0].split("Subcommands:")[0].split("Options:")[1]))}
        for command in commands:
            text = self.scree(command, "--help")[0]
            options = set()
            for line in text.splitlines():
                if line.startswith("  -"):
                    options |= set(re.findall(r"--[a-z][a-z-]*|(?<![\w-])-[a-z]\b", line.split("  ")[1].split(" ")[0]))
            found[command] = options
        return found

    def test_every_subcommand_and_option_is_offered(self):
        helps = self.helps()
        self.assertGreater(len(helps), 10)
        self.assertEqual(set(self.complete("scree", "")) - {"-h", "--help", "--version"}, set(helps) - {""})
        for command, options in helps.items():
            if command:
                with self.subTest(command=command):
                    self.assertTrue(options <= set(self.complete("scree", command, "-")), options - set(self.complete("scree", command, "-")))
        self.assertNotIn("--shuffle", self.complete("scree", "run", "--s"))

    def test_words_of_options(self):
        self.assertEqual(self.complete("scree", "r"), ["reference", "render", "report", "run"])
        self.assertEqual(self.complete("scree", "run", "--precision", ""), ["double", "mixed"])
        self.assertEqual(self.complete("scree", "run", "--device", "c"), ["cpu", "cuda"])
        self.assertEqual(self.complete("scree", "run", "--progress", "=", "j"), ["json"])
        self.assertEqual(self.complete("scree", "run", "--progress", "="), ["auto", "json", "line", "lines", "none"])
        self.assertEqual(self.complete("scree", "export", "run", "--to", "v"), ["vtk", "vtkhdf"])
        self.assertEqual(self.complete("scree", "export", "run", "--to", "g"), ["gltf", "gsd"])
        kinds = re.findall(r"^([a-z_]+) +", self.scree("new", "--list")[0].split("\nmaterials")[0], re.MULTILINE)
        self.assertGreater(len(kinds), 10)
        self.assertEqual(self.complete("scree", "new", ""), sorted(kinds))
        self.assertEqual(self.complete("scree", "new", "silo", "--material", "s"), ["sand", "steel"])
        self.assertEqual(self.complete("scree", "new", "silo", "--method", ""), ["cone", "penalty"])
        self.assertIn("velocity_x", self.complete("scree", "render", "run", "--colour", "velocity"))
        self.assertIn("coordination", self.complete("scree", "render", "run", "--color", "coo"))
        self.assertEqual(self.complete("scree", "completions", ""), ["bash", "fish", "zsh"])
        self.assertEqual(self.complete("scree", "run", "--steps", ""), [])

    def test_files(self):
        (self.folder / "a scene.toml").touch()
        (self.folder / "notes.txt").touch()
        (self.folder / "state.h5").touch()
        (self.folder / "runs" / "one").mkdir(parents=True)
        (self.folder / "runs" / "one" / "series.csv").write_text("step,time,energy.total,energy.potential\n")
        self.assertEqual(self.complete("scree", "run", ""), ["a scene.toml", "runs"])
        self.assertEqual(self.complete("scree", "run", "a scene.toml", "-o", ""), ["runs"])
        self.assertEqual(self.complete("scree", "render", ""), ["runs", "state.h5"])
        self.assertEqual(self.complete("scree", "render", "runs/"), ["runs/one"])
        self.assertEqual(self.complete("scree", "run", "x.toml", "--restart", "n"), ["notes.txt"])
        self.assertEqual(self.complete("scree", "plot", "runs/one", "--series", "energy.p"), ["energy.potential"])

    def test_registered_for_the_program(self):
        done = subprocess.run(["bash", "--norc", "-c", f"source {self.script}; complete -p scree"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "complete -F _scree scree")

    def test_zsh_and_fish(self):
        helps = self.helps()
        for shell, check in (("zsh", ("zsh", "-n")), ("fish", ("fish", "--no-execute"))):
            with self.subTest(shell=shell):
                file = self.folder / f"scree.{shell}"
                file.write_text(self.scree("completions", shell)[0])
                for command, options in helps.items():
                    self.assertIn(command, file.read_text())
                    for option in options:
                        self.assertIn(option if shell == "zsh" else f" -l {option[2:]} " if option.startswith("--") else f" -s {option[1:]} ", file.read_text())
                if shutil.which(shell):
                    done = subprocess.run([*check, str(file)], capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("fish"):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {self.folder / 'scree.fish'}; complete -C 'scree run --prec'; complete -C 'scree r'"],
                                  capture_output=True, text=True, check=True)
            self.assertIn("--precision", done.stdout)
            self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()[1:]], ["reference", "render", "report", "run"])
        self.scree("completions", "tcsh", code=2)

    def test_the_manual_page(self):
        page = self.scree("man")[0]
        self.assertRegex(page, r'\.TH SCREE 1 "" "scree \d+\.\d+\.\d+"')
        sections = re.findall(r"^\.SH (.*)$", page, re.MULTILINE)
        self.assertEqual(sections, ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"])
        for command, options in self.helps().items():
            if command:
                part = re.search(rf"^\.SS scree {command}$(.*?)(?=^\.S[SH] )", page, re.MULTILINE | re.DOTALL).group(1)
                for option in options:
                    self.assertIn(option.replace("-", "\\-"), part, command)
        if shutil.which("groff") is None:
            self.skipTest("no groff: the page was only read")
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8"], input=page, capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        shown = re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)  # bold and underlined, by either way of saying so
        self.assertIn("scree run [options] SCENE", " ".join(shown.split()))
        self.assertIn("NO_COLOR", shown)


if __name__ == "__main__":
    unittest.main()
