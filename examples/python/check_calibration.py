#!/usr/bin/python3
"""Runs the scenes that a calibration came to with seeds that it has not seen, and compares each target with what was measured.

    scree calibrate examples/calibrate/heap_calibration.toml -o runs/calibration
    examples/python/check_calibration.py runs/calibration --seeds bodies.0.seed --repeats 5

It writes a sweep for each test, of the scene with the best values, and lets `scree sweep` run it. Python's own library is enough.
"""
import argparse
import csv
import json
import subprocess
import tomllib
from pathlib import Path
from statistics import fmean, stdev


def value(item):
    return json.dumps(item, ensure_ascii=False)  # numbers, texts and lists are the same in JSON and TOML


def name_of(target):
    return target.get("name") or target.get("kind") or " ".join([target["column"], target.get("take", "")]).strip()


def sweep_of(calibration, folder, test, seeds, repeats):
    """The text of a sweep of the test's best scene, with its targets as results."""
    targets = [one for one in calibration["target"] if one.get("test", test) == test]
    text = f"scene = {value(str((folder / f'best_{test}' / 'scene.toml').resolve()))}\nrepeats = {repeats}\nseeds = {value(seeds)}\nfirst_seed = 101\n"
    text += "[[parameter]]\nname = \"title\"\nkey = \"title\"\nvalues = [\"check\"]\n"
    for one in targets:
        keys = {"name": name_of(one), **{key: item for key, item in one.items() if key not in ("test", "value", "tolerance", "unit")}}
        text += "[[result]]\n" + "".join(f"{key} = {value(item)}\n" for key, item in keys.items())
    return targets, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("calibration", type=Path, help="folder of the calibration")
    parser.add_argument("--seeds", nargs="+", required=True, help="keys that get the seeds; tests whose scene has none of them are run once")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scree", default="scree", help="the program")
    options = parser.parse_args()
    calibration = tomllib.loads((options.calibration / "calibration.toml").read_text())
    tests = [one.get("name", Path(one["scene"]).stem) for one in calibration["test"]]
    for test in tests:
        scene = tomllib.loads((options.calibration / f"best_{test}" / "scene.toml").read_text())
        seeds = [key for key in options.seeds if key.split(".")[0] in scene]
        targets, text = sweep_of(calibration, options.calibration, test, seeds, options.repeats if seeds else 1)
        file = options.calibration / f"check_{test}.toml"
        file.write_text(text)
        out = options.calibration / f"check_{test}"
        subprocess.run([options.scree, "sweep", str(file), "-o", str(out)], check=True)
        rows = [row for row in csv.DictReader((out / "results.csv").open()) if row["status"] == "done"]
        for one in targets:
            name = name_of(one)
            found = [float(row[name]) for row in rows if row[name]]
            mean, scatter = fmean(found), stdev(found) if len(found) > 1 else 0.0
            print(f"{test}: {name} {mean:.5g} (± {scatter:.2g} a run), measured {one['value']:g} ± {one['tolerance']:g}: {(mean - one['value']) / one['tolerance']:+.1f} tolerances")


if __name__ == "__main__":
    main()
