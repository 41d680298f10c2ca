"""The page of a report: one HTML file that holds all it shows, with tables, plots and pictures; follows the light or dark scheme of its reader."""
import base64
import math
from html import escape

import numpy as np

import panels
import units

MOST_FIGURES = 60
MOST_POINTS = 1500  # of a line in a page

CSS = """
:root { color-scheme: light dark; --ink: #1a1c1e; --soft: #55595e; --paper: #ffffff; --line: #d5d8dc; --band: #f3f5f7; --link: #00558c; --warn: #8a4b00; --good: #1c6b2f; --bad: #a3001b; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8eaec; --soft: #a9afb6; --paper: #15181b; --line: #3a4047; --band: #1e2327; --link: #7cc0f0; --warn: #f0b060; --good: #7fd494; --bad: #ff8a90; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", Arial, sans-serif; }
main, header, nav { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; } h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; } h2 { font-size: 1.35rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; } p, dl { margin: .4rem 0; } a { color: var(--link); } .soft { color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .4rem 0; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .2rem; } th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem .4rem; border-bottom: 1px solid var(--line); }
thead th { background: var(--band); } td.n, th.n { text-align: right; } td.differs { font-weight: 600; }
.warn { border-left: 4px solid var(--warn); padding-left: .7rem; } .bad { border-left: 4px solid var(--bad); padding-left: .7rem; }
.key { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; } .key li { background: var(--band); border-radius: .4rem; padding: .5rem .8rem; min-width: 9rem; }
.key b { display: block; font-size: 1.2rem; font-weight: 600; } .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; margin-top: 1rem; }
.pictures img { width: 100%; border-radius: .3rem; } td.ok { color: var(--good); } td.look { color: var(--warn); font-weight: 600; } td.bad { color: var(--bad); font-weight: 600; border-left: 0; } .figures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; }
figure svg, figure img { max-width: 100%; height: auto; } figcaption { color: var(--soft); font-size: .88rem; max-width: 34rem; } code { font-size: .92em; overflow-wrap: anywhere; }
@media screen and (prefers-color-scheme: dark) { figure svg { filter: brightness(1.3); } }
@media print { nav { display: none; } h2, h3, caption { break-after: avoid; } figure, tr, .key { break-inside: avoid; } body { font-size: 10.5pt; } main, header { max-width: none; padding: 0; }
  .figures { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; } .pictures { grid-template-columns: 1fr 1fr 1fr; gap: .4rem; } .scroll { overflow: visible; } .key li { padding: .3rem .5rem; min-width: 0; } }
"""


