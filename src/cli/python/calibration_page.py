"""The page of a calibration: best values and how sure they are, targets, the surface of the misfit, convergence, and all evaluations."""
from html import escape

import numpy as np

import panels
import report_page
import responses
from report_page import figure, shown, table

MESH = 61  # points along each axis of a surface
MOST_SURFACES = 10
WITHIN = (2.30, 6.18)  # rises of the misfit that hold 68 % and 95 % of two unknowns, of a normal distribution


def page(search, found, model, x):
    c = search.c
    title = f"Calibration of {', '.join(one.name for one in c.unknowns)}"
    sections = [("result", "Result", result_section(c, found)), ("targets", "Targets", targets_section(found))]
    if model is not None:
        sections += [("surface", "Misfit over the unknowns", surface_section(search, model, x)), ("responses", "What targets depend on", responses_section(search, model, x))]
    sections += [("convergence", "Convergence", convergence_section(search)), ("evaluations", "Evaluations", evaluations_section(search)), ("tests", "Tests", tests_section(c))]
    return report_page.document(title, f"Of {c.table.file}, by Scree", sections)


def result_section(c, found):
    keys = [("evaluations", shown(found["evaluations"])), ("runs", shown(found["runs"])), ("least misfit of a run", shown(found["least_misfit"], digits=3)), ("evaluations that failed", shown(found["failed"]))]
    text = '<ul class="key">' + "".join(f"<li>{escape(label)}<b>{value}</b></li>" for label, value in keys) + "</ul>"
    rows = []
    for name, entry in found["unknowns"].items():
        unit, sure = entry["unit"], "68%" in entry
        cells = [f"<b>{plain(entry['best'], unit)}</b>"] + ([f"{plain(entry[level][0], unit)} to {plain(entry[level][1], unit)}" for level in ("68%", "95%")] if sure else ["–", "–"])
        rows.append([escape(name), *cells, f"{plain(entry['range'][0], unit)} to {plain(entry['range'][1], unit)}", "<br>".join(f"<code>{escape(key)}</code>" for key in entry["keys"])])
    text += table(["unknown", "best", "68 % of its probability", "95 %", "range", "keys"], rows, "Best values: those most likely to give what was measured")
    text += "".join(f'<p class="warn">{escape(one[0].upper() + one[1:])}.</p>' for one in found["remarks"])
    if "correlation" in found:
        names = list(found["unknowns"])
        rows = [[escape(name), *(shown(round(value, 2), digits=2) for value in line)] for name, line in zip(names, found["correlation"])]
        text += table(["correlation", *map(escape, names)], rows, "Near 1 or −1 the targets tell of a combination of two unknowns, not of each", numeric=tuple(range(1, len(names) + 1)))
    if all("68%" in one for one in found["unknowns"].values()):
        text += ('<p class="soft">Probabilities are of all values within the ranges alike before, and of errors of what was measured that are normal with the tolerances as standard deviations; '
                 "what so few runs leave unknown of the responses widens them.</p>")
    else:
        text += '<p class="soft">Best values are those of the best evaluation: there were too few, or no scikit-learn, for a model of the responses.</p>'
    return text


def plain(value, unit=""):
    """Values in the unit of their file."""
    return f"{value:.4g}".replace("-", "−") + (f"\u00a0{escape(unit)}" if unit else "")


def targets_section(found):
    rows = []
    for name, entry in found["targets"].items():
        best = plain(entry["at_best"], entry["unit"]) + (f" ± {plain(entry['at_best_deviation'])}" if entry["at_best_deviation"] is not None else "")
        rows.append([escape(name), escape(entry["test"]), f"{plain(entry['measured'])} ± {plain(entry['tolerance'], entry['unit'])}", best, plain(entry["nearest_run"], entry["unit"]),
                     plain(entry["missed_by"]), plain(entry["scatter"], entry["unit"]) if entry["scatter"] is not None else "–"])
    return table(["target", "test", "measured", "at the best values", "in the best evaluation", "missed by, in tolerances", "scatter of a run"], rows, numeric=(5,))


