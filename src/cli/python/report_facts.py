"""The facts of a report, as plain numbers and texts (SI): what `scree report --json` prints and the page shows.

Balances are worked out from series.csv, so that they are those of the sampled times; where a scene measures too little for one, it says what to add.
"""
import math

import numpy as np

from scree_run import Run

METHOD_KEYS = {
    "penalty": ("law", "dashpot", "tangential", "friction", "rolling", "twisting", "cohesion", "patch", "skin", "search", "overlap_warning", "overlap_limit"),
    "cone": ("solver", "friction", "iterations", "tolerance", "residual_limit", "recovery_speed", "restitution_threshold", "envelope", "warm_start", "joints", "search"),
    "hard": ("stepping", "elastic_below"),
    "fluid": ("support_radius", "density_iterations", "relaxation", "artificial_pressure", "xsph_viscosity", "vorticity_confinement"),
}
BALANCE_KEYS = ("kinetic_translation", "kinetic_rotation", "elastic_normal", "elastic_tangential", "dissipated_damping", "dissipated_friction")


def facts_of(run: Run):
    """Everything that a report says of one run; what is not known is None."""
    scene, summary = run.scene, run.summary
    first, last = _frame(run, 0.0), _frame(run, None)
    return {
        "name": run.name,
        "directory": str(run.folder),
        "title": scene.get("title") or None,
        "ended": bool(summary),
        "end": {key: summary.get(key) for key in ("exit_reason", "exit_message", "exit_code", "restarted_from")},
        "versions": {"scree": summary.get("version"), "device": summary.get("device"), "precision": summary.get("precision"), "threads": summary.get("threads")},
        "settings": settings_of(scene),
        "materials": scene.get("material", {}),
        "shapes": scene.get("shape", {}),
        "walls": scene.get("wall", []),
        "joints": scene.get("joint", []),
        "bodies": {"start": bodies_by_shape(run, first), "end": bodies_by_shape(run, last), "count": summary.get("bodies"), "mass": summary.get("mass"),
                   "inserted": summary.get("bodies_inserted"), "removed": summary.get("bodies_removed")},
        "step": step_of(run),
        "energy": energy_balance(run),
        "momentum": momentum_balance(run),
        "contacts": {"at_end": summary.get("contacts"), "with_walls_at_end": summary.get("wall_contacts"), "largest_overlap": largest_overlap(run)},
        "pair_list": {"rebuilds": summary.get("pair_list_rebuilds"), "steps_per_rebuild": _ratio(summary.get("steps_this_run"), summary.get("pair_list_rebuilds")),
                      "pairs": summary.get("pairs"), "skin": summary.get("skin")},
        "cone": summary.get("cone"),
        "fluid": summary.get("fluid"),
        "speed": {"body_steps_per_second": summary.get("particle_steps_per_second"), "wall_seconds": summary.get("wall_seconds"), "cpu_seconds": summary.get("cpu_seconds"),
                  "seconds_per_stage": summary.get("seconds_per_stage"), "memory_peak_bytes": summary.get("memory_peak_bytes")},
        "events": summary.get("events"),
        "verdicts": summary.get("verdicts"),
        "warnings": run.warnings(),
        "state_hash": summary.get("state_hash"),
        "series": {name: series_facts(column) for name, column in run.columns().items()},
    }


def _frame(run, time):
    times = run.frame_times()
    return run.frame(time) if times else None


def _ratio(a, b):
    return a / b if a is not None and b else None


def settings_of(scene):
    """What decides how the scene is computed, by name; keys that other methods read are left out."""
    method = scene.get("method", {})
    kind = method.get("kind", "penalty")
    found = {"dimensions": scene.get("dimensions", 3), "method": kind}
    for key in METHOD_KEYS.get(kind, tuple(method)):
        if key in method and method[key] not in ("none", ""):
            found[key] = method[key]
    domain = scene.get("domain", {})
    for key in ("gravity", "min", "max", "leave", "periodic", "shear", "acceleration", "gravity_table"):
        if key in domain and domain[key] not in ("none", ""):
            value = domain[key]
            if key in ("min", "max") and all(isinstance(one, (int, float)) and math.isinf(one) for one in value):
                continue
            found[key] = value
    found["end"] = scene.get("time", {}).get("end")
    return found


def bodies_by_shape(run, frame):
    """Of a frame a list of shape, material, count, mass, and smallest and largest radius; members of compounds are in their compounds."""
    if frame is None:
        return []
    spheres = [name for name, shape in run.scene.get("shape", {}).items() if shape.get("kind") in ("sphere", "disk")]
    round_name = spheres[0] if len(spheres) == 1 else "disks" if run.two_dimensional else "spheres"
    materials = list(run.scene.get("material", {}))
    rows = frame["owner"] < 0 if "owner" in frame else np.ones(len(frame["mass"]), dtype=bool)
    shape = frame["shape"] if "shape" in frame else np.full(len(rows), -1)
    found = []
    for number, material in sorted({(int(s), int(m)) for s, m in zip(shape[rows], frame["material"][rows])}):
        these = rows & (shape == number) & (frame["material"] == material)
        radius = frame["radius"][these]
        found.append({"shape": frame["shapes"].get(number, f"shape {number}") if number >= 0 else round_name,
                      "material": materials[material] if 0 <= material < len(materials) else str(material), "count": int(these.sum()),
                      "mass": float(frame["mass"][these].sum()), "radius_min": float(radius.min()) or None, "radius_max": float(radius.max()) or None})
    return found