def shown(value, unit="", digits=4):
    """A value for people: numbers with an SI prefix and few digits."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        if isinstance(value, int) and not unit:
            return f"{value:,}"
        if not unit and 1000 <= abs(value) < 1e15:
            return f"{round(value, digits - 1 - math.floor(math.log10(abs(value)))):,.0f}".replace("-", "−")
        factor, unit = units.scale(unit, abs(value))
        text = f"{value * factor:,.{digits}g}" if not isinstance(value, int) or factor != 1 else f"{value:,}"
        if "e" in text:
            mantissa, power = text.split("e")
            text = f"{mantissa} × 10<sup>{int(power)}</sup>".replace("-", "−") if mantissa != "1" else f"10<sup>{int(power)}</sup>".replace("-", "−")
        return f"{text.replace('-', '−')}\u00a0{escape(unit)}".strip("\u00a0")
    if isinstance(value, (list, tuple)) and value and unit and all(isinstance(one, (int, float)) and math.isfinite(one) for one in value):
        factor, unit = units.scale(unit, max(map(abs, value)))
        return ", ".join(shown(float(one) * factor, "", digits) for one in value) + f" {escape(unit)}"
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(one, unit, digits) for one in value) if not any(isinstance(one, (list, dict)) for one in value) else escape(_brief(value))
    if isinstance(value, dict):
        return escape(_brief(value))
    return escape(str(value))


def _brief(value):
    """Tables and lists in lists as one line of text; of tables without what is 0 or without end, unless that is all."""
    if isinstance(value, dict):
        value = {key: one for key, one in value.items() if one not in (0, "inf", "-inf", "")} or value
        return "; ".join(f"{key} {_brief(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        text = "[" + ", ".join(_brief(one) for one in value) + "]"
        return text if len(text) < 160 else f"{len(value)} entries"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table(head, rows, caption="", numeric=()):
    """A table with headers of columns and, in the first cell of each row, of rows. Cells are HTML; `numeric` are columns that stand to the right."""
    side = [' class="n"' if k in numeric else "" for k in range(len(head))]
    text = '<div class="scroll"><table>' + (f"<caption>{escape(caption)}</caption>" if caption else "")
    text += "<thead><tr>" + "".join(f'<th scope="col"{side[k]}>{one}</th>' for k, one in enumerate(head)) + "</tr></thead><tbody>"
    for row in rows:
        text += f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td{side[k]}>{one}</td>" for k, one in enumerate(row[1:], 1)) + "</tr>"
    return text + "</tbody></table></div>"


def key_figures(one):
    """The few numbers that are looked for first."""
    entries = [("bodies", shown(one["bodies"]["count"])), ("simulated", shown(one["step"]["time"], "s")), ("steps", shown(one["step"]["steps"])),
               ("stability margin", f"{shown(one['step']['margin'], digits=3)} ×" if one["step"]["margin"] else "–"),
               ("energy error", percent(one["energy"].get("relative_error"))), ("body-steps per second", shown(one["speed"]["body_steps_per_second"], digits=3)),
               ("warnings", shown(len(one["warnings"])))]
    return '<ul class="key">' + "".join(f"<li>{escape(label)}<b>{value}</b></li>" for label, value in entries) + "</ul>"


def percent(value):
    return "–" if value is None else f"{shown(100 * value, digits=3)} %"


def end_of(one):
    if not one["ended"]:
        return '<p class="warn">This run has not ended, or was cut off: it has no summary.json. What is here is what it had written.</p>'
    end = one["end"]
    if end["exit_code"] not in (0, None) or end["exit_message"]:
        return f'<p class="{"bad" if end["exit_code"] else "warn"}">Ended: {escape(str(end["exit_reason"]))}. {escape(end["exit_message"] or "")}</p>'
    return f"<p>Ended: {escape(str(end['exit_reason']))}." + (f" Went on from {escape(end['restarted_from'])}." if end["restarted_from"] else "") + "</p>"


def verdicts_of(one):
    """Whether it went well, as the program said at the end of the run; nothing of runs of earlier versions."""
    if not one["verdicts"]:
        return ""
    rows = "".join(f'<tr><th scope="row">{escape(name)}</th><td class="{escape(line["verdict"])}">{escape(line["verdict"])}</td><td>{escape(line["text"])}'
                   + (f'<br><span class="soft">{escape(line["advice"])}</span>' if line["advice"] else "") + "</td></tr>" for name, line in one["verdicts"].items())
    return f'<div class="scroll"><table><caption>Did it go well?</caption><thead><tr><th scope="col">of</th><th scope="col">verdict</th><th scope="col">why</th></tr></thead><tbody>{rows}</tbody></table></div>'


SETTING_UNITS = {"gravity": "m/s²", "min": "m", "max": "m", "end": "s", "recovery_speed": "m/s", "restitution_threshold": "m/s", "elastic_below": "m/s"}
MATERIAL_UNITS = {"density": "kg/m³", "young": "Pa", "cohesion": "Pa", "surface_energy": "J/m²", "surface_tension": "N/m", "cohesion_energy_density": "J/m³", "contact_angle": "rad"}


def setup_section(one):
    text = "<h3>Settings</h3>" + table(["setting", "value"], [[escape(key.replace("_", " ")), shown(value, SETTING_UNITS.get(key, ""))] for key, value in one["settings"].items()])
    if one["materials"]:
        keys = list(dict.fromkeys(key for material in one["materials"].values() for key, value in material.items() if value not in (0, 0.0)))
        text += "<h3>Materials</h3>" + table(["material", *(escape(key.replace("_", " ")) for key in keys)],
                                             [[escape(name), *(shown(material.get(key), MATERIAL_UNITS.get(key, "")) for key in keys)] for name, material in one["materials"].items()])
    text += bodies_section(one)
    if one["walls"]:
        text += "<h3>Walls</h3>" + table(["wall", "kind", "material", "moves", "there"],
                                         [[escape(str(wall.get("name", "–"))), shown(wall.get("kind")), shown(wall.get("material")),
                                           shown(wall["motion"]) if wall.get("motion") else "mass " + shown(wall["mass"], "kg") if "mass" in wall else "no", active(wall.get("active"))]
                                          for wall in one["walls"]])
    if one["joints"]:
        text += "<h3>Joints</h3>" + table(["joint", "kind", "between", "motor"],
                                          [[escape(str(joint.get("name", "–"))), shown(joint.get("kind")), shown(joint.get("between")), shown(joint.get("motor")) if "motor" in joint else "no"]
                                           for joint in one["joints"][:50]], caption="" if len(one["joints"]) <= 50 else f"The first 50 of {len(one['joints'])}")
    return text


def active(interval):
    if not interval or interval[0] in (0, 0.0) and interval[1] in ("inf", math.inf):
        return "always"
    return f"from {shown(interval[0], 's')}" + ("" if interval[1] in ("inf", math.inf) else f" to {shown(interval[1], 's')}")


def bodies_section(one):
    bodies = one["bodies"]
    start = {(row["shape"], row["material"]): row for row in bodies["start"]}
    end = {(row["shape"], row["material"]): row for row in bodies["end"]}
    if not start and not end:
        return f"<h3>Bodies</h3><p>{shown(bodies['count'])} bodies, {shown(bodies['mass'], 'kg')}; the run has no frames that say more.</p>"
    rows = []
    for key in dict.fromkeys([*start, *end]):
        one_end, one_start = end.get(key, {}), start.get(key, {})
        sizes = one_end or one_start
        radius = shown(sizes["radius_min"], "m") if sizes["radius_min"] == sizes["radius_max"] else f"{shown(sizes['radius_min'], 'm')} to {shown(sizes['radius_max'], 'm')}"
        rows.append([escape(key[0]), escape(key[1]), shown(one_start.get("count", 0)), shown(one_end.get("count", 0)), shown(one_end.get("mass", 0.0), "kg"), radius])
    text = "<h3>Bodies</h3>" + table(["shape", "material", "at first", "at last", "mass at last", "radius (bounding)"], rows, "In the first and the last frame", numeric=(2, 3, 4))
    if bodies["inserted"] or bodies["removed"]:
        text += f"<p>{shown(bodies['inserted'])} bodies came and {shown(bodies['removed'])} went while it ran.</p>"
    return text


def checks_section(one):
    step, energy, momentum, overlap, pairs = one["step"], one["energy"], one["momentum"], one["contacts"]["largest_overlap"], one["pair_list"]
    rows = [["step", shown(step["step"], "s")], ["largest stable step", shown(step["stable_step"], "s") if step["stable_step"] is not None else "– (contacts are rigid, or none)"],
            ["stability margin", f"{shown(step['margin'], digits=3)} ×" if step["margin"] else "–"]]
    if energy["known"]:
        rows += [["total energy, first and last", f"{shown(energy['start'], 'J', 6)}, {shown(energy['end'], 'J', 6)}"], ["work of walls and fields", shown(energy["work"], "J")],
                 ["largest change that no work explains" if energy["accounts_for_losses"] else "largest change beside work", shown(energy["largest_change"], "J")],
                 ["error of the energy balance", f"{percent(energy['relative_error'])}" + (f" of {shown(energy['turned_over'], 'J')} turned over" if energy["relative_error"] is not None else "")]]
    if momentum["known"]:
        rows += [["momentum at first", shown(momentum["start"], "kg m/s")], ["momentum at last", shown(momentum["end"], "kg m/s")]]
        if momentum["impulse"] is not None:
            rows += [["impulse of gravity and walls", shown(momentum["impulse"], "kg m/s")],
                     ["error of the momentum balance", f"{shown(momentum['error'], 'kg m/s')} ({percent(momentum['relative_error'])})"]]
    rows += [["overlap over radius, at the end", percent(overlap["ratio_at_end"])]]
    if overlap["ratio"] is not None:
        rows.append(["largest overlap over radius measured", f"{percent(overlap['ratio'])} at t = {shown(overlap['time'], 's')}"])
    rows += [["contacts at the end: between bodies, with walls", f"{shown(one['contacts']['at_end'])}, {shown(one['contacts']['with_walls_at_end'])}"],
             ["rebuilds of the pair list", f"{shown(pairs['rebuilds'])} (every {shown(pairs['steps_per_rebuild'], digits=3)} steps)" if pairs["rebuilds"] else shown(pairs["rebuilds"])]]
    for kind in ("cone", "fluid"):
        rows += [[escape(f"{kind}: {key.replace('_', ' ')}"), shown(value)] for key, value in (one[kind] or {}).items()]
    text = table(["check", "value"], rows)
    notes = [part for part in (energy.get("why"), energy.get("note"), momentum.get("why"), momentum.get("note")) if part]
    text += "".join(f'<p class="soft">{escape(note[0].upper() + note[1:])}.</p>' for note in notes)
    for name, event in (one["events"] or {}).items():
        text += f"<p>Event {escape(name)}: " + (f"at t = {shown(event.get('time'), 's')}" if event.get("happened") else "did not happen") + ".</p>"
    return text


def warnings_section(one):
    if not one["warnings"]:
        return "<p>None.</p>"
    text = "<ul>"
    for entry in one["warnings"][:100]:
        text += f'<li class="{"warn" if entry["level"] == "warning" else "bad"}">{escape(entry["text"])}' + (f' <span class="soft">({escape(entry["at"])})</span>' if entry["at"] else "") + "</li>"
    return text + "</ul>" + (f"<p>And {len(one['warnings']) - 100} more in log.txt.</p>" if len(one["warnings"]) > 100 else "")


def speed_section(one):
    speed, versions = one["speed"], one["versions"]
    rows = [["body-steps per second", shown(speed["body_steps_per_second"], digits=4)], ["wall-clock time", shown(speed["wall_seconds"], "s")], ["processor time", shown(speed["cpu_seconds"], "s")],
            ["largest memory", f"{shown(speed['memory_peak_bytes'] / 1e6)} MB" if speed["memory_peak_bytes"] else "–"], ["device", shown(versions["device"])],
            ["precision", shown(versions["precision"])], ["threads", shown(versions["threads"])], ["Scree", shown(versions["scree"])],
            ["hash of the last state", f"<code>{escape(str(one['state_hash']))}</code>"]]
    text = table(["what", "value"], rows)
    stages = speed["seconds_per_stage"] or {}
    whole = sum(stages.values())
    if whole > 0:
        text += table(["stage", "time", "share"], [[escape(name), shown(seconds, "s", 3), percent(seconds / whole)] for name, seconds in sorted(stages.items(), key=lambda item: -item[1])],
                      "Where the time went", numeric=(1, 2))
    return text


def figure(svg, caption):
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def plots_section(runs, columns):
    """A figure for each group of columns and unit, or for each column of several runs; columns that are 0 all the time are only named."""
    names = list(dict.fromkeys(name for run in runs for name in columns[run.name]))
    quiet = [name for name in names if not any(np.any(np.nan_to_num(columns[run.name][name].y) != 0) for run in runs if name in columns[run.name])]
    lines = [(run, columns[run.name][name]) for name in names if name not in quiet for run in runs if name in columns[run.name]]
    arranged = panels.arrange(lines, split=len(runs) > 1)
    text = '<div class="figures">'
    for k, panel in enumerate(arranged[:MOST_FIGURES]):
        drawn = panels.draw_figure([panel], most=MOST_POINTS)
        drawn.set_size_inches(6.0 if len(panel.lines) > 5 else 5.2, 3.3)
        what = ", ".join(panel.columns())
        text += figure(panels.inline_svg(drawn, f"p{k}", f"Plot of {what} over {panel.lines[0][1].x_name}. {extent_of(panel)}"), what)
    text += "</div>"
    if len(arranged) > MOST_FIGURES:
        text += f"<p>{len(arranged) - MOST_FIGURES} more plots are left out; <code>scree plot</code> draws them.</p>"
    if quiet:
        text += f'<p class="soft">0 all the time: {escape(", ".join(quiet))}.</p>'
    return text if names else "<p>The scene has no [[measure]], and there are no frames to draw from.</p>"


def extent_of(panel):
    """What a plot shows, in words, for readers who do not see it."""
    said = []
    for run, column in panel.lines[:12]:
        values = column.y[np.isfinite(column.y)]
        if len(values):
            unit = f" {column.unit}" if column.unit else ""
            said.append(f"{column.name}{' of ' + run.name if len(panel.runs()) > 1 else ''}: from {values[0]:.4g} to {values[-1]:.4g}{unit}, between {values.min():.4g} and {values.max():.4g}.")
    return " ".join(said)


def series_table(one):
    rows = [[escape(name), escape(entry["unit"] or "–"), shown(entry["values"]), *(shown(entry.get(key), "", 5) for key in ("first", "last", "min", "max", "mean"))]
            for name, entry in one["series"].items()]
    return table(["column", "unit", "values", "first", "last", "least", "largest", "mean"], rows, numeric=tuple(range(2, 8))) if rows else ""


def comparison_section(facts):
    names = [one["name"] for one in facts["runs"]]
    head = [escape(name) for name in names]
    text = "<h3>Settings that differ</h3>"
    if facts["differences"]:
        text += table(["key", *head], [[f"<code>{escape(row['key'])}</code>", *(shown(value) for value in row["values"])] for row in facts["differences"][:200]])
        if len(facts["differences"]) > 200:
            text += f"<p>And {len(facts['differences']) - 200} more.</p>"
    else:
        text += "<p>None: the scenes are the same.</p>"
    rows = [[escape(row["result"]), *(shown(value, row["unit"], 5) for value in row["values"])] for row in facts["comparison"]]
    return text + "<h3>Results</h3>" + table(["result", *head], rows, numeric=tuple(range(1, len(head) + 1)))


def picture(path, alt):
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<figure><img src="data:image/png;base64,{data}" alt="{escape(alt, quote=True)}"><figcaption>{escape(alt)}</figcaption></figure>'


def document(title, about, sections):
    """A whole page of sections: (mark, heading, HTML)."""
    links = "".join(f'<li><a href="#{mark}">{escape(heading)}</a></li>' for mark, heading, _ in sections)
    body = "".join(f'<section aria-labelledby="{mark}"><h2 id="{mark}">{escape(heading)}</h2>{text}</section>\n' for mark, heading, text in sections)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n<header><h1>{escape(title)}</h1>"
            f'<p class="soft">{escape(about)}</p></header>\n<nav aria-label="Sections"><ul>{links}</ul></nav>\n<main>\n{body}</main>\n</body>\n</html>\n')


def page(facts, runs, columns, pictures):
    """The whole page. `pictures` are, by name of the run, (file, words) of pictures of it."""
    several = len(runs) > 1
    title = facts["runs"][0]["title"] or facts["runs"][0]["name"]
    title = f"Comparison of {len(runs)} runs" if several else title
    sections = [("comparison", "Comparison", comparison_section(facts))] if several else []
    for k, one in enumerate(facts["runs"]):
        mark = f"r{k}-" if several else ""
        of = f": {one['name']}" if several else ""
        images = "".join(picture(file, words) for file, words in pictures.get(one["name"], []))
        head = (f"<p><b>{escape(one['title'])}</b></p>" if several and one["title"] else "") + end_of(one) + key_figures(one) + verdicts_of(one) + (f'<div class="pictures">{images}</div>' if images else "")
        sections += [(f"{mark}overview", f"Overview{of}", head), (f"{mark}setup", f"What was simulated{of}", setup_section(one)), (f"{mark}checks", f"Step and balances{of}", checks_section(one)),
                     (f"{mark}warnings", f"Warnings{of}", warnings_section(one)), (f"{mark}speed", f"Speed and versions{of}", speed_section(one))]
    sections.append(("plots", "Plots", plots_section(runs, columns)))
    for k, one in enumerate(facts["runs"]):
        if one["series"]:
            sections.append((f"series-{k}", "Series" + (f": {one['name']}" if several else ""), series_table(one)))
    where = ", ".join(one["directory"] for one in facts["runs"])
    return document(title, f"Report of {where}, by Scree", sections)