def axis_label(one):
    return panels.plain(panels.axis_label(panels.words(one.name), one.unit))


def new_figure(width=5.2, height=3.9, **how):
    from matplotlib import pyplot as plt
    plt.rcParams.update(panels.STYLE)
    return plt.subplots(figsize=(width, height), constrained_layout=True, **how)


def scales(axes, along, one):
    if one.table.values.get("scale") != "log":
        return
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
    getattr(axes, f"set_{along}scale")("log")
    axis = getattr(axes, f"{along}axis")
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def surface_section(search, model, x):
    """The misfit over each two unknowns, the others at their best; over one alone a line."""
    c, text = search.c, '<div class="figures">'
    u = np.linspace(0, 1, MESH)
    if len(c.unknowns) == 1:
        one = c.unknowns[0]
        drawn, axes = new_figure()
        axes.plot([one.quantile(v) for v in u], model.misfit(u[:, None]), color=panels.COLOURS[0])
        good = search.good()
        axes.plot([e.values[one.name] for e in good], [e.misfit(c.targets) for e in good], "o", color=panels.COLOURS[1], markersize=4, markerfacecolor="none")
        axes.set(xlabel=axis_label(one), ylabel="misfit", yscale="log")
        scales(axes, "x", one)
        return text + figure(panels.inline_svg(drawn, "s0", f"Misfit over {one.name}, least at {c.values_at(x)[one.name]:.4g}."), "line: model; circles: evaluations") + "</div>"
    pairs = [(a, b) for a in range(len(c.unknowns)) for b in range(a + 1, len(c.unknowns))]
    for number, (a, b) in enumerate(pairs[:MOST_SURFACES]):
        text += figure(*surface(search, model, x, a, b, f"s{number}"))
    text += "</div>"
    return text + (f"<p>{len(pairs) - MOST_SURFACES} more pairs of unknowns are left out.</p>" if len(pairs) > MOST_SURFACES else "")


def surface(search, model, x, a, b, mark):
    c = search.c
    u = np.linspace(0, 1, MESH)
    points = np.tile(x, (MESH * MESH, 1))
    points[:, a], points[:, b] = (part.ravel() for part in np.meshgrid(u, u))
    misfit = model.misfit(points).reshape(MESH, MESH)
    drawn, axes = new_figure()
    one, other = c.unknowns[a], c.unknowns[b]
    along, up = [one.quantile(v) for v in u], [other.quantile(v) for v in u]
    least, most = max(misfit.min(), 1e-2), max(misfit.max(), 1.0)
    levels = np.geomspace(least, most * 1.0001, 13)
    filled = axes.contourf(along, up, np.maximum(misfit, least), levels=levels, cmap="cividis", norm=_log_norm(levels), extend="min")
    drawn.colorbar(filled, ax=axes, label="misfit", format="%.3g")
    axes.contour(along, up, misfit - misfit.min(), levels=WITHIN, colors=["white"], linestyles=["-", "--"], linewidths=1.2)
    axes.plot([e.values[one.name] for e in search.done], [e.values[other.name] for e in search.done], "o", color="white", markersize=4, markeredgecolor="black", markeredgewidth=0.6, linestyle="none")
    best = c.values_at(x)
    axes.plot(best[one.name], best[other.name], "*", color=panels.COLOURS[1], markersize=14, markeredgecolor="white", markeredgewidth=0.8)
    axes.set(xlabel=axis_label(one), ylabel=axis_label(other))
    axes.grid(False)
    scales(axes, "x", one)
    scales(axes, "y", other)
    words = f"Misfit over {one.name} and {other.name}, least at {best[one.name]:.4g} and {best[other.name]:.4g}."
    return panels.inline_svg(drawn, mark, words), "colour: misfit of the model; star: best values; circles: evaluations; white lines: 2.3 (full) and 6.2 (dashed) above the least, 68 % and 95 % of both"