def step_of(run):
    summary = run.summary
    step, stable = summary.get("dt"), summary.get("stable_step")
    return {"step": step, "stable_step": stable, "margin": _ratio(stable, step), "steps": summary.get("steps"), "time": summary.get("time")}


def measured(run, kind):
    """Names of the measures of a kind."""
    return [entry.get("name", entry["kind"]) for entry in run.scene.get("measure", []) if entry.get("kind") == kind]


def column(run, name):
    found = run.columns().get(name)
    return None if found is None else found.y


def energy_balance(run):
    """Change of the total energy over the sampled times, less the work of walls and fields, over the energy that was turned over: the largest sum of
    kinetic, elastic and dissipated energy, or the span of the potential one where that is more."""
    names = measured(run, "energy")
    total = column(run, f"{names[0]}.total") if names else None
    if total is None or not np.isfinite(total).any():
        return {"known": False, "why": "the scene has no [[measure]] of kind = \"energy\""}
    name = names[0]
    time = run.columns()[f"{name}.total"].x
    rows = np.isfinite(total)
    work = sum((np.nan_to_num(column(run, f"{name}.{key}")) for key in ("work_of_walls", "work_of_fields") if column(run, f"{name}.{key}") is not None), np.zeros(len(total)))
    change = (total - work)[rows]
    change = change - change[0]
    parts = [np.nan_to_num(column(run, f"{name}.{key}")) for key in BALANCE_KEYS if column(run, f"{name}.{key}") is not None]
    turned = float(np.abs(sum(parts)[rows]).max())
    potential = column(run, f"{name}.potential")
    if potential is not None:
        turned = max(turned, float(np.ptp(potential[rows])))
    method = run.scene.get("method", {}).get("kind", "penalty")
    error = float(np.abs(change).max())
    conserved = method == "penalty"
    found = {"known": True, "from": float(time[rows][0]), "to": float(time[rows][-1]), "samples": int(rows.sum()), "accounts_for_losses": conserved,
             "start": float(total[rows][0]), "end": float(total[rows][-1]), "work": float(work[rows][-1] - work[rows][0]), "turned_over": turned,
             "largest_change": error, "change_at_end": float(change[-1]), "relative_error": error / turned if conserved and turned > 0 else None}
    notes = []
    if not conserved:
        notes.append(f"the {method} method keeps no account of what contacts take: the change is what they took, no error")
    if any("motor" in joint or "spring" in joint for joint in run.scene.get("joint", [])):
        notes.append("what joints and motors do is part of the change")
        found["relative_error"] = None
    found["note"] = "; ".join(notes) or None
    return found


def momentum_balance(run):
    """Momentum at the end less that at the start, against the impulse of gravity and walls summed by trapezoids over the sampled times: only as good as
    the samples are dense. Needs momentum, wall_load of all walls at the same times, and bodies that neither come nor go."""
    names, loads = measured(run, "momentum"), measured(run, "wall_load")
    if not names or column(run, f"{names[0]}.px") is None:
        return {"known": False, "why": "the scene has no [[measure]] of kind = \"momentum\""}
    p = np.stack([column(run, f"{names[0]}.p{axis}") for axis in "xyz"], axis=1)
    time = run.columns()[f"{names[0]}.px"].x
    rows = np.isfinite(p).all(axis=1)
    if rows.sum() < 2:
        return {"known": False, "why": "momentum was measured at fewer than two times"}
    found = {"known": True, "from": float(time[rows][0]), "to": float(time[rows][-1]), "samples": int(rows.sum()), "start": p[rows][0].tolist(), "end": p[rows][-1].tolist(),
             "impulse": None, "error": None, "relative_error": None, "note": None}
    reasons = []
    walls = [wall.get("name") for wall in run.scene.get("wall", [])]
    forces = {wall: next((load for load in loads if f"{load}.{wall}.fx" in run.columns()), None) for wall in walls}
    if None in forces.values():
        reasons.append("no wall_load of " + ", ".join(str(wall) for wall, load in forces.items() if load is None))
    domain = run.scene.get("domain", {})
    if run.scene.get("insert") or run.scene.get("remove") or run.summary.get("bodies_removed"):
        reasons.append("bodies come or go")
    if run.scene.get("drag") or "acceleration" in domain or "gravity_table" in domain or "shear" in domain or "stage" in domain:
        reasons.append("media or a changing frame act")
    if run.scene.get("joint"):
        reasons.append("joints act on bodies")
    if any("mass" in wall for wall in run.scene.get("wall", [])):
        reasons.append("walls have a mass")
    mass = run.summary.get("mass")
    if mass is None:
        reasons.append("the run has not ended")
    if run.scene.get("method", {}).get("kind", "penalty") in ("hard", "fluid"):
        reasons.append("this method has no loads of walls")
    if reasons:
        found["note"] = "no balance against forces: " + "; ".join(reasons)
        return found
    force = np.zeros((rows.sum(), 3))
    for wall, load in forces.items():
        force -= np.stack([column(run, f"{load}.{wall}.f{axis}")[rows] if f"{load}.{wall}.f{axis}" in run.columns() else np.zeros(rows.sum()) for axis in "xyz"], axis=1)
    if not np.isfinite(force).all():
        found["note"] = "no balance against forces: momentum and wall_load have no `every` in common"
        return found
    gravity = list(domain.get("gravity", [0, 0, 0])) + [0.0]
    force += mass * np.array(gravity[:3])
    impulse = np.trapezoid(force, time[rows], axis=0) if hasattr(np, "trapezoid") else np.trapz(force, time[rows], axis=0)
    error = float(np.linalg.norm(p[rows][-1] - p[rows][0] - impulse))
    size = max(float(np.linalg.norm(p[rows], axis=1).max()), float(mass * np.linalg.norm(gravity[:3]) * (time[rows][-1] - time[rows][0])))
    found.update(impulse=impulse.tolist(), error=error, relative_error=error / size if size > 0 else None,
                 note=f"forces summed by trapezoids over {rows.sum()} times: a measure of how dense these are, too")
    return found


