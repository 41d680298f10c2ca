"""What the codes' output says, whether they agree, and tables of it."""
import re
import statistics

LOOP = re.compile(r"^Loop time of (\S+) (?:on \d+ procs )?for (\d+) steps with (\d+) atoms", re.MULTILINE)
FIGURE = re.compile(r"^figure (\w+) (\S+)$", re.MULTILINE)

# Of Scree's figures. Codes damp differently, and the paths of flowing grains part; seen with 10,000 spheres: contacts at rest 0.001 apart,
# flowing 0.011, energy of the flow 0.08 (LAMMPS granular; LIGGGHTS 0.007, Scree's own mixed precision 0.015).
CONTACTS_APART = {"rest": 0.01, "flow": 0.03}
ENERGY_APART = 0.15    # of a flowing bed
AT_REST = 1e-3         # kinetic energy per body over m g r of a bed that rests; seen: 1e-5
LONG_STEP = 1 / 500    # of cubes [s]: past it codes are shown to part, Bullet's bed by 3.6 edges of height in 460 steps of 1/240 s
SUNK = 1               # edges by which the mean height of cubes may change: more, and they fall through each other. Few iterations lose
                       # friction, so that beds creep: seen 0.13 (ODE, Scree with 20) to 0.56 (Bullet with 10) in 444 steps of 1/1200 s


class Unreadable(Exception):
    """Output without the figures that belong there."""


def read_output(text, steps, rounds):
    """Seconds of each timed piece, and the figures that the code printed about its last state."""
    pieces = [float(seconds) for seconds, n, _ in LOOP.findall(text) if int(n) == steps]
    if len(pieces) < rounds:
        raise Unreadable(f"{len(pieces)} pieces of {steps} steps in the output, {rounds} expected")
    try:
        return pieces[-rounds:], {name: float(value) for name, value in FIGURE.findall(text)}
    except ValueError as error:
        raise Unreadable(f"not a number in the output: {error}") from error


def row_of(code, threads, bodies, steps, wall, cpu, peak, figures):
    """One code in one case. cpu: seconds so far at each wait, one more than pieces."""
    spent = [after - before for before, after in zip(cpu, cpu[1:])]
    work = bodies * steps
    return {"code": code, "threads": threads, "bodies": bodies, "steps": steps, "wall_seconds": wall, "cpu_seconds": spent,
            "particle_steps_per_second": work / min(wall), "particle_steps_per_second_median": work / statistics.median(wall),
            "particle_steps_per_cpu_second": work / min(spent), "cpu_seconds_per_wall_second": sum(spent) / sum(wall),
            "peak_memory_bytes": peak, **figures}


def ratios(rows):
    """Scree over every other code on as many threads (and, of cubes, as many iterations): by wall time and by processor time; the best of
    each, and the median, least and largest of the rounds, of which each has one piece of every code. On a machine whose clock wanders the
    median tells most: the best of two codes may come from different clocks."""
    out = []
    for ours in (row for row in rows if row["code"].startswith("scree")):
        for peer in (row for row in rows if not row["code"].startswith("scree")):
            iterations = [code.split("_")[-1] for code in (ours["code"], peer["code"])]
            if ours["threads"] != peer["threads"] or (iterations[0].isdigit() and iterations[0] != iterations[1]):
                continue
            ratio = {"of": ours["code"], "over": peer["code"], "threads": ours["threads"]}
            for clock in ("wall", "cpu"):
                mine, theirs = ours[f"{clock}_seconds"], peer[f"{clock}_seconds"]
                rounds = [b / a for a, b in zip(mine, theirs)]
                ratio[clock] = min(theirs) / min(mine)
                ratio[f"{clock}_median"] = statistics.median(rounds)
                ratio[f"{clock}_least"], ratio[f"{clock}_most"] = min(rounds), max(rounds)
            out.append(ratio)
    return out


def disagreements(case, rows, weight):
    """Words for each code whose bed is not the one that Scree in double has. weight: m g r (of cubes m g edge) [J]."""
    out = []
    first = next((row for row in rows if row["code"].startswith("scree_double")), rows[0])
    for row in rows:
        name = f"{row['code']} on {row['threads']}"
        if case.cubes:
            if case.dt <= LONG_STEP and abs(row["mean_drop_over_edge"]) > SUNK:
                out.append(f"{name}: the cubes moved by {row['mean_drop_over_edge']:.3f} edges in height on average")
            continue
        if abs(row["contacts"] / first["contacts"] - 1) > CONTACTS_APART["flow" if case.tilt else "rest"]:
            out.append(f"{name}: {row['contacts']:.0f} contacts, {first['code']} has {first['contacts']:.0f}")
        energy = row["kinetic_translation"]
        if case.tilt == 0 and energy / row["bodies"] > AT_REST * weight:
            out.append(f"{name}: the bed is not at rest, {energy / row['bodies'] / weight:.2g} m g r of kinetic energy per body")
        if case.tilt > 0 and abs(energy / first["kinetic_translation"] - 1) > ENERGY_APART:
            out.append(f"{name}: kinetic energy {energy:.4g} J, {first['code']} has {first['kinetic_translation']:.4g} J")
    return out


def print_case(result, names):
    rows = result["codes"]
    print(f"\n{result['case']}, {result['bodies']} bodies, {result['steps']} steps a piece after {result['warm']}, {result['rounds']} rounds")
    cubes = "iterations" in rows[0]
    last = "  overlap/edge  sunk/edge  body-s/s" if cubes else "  contacts   kinetic [J]"
    print(f"{'code':32} thr   million/s   median  per cpu s  cpu/wall  peak MB{last}")
    for row in rows:
        tail = (f"  {row['deepest_overlap_over_edge']:12.4f}  {row['mean_drop_over_edge']:9.3f}  {row['body_seconds_per_wall_second']:8.3g}" if cubes
                else f"  {row['contacts']:8.0f}  {row['kinetic_translation']:12.4g}")
        print(f"{names[row['code']]:32} {row['threads']:3}  {1e-6 * row['particle_steps_per_second']:10.3f}"
              f"  {1e-6 * row['particle_steps_per_second_median']:7.3f}  {1e-6 * row['particle_steps_per_cpu_second']:9.3f}"
              f"  {row['cpu_seconds_per_wall_second']:8.2f}  {1e-6 * row['peak_memory_bytes']:7.0f}{tail}")
    for ratio in result["ratios"]:
        clocks = [f"{ratio[clock]:.2f} (median {ratio[clock + '_median']:.2f}, {ratio[clock + '_least']:.2f} to {ratio[clock + '_most']:.2f}) by {time}"
                  for clock, time in (("wall", "wall time"), ("cpu", "processor time"))]
        print(f"  {names[ratio['of']]} / {names[ratio['over']]}, {ratio['threads']} thr: {', '.join(clocks)}")
    for words in result["disagreements"]:
        print(f"  DISAGREES: {words}")
