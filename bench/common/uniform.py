"""One set of figures for every result of tools/bench and tools/peers, whichever program it came from.

A figure is a dict: name, kind, case, bodies, precision, threads; particle_steps_per_second (bodies x steps / wall time, the best repeat: the
Cundall number), the same of the median repeat and per second of processor time; rates and cpu_rates (of each repeat); cpu_seconds and
seconds_per_stage of a step; bytes_per_body (engine), peak_memory_bytes (of the program, all its variants together); pair_list_share (of the
step's time). What a program does not say is None.
"""
import json
import statistics

# Members that tell rows of one program apart, beside bodies, precision and threads, and how they are said; nothing of their plain value.
TELLING = {"shape": "{}", "floor_triangles": "floor of {:g} triangles", "scene": "{}", "solver": "{}", "iterations_at_most": "{} iterations",
           "method": "{}", "neighbours": "{:g} neighbours", "ratio": "sizes 1 : {:g}", "recorded": "{:g} steps recorded"}
PLAIN = {"floor_triangles": 0, "ratio": 1, "recorded": -1}
STAGES = {"stage_microseconds_per_step": lambda value, row: 1e-6 * value, "stage_seconds_per_step": lambda value, row: value,
          "stage_nanoseconds_per_particle_step": lambda value, row: 1e-9 * value * row["bodies"],
          "stage_nanoseconds_per_body": lambda value, row: 1e-9 * value * row["bodies"]}
LISTING = ("pair list", "neighbours", "reorder")  # stages that make lists of pairs or neighbours


class Unusable(Exception):
    """A file that is not a result, or not of the kind that is asked for."""


def rates_of(row, clock):
    """Body-steps per second of each repeat. Where only the best and the median were kept, these."""
    if row.get(f"{clock}_seconds"):
        # bench_cone, bench_fluid, bench_collide and bench_render give seconds of a step, the others of a piece of steps.
        steps = row["steps"] if "particle_steps_per_second" in row and "steps" in row else 1
        return [row["bodies"] * steps / seconds for seconds in row[f"{clock}_seconds"]]
    if clock == "cpu":
        best = row.get("particle_steps_per_cpu_second") or row.get("body_steps_per_cpu_second")
        return [best] if best else []
    if "particle_steps_per_second" in row:
        return [row["particle_steps_per_second"], row["particle_steps_per_second_median"]]
    if "body_steps_per_second" in row:
        return [row["body_steps_per_second"], row["bodies"] / row["seconds_per_step_median"]]
    return [row["bodies"] / row["wall_seconds_min"], row["bodies"] / row["wall_seconds_median"]]


def stages_of(row):
    for name, seconds in STAGES.items():
        if name in row:
            return {stage: seconds(value, row) for stage, value in row[name].items() if stage != "measure"}
    return {}


def bytes_of(row):
    if "memory_bytes" in row:
        return row["memory_bytes"] / row["bodies"]
    return row.get("bytes_per_body") or (row["engine_bytes"] / row["bodies"] if "engine_bytes" in row else None)


def step_figure(kind, case, row, peak):
    """Of one row of a program that times whole steps (bench_collide: whole searches, bench_render: pictures)."""
    rates, cpu_rates, stages = rates_of(row, "wall"), rates_of(row, "cpu"), stages_of(row)
    listing = sum(seconds for stage, seconds in stages.items() if stage in LISTING)
    precision = row.get("precision") or "double"
    telling = [words.format(row[key]) for key, words in TELLING.items() if key in row and row[key] != PLAIN.get(key)]
    return {"name": "/".join([kind, case, *telling, f"{row['bodies']:g}", precision, str(row["threads"])]), "kind": kind,
            "case": " ".join([case, *telling]), "bodies": row["bodies"], "precision": precision, "threads": row["threads"],
            "particle_steps_per_second": max(rates), "particle_steps_per_second_median": statistics.median(rates),
            "particle_steps_per_cpu_second": max(cpu_rates) if cpu_rates else None, "rates": rates, "cpu_rates": cpu_rates,
            "cpu_seconds": row["bodies"] / max(cpu_rates) if cpu_rates else None, "seconds_per_stage": stages,
            "bytes_per_body": bytes_of(row), "peak_memory_bytes": row.get("peak_memory_bytes") or peak,
            "pair_list_share": listing / sum(stages.values()) if stages and kind != "collide" else None}


def micro_figures(flavor, part):
    """One primitive on n elements: its rate is elements per second."""
    for row in part["results"]:
        rates = [row["n"] / row["wall_seconds_min"], row["n"] / row["wall_seconds_median"]]
        words = row["primitive"] + (f" {row['key_bits']} bits" if "key_bits" in row else "")
        yield {"name": f"micro/{words}/{row['n']}/{flavor}/{row['threads']}", "kind": "micro", "case": words, "bodies": row["n"],
               "precision": flavor, "threads": row["threads"], "particle_steps_per_second": rates[0], "particle_steps_per_second_median": rates[1],
               "particle_steps_per_cpu_second": row["n"] / row["cpu_seconds_min"] if row.get("cpu_seconds_min") else None, "rates": rates,
               "cpu_rates": [row["n"] / row["cpu_seconds_min"]] if row.get("cpu_seconds_min") else [],
               "gigabytes_per_second": row.get("gigabytes_per_second")}


def peer_figures(result):
    for case in result["cases"]:
        for row in case["codes"]:
            figure = step_figure("peers", case["case"], {**row, "precision": row["code"]}, None)
            yield {**figure, "rates": [row["bodies"] * row["steps"] / seconds for seconds in row["wall_seconds"]],
                   "cpu_rates": [row["bodies"] * row["steps"] / seconds for seconds in row["cpu_seconds"]]}


def figures_of(result):
    """All figures of a result of tools/bench (also of one from before they were kept in it) or tools/peers. Raises Unusable."""
    try:
        if "figures" in result:
            return result["figures"]
        if result.get("benchmark") == "peers":
            return list(peer_figures(result))
        out = []
        for kind in ("bed", "polyhedra", "cone", "disks", "fluid", "collide", "render"):
            for case, part in result.get(kind, {}).items():
                out += [step_figure(kind, case, row, part.get("peak_memory_bytes")) for row in part["results"]]
        for flavor, part in result.get("micro", {}).items():
            out += micro_figures(flavor, part)
        return out
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        raise Unusable(f"its rows are not those of tools/bench or tools/peers ({type(error).__name__}: {error})") from error


def read(path):
    """A result and its figures. Raises Unusable with the file's name."""
    try:
        result = json.loads(path.read_text())
        if not isinstance(result, dict) or not isinstance(result.get("machine"), dict):
            raise Unusable("no result of tools/bench or tools/peers: it names no machine")
        figures = figures_of(result)
        if not figures:
            raise Unusable("it holds no figures")
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise Unusable(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except Unusable as error:
        raise Unusable(f"{path}: {error}") from error
    return result, figures


def bandwidth(figures, threads, device_suffix="double"):
    """Bytes per second of the triad over the most elements on so many threads, or None where it was not measured."""
    rows = [f for f in figures if f["kind"] == "micro" and f["case"] == "for_each triad" and f["threads"] == threads and f.get("gigabytes_per_second")
            and f["precision"].endswith(device_suffix)]
    return 1e9 * max(rows, key=lambda f: f["bodies"])["gigabytes_per_second"] if rows else None
