"""Draws columns of one or several runs: a panel for each group of columns with one unit, or for each column where several runs are compared.

Colours are those of Okabe & Ito (2008), which people with any kind of colour blindness tell apart; with more lines than colours, dashes differ too.
"""
import os
import re

import numpy as np

import units

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MOST_POINTS = 20000  # of a line: more are drawn as the least and the largest of each stretch, which look the same
STYLE = {"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica", "sans-serif"], "font.size": 10, "axes.titlesize": 11, "axes.labelsize": 10,
         "legend.fontsize": 8.5, "xtick.labelsize": 9, "ytick.labelsize": 9, "axes.grid": True, "grid.alpha": 0.3, "grid.linewidth": 0.6, "axes.spines.top": False,
         "axes.spines.right": False, "lines.linewidth": 1.5, "legend.frameon": False, "svg.fonttype": "none", "svg.hashsalt": "scree", "pdf.fonttype": 42, "path.simplify": False,
         "axes.formatter.useoffset": False, "axes.formatter.limits": (-4, 5)}


class Panel:
    """Lines that share their axes: `lines` is a list of (run, column); `compared` where the lines of a figure are told apart by their runs."""

    def __init__(self, group, unit):
        self.group, self.unit, self.lines, self.compared = group, unit, [], False

    def columns(self):
        return list(dict.fromkeys(column.name for _, column in self.lines))

    def title(self):
        return self.columns()[0] if len(self.columns()) == 1 else self.group

    def runs(self):
        return list(dict.fromkeys(run.name for run, _ in self.lines))


def arrange(lines, split):
    """Panels of (run, column), in their order; with `split` one for each column, else for each group, unit (of pure numbers what they count) and horizontal axis."""
    found = {}
    for run, column in lines:
        key = (column.name if split else column.group(), column.unit or column.quantity, column.x_name, column.kind == "profile")
        found.setdefault(key, Panel(column.group(), column.unit)).lines.append((run, column))
    for panel in found.values():
        panel.compared = split
    return list(found.values())


def thin(x, y, most=MOST_POINTS):
    """At most about `most` points that draw the same line: of each stretch the first of its least and of its largest values, and both ends."""
    if len(x) <= most:
        return x, y
    edges = np.linspace(0, len(x), most // 2 + 1).astype(int)
    keep = {0, len(x) - 1}
    for first, last in zip(edges[:-1], edges[1:]):
        keep.update((first + int(np.argmin(y[first:last])), first + int(np.argmax(y[first:last]))))
    keep = np.array(sorted(keep))
    return x[keep], y[keep]


def known(x, y):
    """Points of which both numbers are there."""
    rows = np.isfinite(x) & np.isfinite(y)
    return x[rows], y[rows]


def largest(values):
    finite = [np.abs(v[np.isfinite(v)]).max() for v in values if np.isfinite(v).any()]
    return max(finite, default=0.0)


def axis_label(text, unit):
    return f"{text} [{unit}]" if unit else text


def words(name):
    return name.replace("_", " ")


def plain(text):
    """Text that Matplotlib shows as it stands: no formulas, and no leading underscore, which would hide a line from the legend."""
    return text.replace("$", r"\$").replace("_", " _", 1) if text.startswith("_") else text.replace("$", r"\$")


def draw_panel(axes, panel, order, log="", references=(), most=MOST_POINTS):
    """Draws one panel. `order` keeps the number of each run, so that its colour is the same in all panels; `references` are (label, x, y) in SI units of
    the panel's axes. Lines carry the id RUN:COLUMN in SVG files."""
    several_columns = len(panel.columns()) > 1
    first = panel.lines[0][1]
    lines = [(run, column, *known(column.x, column.y)) for run, column in panel.lines]
    turned = first.kind == "profile"
    x_factor, x_unit = units.scale(first.x_unit, largest([x for *_, x, _ in lines] + [x for _, x, _ in references]))
    y_factor, y_unit = units.scale(panel.unit, largest([y for *_, y in lines] + [y for *_, y in references]))
    for k, (run, column, x, y) in enumerate(lines):
        label = run.name if panel.compared else words(column.own())
        x, y = thin(x, y, most) if column.kind == "distribution" or column.kind == "series" and first.x_name == "time" else (x, y)
        x, y = x * x_factor, y * y_factor
        single = len(x) == 1
        at = order.setdefault(run.name, len(order)) if panel.compared else k
        axes.plot(*((y, x) if turned else (x, y)), color=COLOURS[at % len(COLOURS)], linestyle=DASHES[at // len(COLOURS) % len(DASHES)],
                      marker="o" if single else None, markersize=4, label=plain(label), gid=f"{run.name}:{column.name}")
    for k, (label, x, y) in enumerate(references):
        x, y = x * x_factor, y * y_factor
        axes.plot(*((y, x) if turned else (x, y)), linestyle="none", marker=MARKERS[k % len(MARKERS)], markersize=4.5, markerfacecolor="none", color="black",
                  label=plain(label), gid=f"reference:{label}")
    if "x" in log:
        axes.set_xscale("log", nonpositive="mask")
    if "y" in log:
        axes.set_yscale("log", nonpositive="mask")
    axes.relim()
    axes.autoscale_view()
    label_axes(axes, panel, first, several_columns, *((y_unit, x_unit) if turned else (x_unit, y_unit)))
    shown = len(lines) + len(references)
    if shown > 1 or panel.compared:
        outside = shown > 5
        axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0} if outside else {"loc": "best"}))
    return axes


