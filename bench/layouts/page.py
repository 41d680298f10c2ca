"""Pictures and tables of docs/layouts.md from a result of tools/layouts. Figures are nanoseconds of processor time per particle, the least of
the repetitions, unless a head says otherwise."""
import re

# Word in results -> what pictures and tables call it; colour of its curve.
STRUCTURES = {
    "brute": ("all pairs", "#222222"),
    "vectors": ("vector of vectors", "#d1495b"),
    "linked": ("linked lists", "#edae49"),
    "fixed": ("fixed capacity", "#9c6644"),
    "csr": ("CSR", "#00798c"),
    "csr_parallel_prefix": ("CSR, parallel prefix sum", "#66b2b2"),
    "csr_copied": ("CSR with copied places", "#003d5b"),
    "sorted_table": ("sorted, table", "#8e6c8a"),
    "sorted_bisected": ("sorted, bisection", "#c9a2c6"),
    "hashed": ("hashed, scattered", "#6a994e"),
    "hashed_in_rows": ("hashed, in rows", "#a7c957"),
}
STORAGES = {"structs": "array of structs (48 B)", "points": "positions apart (24 B)", "components": "struct of arrays (8 B)"}
COMMON = {"storage": "points", "stencil": "half", "walk": "particles", "cell": 1.0, "near": 6.0}  # what a study does not vary
N = 1000000
SIZES = [10 ** k for k in range(3, 8)]
NEAR = [0.1, 1.0, 6.0, 12.0, "packed"]
CELLS = [0.5, 1.0, 1.5, 2.0]


class Times:
    """Finds rows by what they are; what is not said is the common case."""

    def __init__(self, result):
        self.rows = {self.key(row): row for row in result["times"]}

    @staticmethod
    def key(case):
        return tuple(sorted((k, str(case[k])) for k in ("operation", "structure", "storage", "stencil", "walk", "order", "cell", "near", "drift", "n")
                            if k in case))

    def row(self, operation, structure, order="unsorted", n=N, **other):
        return self.rows.get(self.key({**COMMON, "operation": operation, "structure": structure, "order": order, "n": n, **other}), {})

    def ns(self, *arguments, figure="cpu_ns_min", **more):
        """The figure, or None where the case was left out."""
        return self.row(*arguments, **more).get(figure)

    def step(self, structure, **case):
        """A build and a search."""
        parts = [self.ns(operation, structure, **case) for operation in ("build", "search")]
        return None if None in parts else sum(parts)


