"""A column of water collapses: front and height against Martin & Moyce's experiments, density error, convergence with resolution."""
from pathlib import Path

import numpy as np
from harness import largest, load, relative, within

reference = load(Path(__file__).parent / "reference.py")

WIDTH, GRAVITY = 0.05715, 9.81
THIN = {1: 3.3}  # Z past which the front is so thin that the floor's friction, which the model does not have, holds it back


def scene_of(runner, across, n2, layers):
    """The text of column.toml with other counts; in three dimensions of `layers`, between walls."""
    d = WIDTH / across
    text = (runner.folder / "column.toml").read_text()
    text = text.replace("[20, 40]", f"[{across}, {across * n2}]")
    text = text.replace("0.00142875", "HALF").replace("0.0028575", repr(d)).replace("HALF", repr(d / 2))
    if layers > 1:
        text = text.replace("dimensions = 2", "dimensions = 3").replace('"disk"', '"sphere"').replace("[0, -9.81]", "[0, -9.81, 0]")
        text = text.replace(f"[{across}, {across * n2}]", f"[{across}, {across * n2}, {layers}]")
        text = text.replace(f"[{d / 2!r}, {d / 2!r}]", f"[{d / 2!r}, {d / 2!r}, {d / 2!r}]")
        text = text.replace("[0, 0]", "[0, 0, 0]").replace("[1, 1]", f"[1, 1, {layers * d!r}]")
    return text


class Collapse:
    """One run in the experiment's variables."""

    def __init__(self, runner, across, n2, layers=1):
        name = f"n{n2}_{across}" + (f"_{layers}" if layers > 1 else "")
        end = 3.5 / np.sqrt(n2 * GRAVITY / WIDTH)
        run = runner.run("column.toml", name, files={"column.toml": scene_of(runner, across, n2, layers)}, time__end=end)
        series = run.series()
        self.n2, self.across = n2, across
        self.T = series["time"] * np.sqrt(n2 * GRAVITY / WIDTH)
        self.tau = series["time"] * np.sqrt(GRAVITY / WIDTH)
        self.Z = series["extent.max_x"] / WIDTH
        self.H = series["extent.max_y"] / (n2 * WIDTH)
        self.mean, self.most = series["density.mean_compression"].max(), series["density.max_compression"].max()
        self.energy = series["energy.total"]
        joined = reference.FRONT[n2][reference.FRONT[n2][:, 1] == reference.JOINED][0, 0]
        self.late = joined - self.time_of(reference.JOINED)  # of the experiment: its dam takes time to go

    def time_of(self, Z):
        """T at which the front is at Z."""
        return np.interp(Z, self.Z, self.T)

    def front_errors(self, low, high):
        """Of T for Z from low to high, the fronts laid over each other at Z = 1.44."""
        T, Z = reference.FRONT[self.n2].T
        there = (Z >= low) & (Z <= high)
        return self.time_of(Z[there]) + self.late - T[there]

    def front_speed(self, low, high):
        """dZ/dT for Z from low to high: the experiment's and the run's."""
        T, Z = reference.FRONT[self.n2].T
        there = (Z >= low) & (Z <= high)
        return [np.polyfit(times, Z[there], 1)[0] for times in (T[there], self.time_of(Z[there]))]

    def height_errors(self):
        tau, H = reference.HEIGHT[self.n2].T
        return np.interp(tau, self.tau, self.H) - H


def check(runner):
    runs = {(2, across): Collapse(runner, across, 2) for across in (10, 20, 40)}
    runs[1, 40] = Collapse(runner, 40, 1)
    slice_ = Collapse(runner, 20, 2, layers=4)

    rows = []
    for label, run in (("n^2 = 2", runs[2, 40]), ("n^2 = 1", runs[1, 40]), ("n^2 = 2, slice of 3D", slice_)):
        last = THIN.get(run.n2, np.inf)
        rows += [
            largest(f"{label}: front, T from Z = 1.44 on", np.abs(run.front_errors(reference.JOINED, last)).max(), 0.12, "largest, in T"),
            within(f"{label}: the dam's delay", 0.0, 0.35, run.late, "in T"),
            largest(f"{label}: height of the column", np.abs(run.height_errors()).max(), 0.04 + 1 / (run.across * run.n2), "largest, in H"),
            largest(f"{label}: compression, mean", run.mean, 0.002, "largest of the run, of the density at rest"),
            largest(f"{label}: compression, worst particle", run.most, 0.01, "largest of the run, of the density at rest"),
            largest(f"{label}: energy, largest gain", (run.energy - run.energy[0]).max() / run.energy[0], 1e-3, "of the energy at the start"),
        ]
        if run.n2 == 2:
            rows.append(relative(f"{label}: speed of the front past Z = 2, dZ/dT", *run.front_speed(2, 4.2), 0.08))
    rows.append(within("n^2 = 1: thin front, ahead at Z = 4.56", 0.0, 0.4, -runs[1, 40].front_errors(4.56, 4.56)[0], "in T"))
    Z = np.linspace(1.5, 4, 26)
    steps = [np.abs(runs[2, fine].time_of(Z) - runs[2, coarse].time_of(Z)).mean() for coarse, fine in ((10, 20), (20, 40))]
    rows.append(within("change of T from 20 to 40 across over that from 10 to 20", 0.0, 0.8, steps[1] / steps[0], "ratio"))

    def fronts(axes):
        for n2, across, colour in ((2, 40, "C0"), (1, 40, "C1")):
            run = runs[n2, across]
            axes.plot(run.T + run.late, run.Z, color=colour, label=f"$n^2$ = {n2}, {across} particles across, {run.late:.2f} later")
            axes.plot(*reference.FRONT[n2].T, "o", color=colour, mfc="none", label=f"$n^2$ = {n2}, Martin & Moyce 1952")
        for across, style in ((10, ":"), (20, "--")):
            run = runs[2, across]
            axes.plot(run.T + run.late, run.Z, style, color="C0", lw=1, label=f"$n^2$ = 2, {across} across")
        axes.set(xlabel="$T = n t \\sqrt{g / a}$", ylabel="front, $Z = x / a$", xlim=(0, 3.5), ylim=(1, 5))

    def heights(axes):
        for n2, across, colour in ((2, 40, "C0"), (1, 40, "C1")):
            run = runs[n2, across]
            axes.plot(run.tau, run.H, color=colour, label=f"$n^2$ = {n2}, {across} particles across")
            axes.plot(*reference.HEIGHT[n2].T, "o", color=colour, mfc="none", label=f"$n^2$ = {n2}, Martin & Moyce 1952")
        axes.set(xlabel="$t \\sqrt{g / a}$", ylabel="height, $y / (n^2 a)$", xlim=(0, 3))

    runner.plot("front", fronts, "Front of a collapsing column of water against Martin & Moyce 1952, the time shifted by what their dam takes to go")
    runner.plot("height", heights)
    return rows