def _log_norm(levels):
    from matplotlib.colors import LogNorm
    return LogNorm(levels[0], levels[-1])


def responses_section(search, model, x):
    """Each target over each unknown, the others at their best: mean and two standard deviations, with what was measured."""
    c, text, number = search.c, '<div class="figures">', 0
    u = np.linspace(0, 1, MESH)
    for k, target in enumerate(c.targets):
        for a, one in enumerate(c.unknowns):
            if number >= 24:
                break
            points = np.tile(x, (MESH, 1))
            points[:, a] = u
            mean, variance = model.responses[k].at(points)
            deviation, along = np.sqrt(variance), [one.quantile(v) for v in u]
            drawn, axes = new_figure(4.2, 2.9)
            axes.fill_between(along, mean - 2 * deviation, mean + 2 * deviation, color=panels.COLOURS[5], alpha=0.35, linewidth=0)
            axes.plot(along, mean, color=panels.COLOURS[0])
            axes.axhspan(target.value - target.tolerance, target.value + target.tolerance, color=panels.COLOURS[4], alpha=0.3, linewidth=0)
            axes.axhline(target.value, color=panels.COLOURS[1], linestyle="--", linewidth=1)
            axes.axvline(c.values_at(x)[one.name], color=panels.INK, linestyle=":", linewidth=1)
            axes.set(xlabel=axis_label(one), ylabel=panels.plain(panels.axis_label(panels.words(target.name), target.unit)))
            scales(axes, "x", one)
            words = f"{target.name} over {one.name}: from {mean[0]:.4g} to {mean[-1]:.4g}; measured {target.value:.4g}."
            text += figure(panels.inline_svg(drawn, f"t{number}", words), "line and band: model, two standard deviations; dashed: measured, with its tolerance; dotted: best value")
            number += 1
    return text + "</div>"


def convergence_section(search):
    c = search.c
    at, runs, least = [], 0, []
    for one in search.done:
        runs += len(one.jobs)
        misfit = one.misfit(c.targets)
        if misfit is not None:
            at.append((runs, misfit))
            least.append(min(misfit, least[-1] if least else np.inf))
    drawn, axes = new_figure()
    axes.plot([run for run, _ in at], [max(misfit, 1e-6) for _, misfit in at], "o", color=panels.COLOURS[5], markersize=4, label="evaluation")
    axes.step([run for run, _ in at], [max(one, 1e-6) for one in least], where="post", color=panels.COLOURS[0], label="least so far")
    axes.set(xlabel="runs", ylabel="misfit", yscale="log")
    axes.legend()
    words = f"Misfit of {len(at)} evaluations, the least falls from {least[0]:.4g} to {least[-1]:.4g}."
    return '<div class="figures">' + figure(panels.inline_svg(drawn, "c0", words), "sum over targets of ((found − measured) / tolerance)²") + "</div>"


def evaluations_section(search):
    c = search.c
    head = ["number", "way", *(escape(one.name) for one in c.unknowns), *(escape(one.name) for one in c.targets), "misfit", "runs"]
    rows = []
    for k, one in enumerate(search.done):
        means = [one.mean(target) for target in c.targets]
        misfit = one.misfit(c.targets)
        rows.append([str(k), one.way, *(plain(value) for value in one.values.values()), *("–" if mean is None else plain(mean) for mean in means), "–" if misfit is None else plain(misfit),
                     " ".join(f"{job.number:04d}" for job in one.jobs) + "".join(f"<br>{escape(reason)}" for reason in one.reasons)])
    return table(head, rows, numeric=tuple(range(2, len(head) - 1)))


def tests_section(c):
    rows = [[escape(one.name), f"<code>{escape(str(one.scene.path))}</code>", str(one.repeats), "<br>".join(f"<code>{escape(key)}</code> = {escape(str(value))}" for key, value in one.fixed.items()) or "–"]
            for one in c.tests]
    return table(["test", "scene", "repeats", "set"], rows, numeric=(2,))
