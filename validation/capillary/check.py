"""A bridge of liquid: Willett et al. 2000's force against gap, and rupture."""
import numpy as np
from harness import largest, relative

RADIUS, TENSION, ANGLE, VOLUME = 5e-4, 0.072, np.radians(20), 2e-12
SPEED = 0.01


def check(runner):
    series = runner.run("pull.toml").series()
    gap = -1e-6 + SPEED * series["time"]
    force = -series["load.plate.fz"]
    derjaguin = 2 * RADIUS  # two spheres of this radius pull as the ball and the plane do
    half = 0.5 * np.maximum(gap, 0) * np.sqrt(derjaguin / VOLUME)
    wanted = -2 * np.pi * derjaguin * TENSION * np.cos(ANGLE) / (1 + 2.1 * half + 10 * half**2)
    side = VOLUME ** (1 / 3)
    rupture = (1 + ANGLE / 2) * (side + side**2 / (10 * derjaguin))
    holds, apart = force != 0, gap > 0
    back = runner.run("pull.toml", name="approach", time__end=0.0299, wall__plate__point=[0, 0, -RADIUS - 3e-4],
                      wall__plate__motion__velocity=[0, 0, SPEED]).series()

    def draw(axes):
        axes.plot(gap[holds] * 1e6, -force[holds] * 1e6, ".", ms=2, label="found, drawn apart")
        axes.plot(gap[holds & apart] * 1e6, -wanted[holds & apart] * 1e6, lw=1, label="Willett et al. 2000")
        axes.axvline(rupture * 1e6, color="0.6", ls="--", label="rupture")
        axes.set(xlabel="gap [um]", ylabel="pull [uN]")

    runner.plot("pull", draw)
    return [
        largest("force against gap, largest difference", np.abs(force - wanted)[holds & apart].max() / -wanted.min(), runner.either(1e-6, 1e-4),
                "of the largest"),
        relative("gap of rupture [m]", rupture, gap[holds].max(), 2e-3),
        largest("pull on approach", np.abs(back["load.plate.fz"]).max(), 0, "absolute [N]"),
    ]
