"""Commands and fixes of LAMMPS and LIGGGHTS that scenes do not need, or have no counterpart of, and what to do about these; numbers as TOML has them."""
import math
import re

INF = math.inf

# Commands about how a program works, or what it prints, which a scene does not need.
NEEDLESS = {"neighbor", "neigh_modify", "communicate", "comm_modify", "comm_style", "newton", "processors", "atom_modify", "thermo", "thermo_style", "thermo_modify", "echo",
            "log", "print", "shell", "suffix", "package", "hard_particles", "run_style", "reset_timestep", "atom_style", "coarsegraining", "modify_timing", "info", "group",
            "clear", "quit", "partition", "box", "write_data", "write_restart", "write_dump", "undump", "dump_modify", "mass", "fix_modify", "uncompute", "restart"}
NEEDLESS_FIXES = {"nve/sphere", "nve", "nve/limit", "print", "check/timestep/gran", "enforce2d", "balance", "nve/asphere", "multisphere", "ave/time", "ave/chunk",
                  "ave/euler", "ave/histo", "property/atom", "ave/atom", "particletemplate", "store/state"}

# Commands that change what is simulated, and are noted.
WITHOUT_COUNTERPART = {"if", "jump", "next", "label", "rerun", "minimize", "displace_atoms", "change_box", "delete_atoms", "delete_bonds", "kspace_style",
                       "bond_style", "bond_coeff", "special_bonds", "dielectric", "replicate", "read_restart", "read_dump", "pair_modify", "pair_write", "compute",
                       "molecule", "create_bonds", "improper_style", "angle_style", "dihedral_style", "min_style", "temper", "neb", "labelmap"}

HINTS = {
    "if": "what depends on a condition is not converted: write what holds into the deck, or see [[event]]",
    "jump": "loops are not converted: what they repeat is done once", "next": "loops are not converted: what they repeat is done once",
    "label": "loops are not converted: what they repeat is done once",
    "compute": "what a deck measures is not converted: see [[measure]], `scree plot` and `scree export`",
    "read_restart": "restart files are not read: write the atoms as a data file (write_data) or a dump, and use place = { file = ... }",
    "displace_atoms": "is not converted: move the atoms in their file", "change_box": "is not converted: see [[domain.stage]]",
    "delete_atoms": "is not converted: see [[remove]]", "bond_style": "is not converted: see [[bond]]", "bond_coeff": "is not converted: see [[bond]]",
    "fix freeze": "bodies that stand still are not converted: make them a wall, or a [[body]] with a fixed [[joint]]",
    "fix deform": "is not converted: see [[domain.stage]] and [domain.shear]", "fix viscous": "is not converted: see [[drag]]",
    "fix move": "bodies that move as told are not converted: make them a wall with [wall.motion]",
    "fix heat/gran": "heat is not simulated", "fix massflow/mesh": "what passes a surface is not counted: kind = \"mass_in\" of [[measure]] follows what is in a region",
    "fix setforce": "is not converted", "fix addforce": "is not converted: see domain.acceleration", "fix bond/break": "is not converted: see [[bond]]",
    "fix rigid": "is not converted: see kind = \"clump\"", "fix rigid/small": "is not converted: see kind = \"clump\"",
    "fix evaporate": "is not converted: see [[remove]]", "fix remove": "is not converted: see [[remove]]", "fix deposit": "is not converted: see [[insert]]",
}


def number(value):
    """Text of a number in TOML: as short as tells it from its neighbours to twelve digits."""
    if value == INF:
        return "inf"
    if value == -INF:
        return "-inf"
    text = f"{value:.12g}"
    return text if re.search(r"[.e]", text) is None or "e" not in text else re.sub(r"e([+-])0*(\d)", r"e\1\2", text)


def number_list(values, count=3):
    return "[" + ", ".join(number(value) for value in list(values)[:count]) + "]"