def text(value, digits=3):
    """Three digits, and no more places than they need."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 10 ** (digits - 1) else f"{value:.{digits}g}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def searched(names=STRUCTURES):
    return [name for name in names if name not in ("brute", "csr_parallel_prefix")]


def structures_table(result):
    t = Times(result)
    rows = []
    for name in searched() + ["csr_parallel_prefix"]:
        figures = [t.ns("build", name), t.ns("first", name), t.ns("search", name), t.ns("search", name, walk="cells"), t.ns("search", name, "sorted"),
                   t.ns("search", name, stencil="full"), t.ns("search", name, "sorted", stencil="full")]
        rows.append([STRUCTURES[name][0], *map(text, figures)])
    return table(["", "build", "allocated anew", "search, unsorted", "unsorted, cell by cell", "sorted", "full stencil, unsorted", "full, sorted"], rows)


def sizes_table(result):
    t = Times(result)
    rows = [["all pairs, search alone", *(text(t.ns("search", "brute", n=n)) for n in SIZES)]]
    for name in ("vectors", "csr", "csr_copied"):
        rows += [[f"{STRUCTURES[name][0]}, {order}", *(text(t.step(name, order=order, n=n)) for n in SIZES)] for order in ("unsorted", "sorted")]
    return table(["build + search", *(f"10{'³⁴⁵⁶⁷'[k]}" for k in range(5))], rows)


def counts_table(result):
    """Bytes by the source, and what cachegrind counted."""
    t = Times(result)
    keys = ("operation", "structure", "storage", "order", "stencil", "walk")
    counted = {tuple(row.get(k) for k in keys): row for row in result["counts"]["rows"]}
    rows = []
    for name, storage in [*((name, "points") for name in searched()), ("csr", "structs"), ("csr", "components")]:
        build = counted.get(("build", name, storage, "unsorted", None, None), {})
        unsorted, ordered = (counted.get(("search", name, storage, order, "half", "particles"), {}) for order in ("unsorted", "sorted"))
        figures = [t.row("build", name).get("held"), t.row("build", name).get("bytes"), t.row("search", name, storage=storage).get("bytes"),
                   build.get("instructions"), unsorted.get("instructions"), unsorted.get("branches_mispredicted")]
        figures += [row.get(key) for row in (unsorted, ordered) for key in ("first_level_misses", "second_level_misses")]
        rows.append([STRUCTURES[name][0] + ("" if storage == "points" else f", {STORAGES[storage].split(' (')[0]}"), *map(text, figures)])
    return table(["", "held [B]", "build touches [B]", "search touches [B]", "build: instructions", "search: instructions", "branches mispredicted",
                  "D1 misses, unsorted", "L2 misses", "D1 misses, sorted", "L2 misses"], rows)


def cells_table(result):
    t = Times(result)
    rows = []
    for near in NEAR:
        case = {"order": "sorted", "near": near}
        steps = [t.step("csr", cell=cell, **case) for cell in CELLS]
        best = min((s for s in steps if s is not None), default=None)
        marked = [f"**{text(s)}**" if s is not None and s == best else text(s) for s in steps]
        tested = [t.ns("search", "csr", cell=cell, figure="tested", **case) for cell in CELLS]
        others = [t.step(name, cell=1.0, **case) for name in ("vectors", "hashed_in_rows")]
        held = [t.ns("build", name, cell=1.0, figure="held", **case) for name in ("csr", "vectors", "hashed_in_rows")]
        rows.append([str(near).removesuffix(".0"), *marked, " · ".join(map(text, tested)), " · ".join(map(text, others)), " · ".join(map(text, held))])
    return table(["neighbours", *(f"CSR, {cell:g} d" for cell in CELLS), "distances computed", "1 d: vectors · hashed in rows",
                  "held at 1 d [B]: CSR · vectors · hashed"], rows)


def upkeep_table(result):
    t = Times(result)
    rows = []
    for drift in (0.01, 0.1):
        for order in ("unsorted", "sorted"):
            left = t.row("rebuild", "vectors", order, drift=drift).get("left_their_cell")
            share = "–" if left is None else f"{100 * left:.2g} %"
            figures = [t.ns("update", "vectors", order, drift=drift), t.ns("rebuild", "vectors", order, drift=drift),
                       t.ns("rebuild", "csr", order, drift=drift), t.ns("rebuild", "linked", order, drift=drift)]
            rows.append([f"{drift:g} d", share, order, *map(text, figures)])
    return table(["step", "leave their cell", "particles", "vectors updated", "vectors built anew", "CSR built anew", "lists built anew"], rows)


TABLES = {"structures": structures_table, "sizes": sizes_table, "counts": counts_table, "cells": cells_table, "upkeep": upkeep_table}


def fill(result, path):
    """Writes each table between its marks, <!-- table NAME --> and <!-- end -->."""
    page = path.read_text()
    for name, make in TABLES.items():
        page, places = re.subn(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + "\n" + make(result) + "\n\n" + m[2], page, flags=re.S)
        if places != 1:
            raise SystemExit(f"layouts: {path.name} has {places} places for table {name}")
    path.write_text(page)
    return [path]


def curve(axes, name, x, y):
    points = [(a, b) for a, b in zip(x, y) if b is not None]
    if points:  # sorting with a table ends in the same structure as CSR: dashes let both be seen
        axes.plot(*zip(*points), color=STRUCTURES[name][1], label=STRUCTURES[name][0], marker="o", markersize=3.5, linewidth=1.5,
                  linestyle="--" if name == "sorted_table" else "-")


def draw_sizes(figure, result):
    t = Times(result)
    panels = figure.subplots(1, 3, sharey=True)
    for axes, title, operation, order in zip(panels, ("build", "search, unsorted particles", "search, particles sorted by cell"),
                                             ("build", "search", "search"), ("unsorted", "unsorted", "sorted")):
        for name in STRUCTURES:
            if name == "brute" and operation == "build":
                continue
            curve(axes, name, SIZES, [t.ns(operation, name, "unsorted" if name == "brute" else order, n=n) for n in SIZES])
        axes.set(title=title, xlabel="particles", xscale="log", yscale="log", ylim=(1, 4e4))
    panels[0].set_ylabel("processor time per particle [ns]")
    names = {label: line for axes in panels for line, label in zip(*axes.get_legend_handles_labels())}
    order = [label for label, _ in STRUCTURES.values() if label in names]
    figure.legend([names[label] for label in order], order, loc="lower center", ncols=6, frameon=False, fontsize=8.5)


def draw_cells(figure, result):
    t = Times(result)
    panels = figure.subplots(1, len(NEAR), sharey=True)
    for axes, near in zip(panels, NEAR):
        for name in searched():
            curve(axes, name, CELLS, [t.step(name, order="sorted", near=near, cell=cell) for cell in CELLS])
        title = "packed, 12 neighbours" if near == "packed" else f"{near:g} neighbour{'s' * (near != 1)}"
        axes.set(title=title, xlabel="width of a cell [diameters]", yscale="log", xticks=CELLS)
    panels[0].set_ylabel("build + search,\nprocessor time per particle [ns]")
    figure.legend(*panels[2].get_legend_handles_labels(), loc="lower center", ncols=5, frameon=False, fontsize=8.5)


def draw_storages(figure, result):
    t = Times(result)
    cases = [("unsorted", "unsorted", "particles"), ("unsorted,\ncell by cell", "unsorted", "cells"), ("sorted", "sorted", "particles")]
    shades = {"structs": "#bf4e30", "points": "#00798c", "components": "#edae49"}
    names = ("vectors", "linked", "csr", "csr_copied")
    panels = figure.subplots(1, len(names), sharey=True)
    for axes, name in zip(panels, names):
        for k, storage in enumerate(STORAGES):
            heights = [t.ns("search", name, order, storage=storage, walk=walk) or 0 for _, order, walk in cases]
            axes.bar([c + 0.27 * (k - 1) for c in range(len(cases))], heights, 0.25, color=shades[storage], label=STORAGES[storage])
        axes.set(title=STRUCTURES[name][0], xticks=range(len(cases)))
        axes.set_xticklabels([label for label, _, _ in cases], fontsize=8)
    panels[0].set_ylabel("search,\nprocessor time per particle [ns]")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower center", ncols=3, frameon=False, fontsize=8.5)


BELOW = 0.5  # room for the legend [inches]
PICTURES = {"sizes": (draw_sizes, (10, 4.4)), "cells": (draw_cells, (11, 3.9)), "storages": (draw_storages, (10, 3.7))}


def draw(result, folder):
    """Writes layouts_NAME.png for each picture; returns their paths."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    paths = []
    for name, (fill_figure, size) in PICTURES.items():
        figure = plt.figure(figsize=size, dpi=130)
        fill_figure(figure, result)
        for axes in figure.axes:
            axes.grid(alpha=0.3, which="major", axis="y" if name == "storages" else "both")
            axes.set_axisbelow(True)
            axes.title.set_fontsize(10)
            axes.spines[["top", "right"]].set_visible(False)
        figure.tight_layout(rect=(0, BELOW / size[1], 1, 1))
        paths.append(folder / f"layouts_{name}.png")
        figure.savefig(paths[-1])
        plt.close(figure)
    return paths
