"""What a step moves and computes, by the counts of docs/performance.md, and what it takes.

Each function takes a row of tools/bench and gives bytes and flops of one body-step (APGD: of a contact in an iteration), in double, and the
nanoseconds that one took; None where the counts do not hold. Bytes are those that do not stay in a cache once a bed is too large for it.
"""


def sphere(row):
    if "contacts and motion" not in row["stage_microseconds_per_step"]:
        return None  # counted for steps in one pass
    return row["least_bytes_per_body_step"], 120 + 245 * row["pairs_per_body"], 1e9 / row["particle_steps_per_second"]


def polyhedron(row):
    touching = row["contacts_per_body"]
    near = row["pairs_per_body"] - touching
    return 660 + 270 * touching + 80 * near, 250 + 2000 * touching + 60 * near, 1e9 / row["particle_steps_per_second"]


def apgd(row):
    return 610 + 390 * row["bodies"] / row["contacts"], 220, row["nanoseconds_per_contact_iteration"]


def fluid(row):
    return 1500, 5500, 1e9 / row["particle_steps_per_second"]


STEPS = (("bed", "equal", "spheres at rest", sphere), ("polyhedra", "cubes", "cubes at rest", polyhedron),
         ("cone", "silo", "cone method, a contact in an iteration of APGD", apgd), ("fluid", "column", "fluid", fluid))


def rows(result, bandwidth):
    """Of all steps on one thread in double that the result holds: what, bodies, bytes, flops, nanoseconds at that bandwidth [B/s], nanoseconds."""
    for kind, case, name, counted in STEPS:
        for row in result.get(kind, {}).get(case, {}).get("results", []):
            counts = counted(row) if (row["threads"], row["precision"]) == (1, "double") else None
            if counts:
                yield name, row["bodies"], counts[0], counts[1], 1e9 * counts[0] / bandwidth, counts[2]
