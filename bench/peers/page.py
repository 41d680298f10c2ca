"""Writes what was measured into docs/performance.md, between marks `<!-- NAME -->` and `<!-- /NAME -->`."""
import re

import bounds
import uniform


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def ratio_text(case, of, over, threads):
    """By processor time, median of the rounds (of older results the best of each code), with the least and the largest."""
    for r in case["ratios"]:
        if (r["of"], r["over"], r["threads"]) == (of, over, threads):
            return f"{r.get('cpu_median', r['cpu']):.2f} ({r['cpu_least']:.2f}–{r['cpu_most']:.2f})"
    return ""


def sphere_table(cases, names):
    rows = []
    for case in cases:
        for row in case["codes"]:
            peer = not row["code"].startswith("scree")
            over = [ratio_text(case, f"scree_{precision}", row["code"], row["threads"]) if peer else "" for precision in ("double", "mixed", "double_own", "mixed_own")]
            rows.append([case["case"], f"{case['bodies']:,}", names[row["code"]], str(row["threads"]), f"{1e-6 * row['particle_steps_per_cpu_second']:.2f}",
                         f"{1e-6 * row['particle_steps_per_second']:.2f}", *over, f"{1e-6 * row['peak_memory_bytes']:.0f}", f"{row['contacts'] / case['bodies']:.3f}"])
    return table(["bed", "bodies", "code", "threads", "M/s per CPU second", "M/s of wall time", "Scree double over it", "mixed over it", "double, skin by itself", "mixed, skin by itself", "peak MB",
                  "contacts/body"], rows)


def cube_table(cases, names):
    rows = []
    for case in cases:
        for row in case["codes"]:
            rows.append([f"1/{1 / row['step']:.0f} s", f"{case['bodies']:,}", names[row["code"]], f"{1e-3 * row['particle_steps_per_cpu_second']:.0f}",
                         f"{row['particle_steps_per_cpu_second'] * row['step']:.0f}", f"{row['deepest_overlap_over_edge']:.4f}",
                         f"{row['mean_drop_over_edge']:.2f}", f"{1e-6 * row['peak_memory_bytes']:.0f}"])
    return table(["step", "cubes", "code", "thousand body-steps per CPU second", "body-seconds per CPU second", "deepest overlap [edge]", "sunk [edge]",
                  "peak MB"], rows)


def machine_model(result):
    model = result["machine"].get("processor_model")
    return f", {model}" if model else ""


def bandwidth_rows(machine, figures):
    rows = []
    for f in figures:
        if f["kind"] == "micro" and f["case"] in ("for_each copy", "for_each triad") and f["precision"].endswith("double"):
            rows.append(["" if rows else machine, f["case"].split()[1], f"{f['bodies']:,}", str(f["threads"]), f"{f['gigabytes_per_second']:.1f}"])
    return rows


def bound_table(result, figures):
    """None where the result lacks the bandwidth, or steps whose bytes are counted."""
    bandwidth = uniform.bandwidth(figures, 1)
    if not bandwidth:
        return None
    lines = [[name, f"{bodies:,}", f"{moved:,.0f}", f"{least:.0f}", f"{flops:,.0f}", f"{took:,.0f}", f"{100 * least / took:.0f} %", f"{flops / took:.1f}"]
             for name, bodies, moved, flops, least, took in bounds.rows(result, bandwidth)]
    head = ["step", "bodies", "bytes", f"ns at {1e-9 * bandwidth:.0f} GB/s", "flops", "ns measured", "of the bandwidth", "Gflop/s"]
    return table(head, lines) if lines else None


SPEEDS = (("bed", "equal", "spheres at rest, skin of 0.2 mm"), ("bed", "equal_own_skin", "spheres at rest"), ("bed", "flow", "spheres flowing, skin of 0.2 mm"),
          ("bed", "spread", "spheres at rest, radii 1 : 20"), ("polyhedra", "cubes cube", "cubes at rest"), ("cone", "cubes", "cubes at rest, cone method"),
          ("cone", "silo", "spheres that begin to flow, cone method"), ("disks", "penalty settled", "disks at rest"), ("fluid", "column", "fluid"),
          ("collide", "scattered grid 6 neighbours", "collision detection alone"))


def speed_table(figures):
    """A line for each case and size: million body-steps per second on so many threads, best of the repeats. None where there are none."""
    lines = []
    for kind, case, name in SPEEDS:
        found = [f for f in figures if f["kind"] == kind and (f["case"] == case or f["case"].startswith(case + " "))]
        for words, bodies in dict.fromkeys((f["case"], f["bodies"]) for f in found):
            these = {(f["precision"], f["threads"]): f for f in found if (f["case"], f["bodies"]) == (words, bodies)}
            rates = [f"{1e-6 * these[key]['particle_steps_per_second']:.3g}" if key in these else "" for key in
                     (("double", 1), ("double", 2), ("mixed", 1), ("mixed", 2))]
            first = next(iter(these.values()))
            share, memory = first["pair_list_share"], first["bytes_per_body"]
            lines.append([" ".join([name + ",", words[len(case):].strip()]).rstrip(", "), f"{bodies:,}", *rates, f"{100 * share:.0f} %" if share is not None else "",
                          f"{memory:,.0f}" if memory else ""])
    return table(["step", "bodies", "double, 1 thread", "2 threads", "mixed, 1 thread", "2 threads", "lists", "bytes a body"], lines) if lines else None


def fill(text, name, content):
    """The text with what lies between the marks replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(text):
        raise uniform.Unusable(f"docs/performance.md has no marks <!-- {name} --> and <!-- /{name} -->")
    return pattern.sub(lambda found: found.group(1) + content + "\n" + found.group(2), text)


def write(paths, page, names):
    """Results of tools/peers give the tables of peers, those of tools/bench the bandwidth of each, and the first of them the speeds and how near
    to the bandwidth these are; of a case on as many threads in several files the last counts."""
    cases, bandwidth, measured, text = {}, [], None, page.read_text()
    for path in paths:
        result, figures = uniform.read(path)
        if result.get("benchmark") == "peers":
            cases.update({(case["case"], case["bodies"], min(row["threads"] for row in case["codes"])): case for case in result["cases"]})
        else:
            measured = measured or (result, figures)
            bandwidth += bandwidth_rows(f"{result['machine']['processor']}{machine_model(result)} (`{path.name}`)", figures)
    if measured:
        for name, content in (("speeds", speed_table(measured[1])), ("bounds", bound_table(*measured))):
            text = fill(text, name, content) if content else text
    if bandwidth:
        text = fill(text, "bandwidth", table(["machine", "loop", "elements", "threads", "GB/s"], bandwidth))
    order = ["settled", "flow", "periods", "cubes", "cubes_long"]
    ordered = [cases[key] for key in sorted(cases, key=lambda key: (order.index(key[0]), *key[1:]))]
    spheres, cubes = ([case for case in ordered if case["case"].startswith("cubes") == wanted] for wanted in (False, True))
    if spheres:
        text = fill(text, "peers of spheres", sphere_table(spheres, names))
    if cubes:
        text = fill(text, "peers of cubes", cube_table(cubes, names))
    page.write_text(text)
