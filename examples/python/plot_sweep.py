#!/usr/bin/python3
"""Draws a result of a sweep over one of its parameters, a line for each value of another; means and deviations where points were repeated.

    scree sweep examples/calibrate/hit_sweep.toml -o runs/hit_sweep
    examples/python/plot_sweep.py runs/hit_sweep mu slowed --by e -o slowed.svg

Needs pandas and Matplotlib (Debian: python3-pandas python3-matplotlib).
"""
import argparse
from pathlib import Path

import matplotlib
import pandas as pd

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, help="folder of the sweep")
    parser.add_argument("x", help="parameter along the horizontal axis")
    parser.add_argument("y", help="result along the vertical axis")
    parser.add_argument("--by", help="parameter with a line for each of its values")
    parser.add_argument("-o", "--output", type=Path, default=Path("sweep.svg"))
    options = parser.parse_args()
    table = pd.read_csv(options.sweep / "results.csv")
    for name in filter(None, (options.x, options.y, options.by)):
        if name not in table:
            parser.error(f"{options.sweep / 'results.csv'} has no column {name}; it has {', '.join(table)}")
    table = table[table["status"] == "done"]
    figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
    for value, part in table.groupby(options.by) if options.by else [("", table)]:
        points = part.groupby(options.x)[options.y].agg(["mean", "std"])
        axes.errorbar(points.index, points["mean"], yerr=points["std"].fillna(0), marker="o", capsize=3, label=f"{options.by} = {value:g}" if options.by else None)
    axes.set(xlabel=options.x, ylabel=options.y)
    if options.by:
        axes.legend()
    figure.savefig(options.output)
    print(f"{len(table)} runs: {options.output}")


if __name__ == "__main__":
    main()
