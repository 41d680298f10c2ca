"""Lattices of equal spheres in a driven cell: stress, stiffness and failure in closed form (Rowe 1962), with friction and without."""
import numpy as np
from harness import bodies_file, relative

DIAMETER, STIFFNESS, RATIO, PRESSURE = 1e-3, 4000.0, 0.8, 1000.0
EDGE = np.sqrt(2) * DIAMETER  # of the cube of the face-centred lattice
CELLS = 4
SITES = [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]
FRICTIONS = (0.0, 0.1, 0.2, 0.3, 0.4)
SHOWN = ["*"]


def face_centred():
    return [[EDGE * (k + s) for k, s in zip((i, j, k), site)] for i in range(CELLS) for j in range(CELLS) for k in range(CELLS) for site in SITES]


def simple_cubic():
    n = 4
    return [[DIAMETER * i, DIAMETER * j, DIAMETER * k] for i in range(n) for j in range(n) for k in range(n)]


def stiffness_of(normals, volume, ratio):
    """C_zzzz and C_xxzz of bonds whose ends move with the strain (each body is a centre of symmetry), [Pa]: a bond along n of normal stiffness k and tangential
    stiffness `ratio` k under a strain along z moves by d n_z e_z: n_z^2 d along n, and the rest across."""
    along = across = 0.0
    for n in normals:
        moved = np.array([0, 0, n[2]])
        normal = np.dot(moved, n)
        force = normal * np.array(n) + ratio * (moved - normal * np.array(n))
        along += force[2] * n[2]
        across += force[0] * n[0]
    factor = STIFFNESS * DIAMETER ** 2 / volume
    return factor * along, factor * across


def failure(friction):
    """Ratio of stresses at which the square layers of the lattice are driven apart (Rowe 1962)."""
    return 2 * (1 + friction) / (1 - friction)


def check(runner):
    rows, lines = [], []
    half = np.sqrt(0.5)
    lattices = {"face-centred cubic": (face_centred(), CELLS * EDGE, [(half, half, 0), (half, -half, 0), (half, 0, half), (half, 0, -half), (0, half, half), (0, half, -half)],
                                       EDGE ** 3 / 4),
                "simple cubic": (simple_cubic(), 4 * DIAMETER, [(1, 0, 0), (0, 1, 0), (0, 0, 1)], DIAMETER ** 3)}
    for name, (places, edge, normals, volume) in lattices.items():
        run = runner.run("stiffness.toml", name=f"stiffness_{name[:4]}", files={"bodies.txt": bodies_file(["x", "y", "z"], places)}, domain__max=[edge] * 3)
        s = run.series()
        first, last = np.argmin(abs(s["time"] - 0.02)), len(s["time"]) - 1
        pressed = 0.5 * (s["stress.xx"][first] + s["stress.zz"][first])
        rows.append(relative(f"{name}: stress where it is held [Pa]", PRESSURE, pressed, 1e-3))
        strain = -(s["cell.strain_z"][last] - s["cell.strain_z"][first])
        for part, expected in zip(("zz", "xx"), stiffness_of(normals, volume, RATIO)):
            if expected == 0:
                continue
            rows.append(relative(f"{name}: stiffness of {part} along z [MPa]", 1e-6 * expected, 1e-6 * (s[f"stress.{part}"][last] - s[f"stress.{part}"][first]) / strain, 0.005))
    places, edge, _, _ = lattices["face-centred cubic"]
    for friction in FRICTIONS:
        s = runner.run("triaxial.toml", name=f"failure_{friction:g}", files={"bodies.txt": bodies_file(["x", "y", "z"], places)}, domain__max=[edge] * 3,
                       material__grain__friction=friction).series()
        late = s["time"] > 0.0205
        ratio = s["stress.zz"][late] / (0.5 * (s["stress.xx"] + s["stress.yy"])[late])
        peak = ratio.max()
        rows.append(relative(f"face-centred cubic, friction {friction:g}: ratio of stresses at failure", failure(friction), peak, 0.005))
        lines.append([f"{friction:g}", f"{peak:.3f}", f"{failure(friction):.3f}"])
        if friction == 0.3:
            strain, shown = -s["cell.strain_z"][late], ratio
    runner.table("Failure of the face-centred cubic lattice.", ["friction", "ratio of stresses", "2 (1 + f) / (1 - f)"], lines)

    def draw(axes):
        axes.plot(1e3 * strain, shown, label="friction 0.3")
        axes.axhline(failure(0.3), color="grey", ls="--", label="Rowe: 2 (1 + f) / (1 - f)")
        axes.set(xlabel="strain along z [1e-3]", ylabel="stress along z over stress across")

    runner.plot("failure", draw, "A face-centred cubic lattice pressed along z while the stresses across are held.")
    return rows