def largest_overlap(run):
    """At the end, and the largest of the series where it is measured, over the smaller radius."""
    found = {"ratio_at_end": run.summary.get("max_overlap_ratio"), "ratio": None, "time": None}
    for name in measured(run, "max_overlap"):
        one = run.columns().get(f"{name}.ratio")
        if one is not None and np.isfinite(one.y).any():
            k = int(np.nanargmax(one.y))
            found["ratio"], found["time"] = float(one.y[k]), float(one.x[k])
    return found


def series_facts(one):
    values = one.y[np.isfinite(one.y)]
    if not len(values):
        return {"unit": one.unit, "values": 0}
    return {"unit": one.unit, "values": len(values), "first": float(values[0]), "last": float(values[-1]), "min": float(values.min()), "max": float(values.max()), "mean": float(values.mean())}


def flat(value, path=""):
    """Leaves of a scene by their paths; tables in lists go by their name where they have one."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from flat(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        for k, one in enumerate(value):
            yield from flat(one, f"{path}.{one.get('name', k)}")
    else:
        yield path, value


def differences(runs):
    """Keys of the scenes that are not the same in all runs, with the value of each run; None where it has none."""
    flattened = [dict(flat(run.scene)) for run in runs]
    keys = list(dict.fromkeys(key for one in flattened for key in one))
    return [{"key": key, "values": [one.get(key) for one in flattened]} for key in keys if any(one.get(key) != flattened[0].get(key) for one in flattened)]


RESULTS = (("bodies at the end", "", ("bodies", "count")), ("mass at the end", "kg", ("bodies", "mass")), ("steps", "", ("step", "steps")), ("step", "s", ("step", "step")),
           ("stability margin", "", ("step", "margin")), ("simulated time", "s", ("step", "time")), ("wall-clock time", "s", ("speed", "wall_seconds")),
           ("body-steps per second", "", ("speed", "body_steps_per_second")), ("pair list rebuilds", "", ("pair_list", "rebuilds")),
           ("error of the energy balance", "", ("energy", "relative_error")), ("overlap / radius at the end", "", ("contacts", "largest_overlap", "ratio_at_end")),
           ("largest overlap / radius measured", "", ("contacts", "largest_overlap", "ratio")), ("contacts between bodies at the end", "", ("contacts", "at_end")),
           ("contacts with walls at the end", "", ("contacts", "with_walls_at_end")), ("state hash", "", ("state_hash",)))


def comparison(facts):
    """Results side by side: label, unit, and the value of each run. Last values of series that all runs have follow."""
    rows = []
    for label, unit, path in RESULTS:
        values = []
        for one in facts:
            for key in path:
                one = one.get(key) if isinstance(one, dict) else None
            values.append(one)
        if any(value is not None for value in values):
            rows.append({"result": label, "unit": unit, "values": values})
    for name in facts[0]["series"]:
        if all("last" in one["series"].get(name, {}) for one in facts):
            rows.append({"result": f"{name}, last", "unit": facts[0]["series"][name]["unit"], "values": [one["series"][name]["last"] for one in facts]})
    return rows


def clean(value):
    """The same without numbers that JSON does not know."""
    if isinstance(value, dict):
        return {str(key): clean(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "-inf" if value < 0 else None
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)


def all_facts(runs):
    facts = [facts_of(run) for run in runs]
    found = {"scree_report": 1, "runs": facts}
    if len(runs) > 1:
        found["differences"], found["comparison"] = differences(runs), comparison(facts)
    return clean(found)
