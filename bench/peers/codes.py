"""How each code is called: the programs and the words of their command lines. A start is a function that makes a Participant."""
import math
import shutil
from pathlib import Path

from turns import HERE, Participant

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]

# Code of the spheres -> program, how it is called in tables.
SPHERE_CODES = {
    "scree_double": "Scree, double",
    "scree_mixed": "Scree, mixed",
    "scree_double_own": "Scree, double, skin by itself",
    "scree_mixed_own": "Scree, mixed, skin by itself",
    "lammps_history": "LAMMPS gran/hertz/history",
    "lammps_history_narrow": "LAMMPS g/h/history, skin 0.05 mm",
    "lammps_granular": "LAMMPS granular",
    "scree_double_rolling": "Scree, double, rolling and twisting",
    "lammps_rolling": "LAMMPS granular, rolling sds, twisting marshall",
    "scree_double_jkr": "Scree, double, JKR and rolling",
    "lammps_jkr": "LAMMPS granular, jkr, rolling sds",
    "liggghts": "LIGGGHTS hertz history",
    "yade": "Yade Mindlin",
}
# Code of the cubes -> name in tables; the number is that of iterations.
CUBE_CODES = {
    "scree_double_10": "Scree, double, Gauss–Seidel 10",
    "scree_mixed_10": "Scree, mixed, Gauss–Seidel 10",
    "bullet_10": "Bullet boxes 10",
    "scree_double_20": "Scree, double, Gauss–Seidel 20",
    "scree_mixed_20": "Scree, mixed, Gauss–Seidel 20",
    "ode_20": "ODE boxes 20",
}
NAMES = {**SPHERE_CODES, **CUBE_CODES}

# Of the beds of spheres [m]: the recipe's; Scree can choose by itself what it is not told; one that suits the bed at rest.
SKINS = {"own": "auto", "narrow": 0.05e-3}
RECIPE_SKIN = 0.2e-3
LAWS = {"rolling": "rolling+twisting", "jkr": "jkr+rolling"}  # by the end of a code's name


def program_of(code, programs):
    """The program behind a code, or None where it is not here. Debian's are on the path, ours in the folder of built programs."""
    kind = code.split("_")[0]
    if kind in ("scree", "bullet", "ode"):
        path = Path(programs) / f"peer_{kind}"
        return path if path.exists() else None
    return shutil.which({"lammps": "lmp"}.get(kind, kind))


def our_words(case, size, rounds, turn):
    return ["--warm", case.warm, "--steps", case.steps(size), "--turns", rounds, "--turn", turn]


def sphere_command(code, program, case, size, threads, rounds, files):
    """command(turn) of one code on a bed of spheres; `files` has data, table, width and depth, beds."""
    tilt = math.radians(case.tilt)
    gx, gz = repr(math.sin(tilt)), repr(-math.cos(tilt))
    steps = case.steps(size)
    skin = SKINS.get(code.split("_")[-1], RECIPE_SKIN)

    def command(turn):
        if code.startswith("scree"):
            return [program, "--case", "spheres", "--bodies", size, "--precision", code.split("_")[1], "--threads", threads, "--tilt", case.tilt,
                    "--skin", skin, "--laws", LAWS.get(code.split("_")[-1], ""), "--sides", "periods" if case.periodic else "walls", "--beds", files["beds"], *our_words(case, size, rounds, turn)]
        if code == "yade":
            return [program, "-n", "-x", f"-j{threads}", HERE / "yade_bed.py", files["table"], files["width"], files["depth"], gx, gz, case.warm,
                    steps, rounds, turn]
        variables = {"data": files["data"], "width": files["width"], "depth": files["depth"], "gx": gx, "gz": gz, "warm": case.warm,
                     "steps": steps, "turns": rounds, "turn": turn}
        deck = "in.liggghts"
        if code.startswith("lammps"):
            deck, variables["law"], variables["skin"] = "in.lammps", code.split("_")[1], skin
            variables["side"] = "p" if case.periodic else "f"
        words = [word for name, value in variables.items() for word in ("-var", name, value)]
        ranks = [*MPIRUN, "-np", threads] if threads > 1 else []
        return [*ranks, program, "-in", HERE / deck, "-log", "none", *words]

    return command


def cube_command(code, program, case, size, rounds, files, end):
    kind, iterations = code.split("_")[0], code.split("_")[-1]

    def command(turn):
        own = ["--case", "cubes", "--precision", code.split("_")[1], "--threads", 1] if kind == "scree" else []
        return [program, *own, "--state", files["table"], "--iterations", iterations, "--dt", repr(case.dt), "--end", end,
                *our_words(case, size, rounds, turn)]

    return command


def start(name, command, folder):
    return lambda: Participant(name, command, folder)
