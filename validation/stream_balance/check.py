"""Counts and masses of a hundred thousand bodies that come, are taken out and come back: they balance exactly, class by class."""
import numpy as np
from harness import within

PARTS = ("ball/light", "ball/heavy", "rod/heavy")
COUNT = 100000
SHOWN = ["*"]


def check(runner):
    run = runner.run("scene.toml")
    series = run.series()
    bodies = sum(series[f"streams.feed.{part}.bodies"] for part in PARTS)
    mass = sum(series[f"streams.feed.{part}.mass"] for part in PARTS)
    gone = series["streams.sink.bodies"]
    back, waiting = series["streams.lift.returned"], series["streams.lift.waiting"]
    inside = series["count.bodies"]
    off = np.abs(bodies - gone - waiting - inside).max() + np.abs(series["streams.lift.bodies"] - back - waiting).max()
    none_away = waiting == 0
    missing = np.abs(mass - series["streams.sink.mass"] - series["count.mass"])[none_away].max()
    rows = [within("bodies that came", COUNT, COUNT, bodies[-1], ""), within("bodies that were taken out for good", 0.99 * COUNT, COUNT, gone[-1], ""),
            within("bodies that came back", 1000, COUNT, back[-1], ""), within("came less gone less waiting less inside", 0, 0, off, ""),
            within("masses that came less gone less inside, over all that came, at times at which none waits", 0, 1e-12, missing / mass[-1], "")]
    for part, share in zip(PARTS, (0.4, 0.4, 0.2)):
        rows.append(within(f"{part}: share of all that came", share - 2e-4, share + 2e-4, series[f"streams.feed.{part}.bodies"][-1] / COUNT, ""))
    return rows
