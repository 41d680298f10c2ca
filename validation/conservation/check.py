"""Momentum and angular momentum of colliding, spinning balls in free space stay what they were.

Both are conserved exactly by the scheme: forces are equal and opposite, and both torques of a contact act about one point.
"""
import numpy as np
from harness import bodies_file, largest, within

CELLS, SPACING, SEED = 7, 0.013, 3


def cloud():
    """Rows x y z radius vx vy vz wx wy wz of a jittered lattice that moves towards its centre."""
    random = np.random.default_rng(SEED)
    grid = np.stack(np.meshgrid(*[np.arange(CELLS)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    place = SPACING * (grid - (CELLS - 1) / 2)
    radius = np.where(random.random(len(place)) < 0.3, 0.006, 0.004)
    place += random.uniform(-0.0005, 0.0005, place.shape)
    velocity = -10.0 * place + random.normal(0, 0.3, place.shape) + [0.1, -0.2, 0.3]
    spin = random.normal(0, 100.0, place.shape)
    return np.column_stack([place + [0.5, 0.2, -0.1], radius, velocity, spin])


def magnitudes(rows):
    """Sums of |m v| [kg m/s] and of |m x × v| + |I omega| [kg m2/s]: what errors are measured against."""
    place, radius, velocity, spin = rows[:, :3], rows[:, 3], rows[:, 4:7], rows[:, 7:]
    mass = 2500 * 4 / 3 * np.pi * radius**3
    orbital = mass * np.linalg.norm(np.cross(place, velocity), axis=1)
    return (mass * np.linalg.norm(velocity, axis=1)).sum(), (orbital + 0.4 * mass * radius**2 * np.linalg.norm(spin, axis=1)).sum()


def check(runner):
    rows = cloud()
    columns = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"]
    series = runner.run("scene.toml", files={"bodies.txt": bodies_file(columns, rows)}).series()
    momentum = np.column_stack([series[f"momentum.p{axis}"] for axis in "xyz"])
    angular = np.column_stack([series[f"momentum.L{axis}"] for axis in "xyz"])
    scale_p, scale_L = magnitudes(rows)
    kinetic = series["energy.kinetic_translation"] + series["energy.kinetic_rotation"]

    def draw(axes):
        for name in ("kinetic_translation", "kinetic_rotation", "dissipated_damping", "dissipated_friction", "total"):
            axes.plot(series["time"], series[f"energy.{name}"], label=name.replace("_", " "))
        axes.set(xlabel="time [s]", ylabel="energy [J]")

    runner.plot("energies", draw)
    return [
        largest("momentum, largest change", np.abs(momentum - momentum[0]).max() / scale_p, 1e-12, "of sum |m v|"),
        largest("angular momentum, largest change", np.abs(angular - angular[0]).max() / scale_L, runner.either(1e-12, 1e-7), "of sum |L|"),
        within("kinetic energy lost meanwhile, share", 0.3, 1.0, 1 - kinetic[-1] / kinetic[0], ""),
    ]
