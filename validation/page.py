#!/usr/bin/python3
"""Writes docs/validation.md, and its pictures, from build/validation/results.json, as tools/validate leaves it after a run of all cases.

A case's section has the beginning of its README.md, up to the table of tolerances (notes that begin in bold are left there), a summary,
the tables of its check.py, the rows that its SHOWN names, and its pictures with a caption.
"""
import fnmatch
import json
import math
import shutil
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Validation

Scree is compared with closed forms, published data and independent methods, case by case. A case is a folder of `validation/`: its scenes, its
reference with source, a `check.py` that compares, and a README with each tolerance and its reason. The equations are in [theory.md](theory.md).

## Running it

```
make validate                              # builds, then runs every case
tools/validate                             # every case, with build/bin/scree (or the program that the variable SCREE names)
tools/validate chung_ooi energy            # some cases
tools/validate --list                      # what there is
tools/validate --precision mixed           # single-precision contacts; wider tolerances where the READMEs say so
tools/validate --device cuda               # on the GPU
tools/validate --page                      # every case, and writes this page anew with what was found
```

One table is printed, and kept with runs and pictures under `build/validation/` (`results.csv`, `.json`, `.md`). The exit status is 1 if anything is
out of tolerance. All cases take about {minutes} on one core.

## Summary

**{passed} of {count} checks passed**, {precision} precision, one thread of an {processor}. The ratio is the largest of a case's errors over their
tolerances: 1 would just pass. Checks of a range in which any value is as good as another (that bodies did collide, say) count as checks but not for
the ratio. Seconds are of processor time, with the comparison itself.
"""
LEFT_OUT = """
Not validated yet: collective flows against other codes or experiments other than discharge (drums); so far the two contact methods are only
compared with each other there (`penalty_and_cone`).
"""


def escaped(text):
    return str(text).replace("|", "¦").replace("*", "\\*")


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def paragraph(text):
    return "\n".join(textwrap.wrap(text, 150)) + "\n"


def worst(rows):
    """The row with the largest error over tolerance among those that are not ranges, or among all where all are."""
    return max([row for row in rows if not row["ranged"]] or rows, key=lambda row: row["ratio"])


def short(value):
    return "–" if value is None else f"{value:.6g}"


def error_text(row):
    """An error with its unit or what it is a share of."""
    if row["error"] is None:
        return "–"
    note = row["measure"].removeprefix("absolute").removeprefix("relative").strip(" []")
    return f"{row['error']:.1e} {note}".strip()


def row_cells(row):
    """check, expected, found, error, tolerance; a largest error has no expected value, and a range no error."""
    if row["ranged"]:
        low, high = row["reference"] - row["tolerance"], row["reference"] + row["tolerance"]
        return [escaped(row["quantity"]), f"{low:.3g} to {high:.3g}", short(row["found"]), "", ""]
    bare = row["reference"] == 0 and row["found"] == row["error"]
    values = ["", ""] if bare else [short(row["reference"]), short(row["found"])]
    return [escaped(row["quantity"]), *values, escaped(error_text(row)), f"{row['tolerance']:.1e}"]


def introduction(readme):
    """(title, text) of a README up to its table of tolerances, without headings and notes in bold."""
    blocks = readme.strip().split("\n\n")
    title, kept = blocks[0].removeprefix("# "), []
    for block in blocks[1:]:
        if not block.startswith(("#", "**")):
            kept.append(block)
        if block.startswith("| quantity | tolerance |"):
            return title, "\n\n".join(kept) + "\n"
    sys.exit(f"page: the README of '{title}' has no table of tolerances")


def shown_rows(case):
    """The rows that a case's patterns name, in their order; every pattern must name one."""
    if case["shown"] is None:
        return case["rows"]
    for pattern in case["shown"]:
        if not any(fnmatch.fnmatchcase(row["quantity"], pattern) for row in case["rows"]):
            sys.exit(f"page: {case['name']}: no quantity is like '{pattern}' of SHOWN")
    return [row for row in case["rows"] if any(fnmatch.fnmatchcase(row["quantity"], pattern) for pattern in case["shown"])]


def summary_line(case):
    rows, most = case["rows"], worst(case["rows"])
    passed = sum(row["passed"] for row in rows)
    return paragraph(f"**{passed} of {len(rows)} checks passed.** Worst ratio of error to tolerance: {most['ratio']:.2g} ({escaped(most['quantity'])}).")


def section(case, images):
    """A case's section; copies its pictures to `images`."""
    name = case["name"]
    title, text = introduction((ROOT / "validation" / name / "README.md").read_text())
    parts = [f"## {name}: {title}\n", text, summary_line(case)]
    for caption, head, lines in case["tables"]:
        parts += [paragraph(caption), table(head, lines)]
    rows = shown_rows(case)
    if rows:
        parts.append(table(["check", "expected", "found", "error", "tolerance"], [row_cells(row) for row in rows]))
    for picture, caption in case["pictures"]:
        target = f"validation_{name}_{picture}.png"
        shutil.copy(ROOT / "build" / "validation" / name / f"{picture}.png", images / target)
        parts.append(f"![{caption}](images/{target})\n\n*{caption}*\n")
    parts.append(f"Scenes, code and notes: [validation/{name}](../validation/{name}/README.md).\n")
    return "\n".join(parts)


def summary_table(cases):
    lines = []
    for case in cases:
        most = worst(case["rows"])
        title = introduction((ROOT / "validation" / case["name"] / "README.md").read_text())[0]
        passed = sum(row["passed"] for row in case["rows"])
        lines.append([f"[{case['name']}](#{anchor(case['name'], title)})", title, str(len(case["rows"])), str(passed), f"{most['ratio']:.2g}",
                      escaped(most["quantity"]), f"{case['seconds']:.1f}"])
    return table(["case", "about", "checks", "passed", "worst ratio", "which check that is", "seconds"], lines)


def anchor(name, title):
    """The anchor of a section's heading: lower case, spaces to hyphens, other signs dropped."""
    kept = (sign for sign in f"{name}: {title}".lower() if sign.isalnum() or sign in " -_")
    return "".join(kept).replace(" ", "-")


def minutes(seconds):
    return f"{seconds:.0f} seconds" if seconds < 90 else f"{math.ceil(seconds / 30) / 2:g} minutes"


def write(results):
    """Writes the page from what results.json holds; ends the program where a check failed or something to be shown is missing."""
    cases = results["cases"]
    failed = [f"{case['name']}: {row['quantity']}" for case in cases for row in case["rows"] if not row["passed"]]
    if failed:
        sys.exit(f"page: not written, as these failed: {'; '.join(failed)}")
    images = ROOT / "docs" / "images"
    sections = [section(case, images) for case in cases]
    rows = [row for case in cases for row in case["rows"]]
    head = HEAD.format(minutes=minutes(sum(case["seconds"] for case in cases)), passed=sum(row["passed"] for row in rows), count=len(rows),
                       precision=results["precision"], processor=results["processor"])
    (ROOT / "docs" / "validation.md").write_text("\n".join([head, summary_table(cases) + LEFT_OUT, *sections]))


def main():
    results = json.loads((ROOT / "build" / "validation" / "results.json").read_text())
    present = {case["name"] for case in results["cases"]}
    missing = sorted(path.parent.name for path in (ROOT / "validation").glob("*/check.py") if path.parent.name not in present)
    if missing:
        sys.exit(f"page: the last run of tools/validate was without {', '.join(missing)}; run tools/validate --page")
    write(results)


if __name__ == "__main__":
    main()