def label_axes(axes, panel, first, several_columns, x_unit, y_unit):
    quantities = list(dict.fromkeys(column.quantity for _, column in panel.lines))
    own = words(first.own()) if first.kind == "series" else first.quantity
    name = (quantities[0] if len(quantities) == 1 and quantities[0] else "value") if several_columns else own
    x_name, y_name = (name, words(first.x_name)) if first.kind == "profile" else (words(first.x_name), name)
    title = panel.title()
    times = list(dict.fromkeys(column.label for _, column in panel.lines if column.label))
    if times:
        title += f", {times[0]}" if len(times) == 1 else ", last frames"
    axes.set(title=plain(title), xlabel=plain(axis_label(x_name, x_unit)), ylabel=plain(axis_label(y_name, y_unit)))


def draw_figure(panels, log="", references=(), title="", most=MOST_POINTS):
    """A figure of all panels, in rows of at most three. `references` is a list of (panel, label, x, y)."""
    from matplotlib import pyplot as plt  # takes half a second: only where something is drawn
    plt.rcParams.update(STYLE)
    across = 1 if len(panels) == 1 else 2 if len(panels) <= 8 else 3
    down = -(-len(panels) // across)
    wide = any(len(panel.lines) > 5 for panel in panels)
    width, height = (6.6, 4.2) if across == 1 else (5.0, 3.4)
    figure, grid = plt.subplots(down, across, figsize=((width + 1.6 * wide) * across, height * down), squeeze=False, constrained_layout=True)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    figure.set_constrained_layout_pads(w_pad=0.08, h_pad=0.1)
    order = {name: k for k, name in enumerate(dict.fromkeys(run.name for panel in panels for run, _ in panel.lines))}
    for axes, panel in zip(grid.flat, panels):
        draw_panel(axes, panel, order, log, [reference[1:] for reference in references if reference[0] is panel], most)
    if title:
        figure.suptitle(plain(title), fontsize=13)
    return figure


def save(figure, path):
    """Writes a figure, the same bytes for the same numbers."""
    ending = str(path).rsplit(".", 1)[-1]
    fixed = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[ending]
    part = f"{path}.part"  # so that the file is never there in part
    try:
        figure.savefig(part, format=ending, dpi=200, metadata=fixed)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)
        _close(figure)


def _close(figure):
    from matplotlib import pyplot as plt
    plt.close(figure)


# Colours that follow those of the page around the figure: black stands for the ink of the page.
INK = "#010203"


def inline_svg(figure, mark, description):
    """The figure as an <svg> element for a page: no fonts or links of its own, ids that begin with `mark`, ink of the page, text for readers of screens."""
    import io
    from html import escape
    for axes in figure.axes:
        axes.title.set_color(INK)
        axes.xaxis.label.set_color(INK)
        axes.yaxis.label.set_color(INK)
        axes.tick_params(colors=INK, which="both")
        for text in (axes.xaxis.get_offset_text(), axes.yaxis.get_offset_text()):
            text.set_color(INK)
        for spine in axes.spines.values():
            spine.set_edgecolor(INK)
        if axes.get_legend():
            for text in axes.get_legend().get_texts():
                text.set_color(INK)
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    _close(figure)
    svg = text.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace("xlink:href", "href").replace(INK, "currentColor")
    svg = re.sub(r'\bid="([^"]*)"', lambda m: f'id="{mark}-{m[1]}"', svg)
    svg = re.sub(r"url\(#([^)]*)\)", rf"url(#{mark}-\1)", svg)
    svg = re.sub(r'href="#([^"]*)"', rf'href="#{mark}-\1"', svg)
    size = re.search(r'<svg[^>]*?width="([\d.]+)pt"', svg)
    head = f'<svg role="img" aria-label="{escape(description, quote=True)}" style="width:{float(size[1]) / 72:.2f}in" viewBox='
    return re.sub(r"<svg[^>]*?viewBox=", lambda m: head, svg, count=1)
