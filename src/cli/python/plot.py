"""`scree plot`: draws series, distributions and profiles of runs into one figure, or lists what there is.

Called by the program (src/cli/plot_command.cpp), with its options as one JSON document.
"""
from pathlib import Path

from scree_run import Problem, choose, read_runs, read_table, run_script, warn_of_damage

import difflib  # noqa: E402

import numpy as np  # noqa: E402

import distributions  # noqa: E402
import panels  # noqa: E402
import units  # noqa: E402

MOST_PANELS = 36
PANELS_BY_DEFAULT = 8


def all_columns(run, time):
    return {**run.columns(), **distributions.of_frame(run, time)}


def list_columns(runs, columns):
    for run in runs:
        found = columns[run.name]
        print(f"{run.folder}: {len(found)} columns" + ("" if found else "; its scene has no [[measure]], and there are no frames"))
        width = max(map(len, found), default=0)
        for name, column in found.items():
            values = column.y[np.isfinite(column.y)]
            span = f"{values.min():.6g} to {values.max():.6g}" if len(values) else "no values"
            print(f"  {name:<{width}}  {'[' + (column.unit or '-') + ']':<10}  {len(values)} values, {span}")


def names_by_default(runs, columns):
    """Energies that are not 0 all the time; else the first panels of what there is; else sizes and speeds."""
    names = list(dict.fromkeys(name for run in runs for name in columns[run.name]))
    series = [name for name in names if not name.startswith(("distribution.", "profile."))]

    def moves(name):
        return any(name in columns[run.name] and np.any(np.nan_to_num(columns[run.name][name].y) != 0) for run in runs)

    kinds = {name: entry["kind"] for run in runs for name, entry in units.measures(run.scene).items()}
    energies = [name for name in series if kinds.get(name.split(".")[0]) == "energy" and moves(name)]
    if energies:
        return energies
    lines = [(run, columns[run.name][name]) for name in series if moves(name) for run in runs if name in columns[run.name]]
    first = panels.arrange(lines, split=len(runs) > 1)[:PANELS_BY_DEFAULT]
    return [name for panel in first for name in panel.columns()] or [name for name in names if name.startswith("distribution.")]


def over_another(run, column, x_column):
    """The column over another of its run instead of over time, where both were measured."""
    if column.kind != "series":
        raise Problem(f"--x {x_column.name}: {column.name} is a {column.kind}, which has a horizontal axis of its own")
    if column.x is x_column.x:
        x = x_column.y
    else:
        shared = dict(zip(x_column.x.tolist(), x_column.y.tolist()))
        x = np.array([shared.get(time, np.nan) for time in column.x.tolist()])
    if not (np.isfinite(x) & np.isfinite(column.y)).any():
        raise Problem(f"--x {x_column.name}: {run.folder} has it at no time at which {column.name} was measured; give both the same `every`")
    changed = type(column)(column.name, column.unit, column.quantity, x, column.y, x_column.name, x_column.unit)
    return changed


def put_x(options, runs, columns, names):
    """(run, column) of the names, over what --x says."""
    lines = [(run, columns[run.name][name]) for name in names for run in runs if name in columns[run.name]]
    if options["x"] == "time":
        return lines
    changed = []
    for run, column in lines:
        found = columns[run.name].get(options["x"])
        if found is None or found.kind != "series":
            near = difflib.get_close_matches(options["x"], [name for name, one in columns[run.name].items() if one.kind == "series"], n=4, cutoff=0.5)
            raise Problem(f"--x {options['x']}: {run.folder} has no such series" + (f"; near it: {', '.join(near)}" if near else ""))
        changed.append((run, over_another(run, column, found)))
    return changed


def references_of(path, drawn):
    """(panel, label, x, y) of a table of reference data: each column goes to the panel that has a column of its name, or of its last part, or to the only one."""
    if not Path(path).is_file():
        raise Problem(f"--reference {path}: there is no such file")
    names, values = read_table(path)
    if len(names) < 2:
        raise Problem(f"--reference {path}: it has one column; the first goes along the horizontal axis, others are drawn")
    found = []
    for name, y in zip(names[1:], values[1:]):
        label = units.split_label(name)[0]
        exact = [panel for panel in drawn if label in panel.columns() or label == panel.title()]
        last = [panel for panel in drawn if label in (column.rsplit(".", 1)[-1] for column in panel.columns())]
        fitting = exact or last or (drawn if len(drawn) == 1 else [])
        if not fitting:
            shown = ", ".join(dict.fromkeys(column for panel in drawn for column in panel.columns()))
            raise Problem(f"--reference {path}: its column \"{label}\" has the name of nothing that is drawn ({shown}); rename it, or choose one --series")
        x, y = panels.known(values[0], y)
        found += [(panel, f"{Path(path).stem}: {label}" if len(names) > 2 else Path(path).stem, x, y) for panel in fitting]
    return found


def main(options):
    runs = read_runs(options["runs"])
    warn_of_damage(runs)
    columns = {run.name: all_columns(run, options.get("time")) for run in runs}
    if options["list"] or not options["series"]:
        list_columns(runs, columns)
    if options["list"]:
        return
    known = list(dict.fromkeys(name for run in runs for name in columns[run.name]))
    if not known:
        raise Problem(f"{runs[0].folder}: there is nothing to draw: no series.csv and no frames; add [[measure]] to the scene")
    names = choose(options["series"], known) if options["series"] else names_by_default(runs, columns)
    lines = put_x(options, runs, columns, names)
    drawn = panels.arrange(lines, split=len(runs) > 1)
    if len(drawn) > MOST_PANELS:
        raise Problem(f"these are {len(drawn)} panels, and a figure has {MOST_PANELS} at most: choose fewer --series")
    check_log(options["log"], drawn)
    references = references_of(options["reference"], drawn) if options["reference"] else []
    panels.save(panels.draw_figure(drawn, options["log"], references, options["title"]), options["output"])
    count = len({name for panel in drawn for name in panel.columns()})
    print(f"{count} column{'s' * (count > 1)} of {len(runs)} run{'s' * (len(runs) > 1)} in {len(drawn)} panel{'s' * (len(drawn) > 1)}: {options['output']}")


def check_log(log, drawn):
    """A logarithmic axis shows nothing of a panel without numbers above 0."""
    for axis in log:
        for panel in drawn:
            values = [column.y if (axis == "y") != (column.kind == "profile") else column.x for _, column in panel.lines]
            if not any(np.any(v > 0) for v in values):
                raise Problem(f"--log {log}: {panel.title()} has no number above 0 along {axis}, which a logarithmic axis needs")


if __name__ == "__main__":
    run_script(main)
