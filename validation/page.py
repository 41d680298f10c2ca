#!/usr/bin/python3
"""Writes docs/validation.md, and its pictures, from build/validation/results.json, as tools/validate leaves it.

Cases that the last run was without keep the section, the line of the summary and the pictures that the page has of them.

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
PAGE = ROOT / "docs" / "validation.md"
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
tools/validate --page chung_ooi            # these cases, and what the page says of them
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


def summary_cells(case):
    """A case's line of the summary: link, title, checks, passed, worst ratio, which that is, seconds."""
    most = worst(case["rows"])
    title = introduction((ROOT / "validation" / case["name"] / "README.md").read_text())[0]
    passed = sum(row["passed"] for row in case["rows"])
    return [f"[{case['name']}](#{anchor(case['name'], title)})", title, str(len(case["rows"])), str(passed), f"{most['ratio']:.2g}", escaped(most["quantity"]),
            f"{case['seconds']:.1f}"]


def kept_cases():
    """What docs/validation.md has, name of the case -> (line of the summary, section)."""
    if not PAGE.exists():
        return {}
    text = PAGE.read_text()
    lines = {line[3 : line.index("]")]: line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| [")}
    sections = {part[: part.index(":")]: f"## {part}".rstrip() + "\n" for part in text.split("\n## ")[1:] if ":" in part.splitlines()[0]}
    return {name: (line, sections[name]) for name, line in lines.items() if name in sections}


def anchor(name, title):
    """The anchor of a section's heading: lower case, spaces to hyphens, other signs dropped."""
    kept = (sign for sign in f"{name}: {title}".lower() if sign.isalnum() or sign in " -_")
    return "".join(kept).replace(" ", "-")


def minutes(seconds):
    return f"{seconds:.0f} seconds" if seconds < 90 else f"{math.ceil(seconds / 30) / 2:g} minutes"


def write(results):
    """Writes the page from what results.json holds; ends the program where a check failed or something to be shown is missing."""
    failed = [f"{case['name']}: {row['quantity']}" for case in results["cases"] for row in case["rows"] if not row["passed"]]
    if failed:
        sys.exit(f"page: not written, as these failed: {'; '.join(failed)}")
    images = ROOT / "docs" / "images"
    found = kept_cases() | {case["name"]: (summary_cells(case), section(case, images)) for case in results["cases"]}
    names = sorted(path.parent.name for path in (ROOT / "validation").glob("*/check.py"))
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit(f"page: neither the last run of tools/validate nor the page has {', '.join(missing)}; run tools/validate --page {' '.join(missing)}")
    lines = [found[name][0] for name in names]
    head = HEAD.format(minutes=minutes(sum(float(line[6]) for line in lines)), passed=sum(int(line[3]) for line in lines), count=sum(int(line[2]) for line in lines),
                       precision=results["precision"], processor=results["processor"])
    summary = table(["case", "about", "checks", "passed", "worst ratio", "which check that is", "seconds"], lines)
    PAGE.write_text("\n".join([head, summary + LEFT_OUT, *(found[name][1] for name in names)]))


def main():
    write(json.loads((ROOT / "build" / "validation" / "results.json").read_text()))


if __name__ == "__main__":
    main()
