"""`scree report`: the facts of runs as one HTML page, or as JSON.

Called by the program (src/cli/plot_command.cpp), with its options as one JSON document.
"""
from scree_run import read_runs, run_script, warn_of_damage, write_whole

import json  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402

import distributions  # noqa: E402
import report_facts  # noqa: E402
import report_page  # noqa: E402

PICTURE_SECONDS = 300  # of all pictures of a run together
PICTURE_SIZE = "1120x700"  # twice what a page has room for: sharp on screens with small pixels


def has_render(program):
    """Whether this build of the program draws pictures."""
    try:
        return subprocess.run([program, "render", "--help"], capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def pictures_of(program, run, folder, at_most):
    """Up to `at_most` pictures of a run, at its first and last frame and the one between, by one camera and with one colour bar: (file, words). Where
    they cannot be drawn, none."""
    times = run.frame_times()
    if not times:
        return []
    last = len(times) - 1
    wanted = list(dict.fromkeys({1: [last], 2: [0, last]}.get(at_most, [0, last // 2, last])))
    folder = Path(folder) / str(len(os.listdir(folder)))
    folder.mkdir()
    try:
        subprocess.run([program, "render", str(run.folder), "-o", str(folder), "--frames", ",".join(map(str, wanted)), "--size", PICTURE_SIZE], capture_output=True,
                       timeout=PICTURE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    files = sorted(folder.glob("*.png"))
    return [(file, f"{run.name} at t = {times[frame]:.4g} s") for file, frame in zip(files, wanted)] if len(files) == len(wanted) else []


def main(options):
    runs = read_runs(options["runs"])
    warn_of_damage(runs)
    facts = report_facts.all_facts(runs)
    if options["json"]:
        print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
        return
    columns = {run.name: {**run.columns(), **distributions.of_frame(run)} for run in runs}
    with tempfile.TemporaryDirectory(prefix="scree-report-") as folder:
        pictures = {}
        if has_render(options["program"]):
            each = max(1, 3 // len(runs))
            pictures = {run.name: pictures_of(options["program"], run, folder, each) for run in runs[:3]}
        text = report_page.page(facts, runs, columns, pictures)
    write_whole(options["output"], text)
    print(f"report of {len(runs)} run{'s' * (len(runs) > 1)}: {options['output']}")


if __name__ == "__main__":
    run_script(main)
