// What stands beside the picture: the chosen body, the walls, and the series of the run.
import { makePlot } from "./plots.js";
import { text, unitOfColumn } from "./units.js";

function element(name, words, attributes = {}) {
  const e = document.createElement(name);
  if (words !== undefined && words !== null) e.textContent = words;
  Object.assign(e, attributes);
  return e;
}

function row(table, name, ...cells) {
  const line = table.insertRow();
  line.append(element("th", name, { scope: "row" }));
  for (const cell of cells) {
    const place = line.insertCell();
    place.className = "number";
    place.append(cell);
  }
  return line;
}

/// Fields and contacts of the chosen body, and one of its fields over time.
export class BodyPanel {
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.field = "speed";
    this.asked = 0;
    this.history = null;
    this.facts = element("div");
    this.choice = element("select");
    this.choice.setAttribute("aria-label", "Field that is drawn over time");
    this.choice.onchange = () => { this.field = this.choice.value; this.loadHistory(); };
    this.curve = element("div");
    box.append(this.facts, this.choice, this.curve);
    this.choice.hidden = true;
  }

  async show(id, k, time) {
    const turn = ++this.asked;
    if (id === null) {
      this.facts.replaceChildren(element("p", "Click a body, or give its id, for its numbers, its contacts and its history.", { className: "hint" }));
      this.choice.hidden = true;
      this.curve.replaceChildren();
      this.history = null;
      this.id = null;
      return;
    }
    let packet;
    try { packet = await this.on.ask("body", { n: k, id }); } catch { return; }
    if (turn !== this.asked) return;
    const { head, arrays } = packet;
    if (!head.there) {
      this.facts.replaceChildren(element("p", `Body ${id} is not in this frame.`, { className: "hint" }));
    } else {
      const table = element("table"), contacts = element("table");
      if (head.compound >= 0) row(table, "member of", this.link(head.compound));
      for (const [name, f] of Object.entries(head.fields)) row(table, f.title === name || f.title.length > 24 ? name.replace(/_/g, " ") : f.title, text(f.value, f.unit, 5));
      const parts = [table];
      if (head.contacts_stored) {
        parts.push(element("p", head.partners.length ? `${head.partners.length} contacts` : "no contacts", { className: "hint" }));
        if (head.partners.length) {
          const top = contacts.createTHead().insertRow();
          for (const word of ["with", "force", "overlap"]) top.append(element("th", word, { scope: "col" }));
          const body = contacts.createTBody();
          head.partners.forEach((partner, c) => {
            const line = body.insertRow();
            line.insertCell().append(partner.startsWith("wall ") ? partner : this.link(Number(partner)));
            for (const words of [text(arrays.force[c], "N"), text(arrays.overlap[c], "m")]) line.append(element("td", words, { className: "number" }));
          });
          parts.push(contacts);
        }
      }
      this.facts.replaceChildren(...parts);
      const names = this.on.fields().filter((name) => name !== "none");
      if (Array.from(this.choice.options, (o) => o.value).join() !== names.join()) this.choice.replaceChildren(...names.map((name) => new Option(name.replace(/_/g, " "), name)));
      if (!names.includes(this.field)) this.field = names[0];
      this.choice.value = this.field;
    }
    this.choice.hidden = this.on.frames() < 2;
    const frames = this.on.frames();
    if (this.id !== id || (this.history && frames > 1.1 * this.history.frames + 5)) { this.id = id; this.loadHistory(); }
    this.time = time;
    this.plot?.mark(time);
  }

  link(id) {
    const button = element("button", String(id));
    button.onclick = () => this.on.select(id, false);
    return button;
  }

  /// A few frames at a time, so that what is asked for meanwhile need not wait long.
  async loadHistory() {
    const id = this.id, field = this.field, frames = this.on.frames(), mine = { frames };
    this.history = mine;
    if (id === null || frames < 2) { this.curve.replaceChildren(); return; }
    this.plot = makePlot(field.replace(/_/g, " "), this.on.go, null);
    this.plot.gaps = true;
    this.curve.replaceChildren(this.plot.box);
    const most = 200, step = Math.max(1, Math.ceil(frames / most)), times = [], values = [];
    for (let from = 0; from < frames; from += 8 * step) {
      let packet;
      try { packet = await this.on.ask("history", { id, field, from, count: 8, step }); } catch { return; }
      if (this.history !== mine) return;
      times.push(...packet.arrays.times);
      values.push(...packet.arrays.values);
      this.plot.set(times, values, packet.head.unit || "1");
      this.plot.mark(this.time);
      await new Promise((done) => setTimeout(done, 0));
    }
  }
}

/// Names of walls, whether they are shown, and what they bear: by the contacts of the frame, else by the run's series.
export class WallPanel {
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.list = [];
    this.series = [];
  }
  names(list, series) {
    this.series = series;
    if (this.list.join("\n") === list.join("\n")) return;
    this.list = list;
    this.cells = [];
    const table = element("table");
    for (const name of list) {
      const label = element("label", null, { className: "check" }), check = element("input", null, { type: "checkbox", checked: !this.on.isHidden(name) });
      check.onchange = () => this.on.hide(name, !check.checked);
      label.append(check, " " + name);
      const line = table.insertRow();
      line.insertCell().append(label);
      const load = line.insertCell();
      load.className = "number";
      this.cells.push(load);
    }
    this.box.replaceChildren(list.length ? table : element("p", "The run has no walls.", { className: "hint" }));
  }
  async show(frame, time) {
    const loads = frame.arrays.wall_loads;
    for (let w = 0; w < this.list.length; ++w) {
      let f = null;
      if (loads) f = Array.from(loads.subarray(3 * w, 3 * w + 3));
      else f = await this.fromSeries(this.list[w], time).catch(() => null);
      this.cells[w].replaceChildren(f ? text(Math.hypot(...f), "N") : "");
      this.cells[w].title = f ? `force of the bodies on it: x ${text(f[0], "N")}, y ${text(f[1], "N")}, z ${text(f[2], "N")}` : "";
    }
  }
  async fromSeries(name, time) {
    const column = this.series.find((c) => c.endsWith(`.${name}.fx`));
    if (!column) return null;
    const stem = column.slice(0, -2);
    const { arrays } = await this.on.ask("series", ["time", stem + "fx", stem + "fy", stem + "fz"].map((c) => ["c", c]).concat([["most", 20000]]));
    let k = arrays.column0.length - 1;
    while (k >= 0 && (arrays.column0[k] > time * (1 + 1e-9) || !isFinite(arrays.column1[k]))) --k;
    return k < 0 ? null : [arrays.column1[k], arrays.column2[k], arrays.column3[k]];
  }
}

/// Columns of series.csv over time.
export class SeriesPanel {
  constructor(section, choice, box, on) {
    Object.assign(this, { section, choice, box, on, columns: [], plots: new Map(), known: [], time: 0 });
    choice.onchange = () => { if (choice.value) this.add(choice.value); choice.value = ""; on.changed(); };
  }
  news(columns) {
    this.section.hidden = columns.length < 3;
    if (this.known.join() !== columns.join()) {
      this.known = columns;
      this.choice.replaceChildren(new Option("choose a column", ""), ...columns.slice(2).map((c) => new Option(c, c)));
      const wished = this.columns.filter((c) => columns.includes(c));
      this.columns = [];
      this.box.replaceChildren();
      this.plots.clear();
      for (const column of wished.length ? wished : columns.slice(2).filter((c) => /kinetic_translation$|\.count$|\.fz$/.test(c)).slice(0, 1)) this.add(column);
    }
    this.load();
  }
  choose(columns) {
    for (const column of columns) if (this.known.includes(column)) this.add(column);
  }
  add(column) {
    if (this.columns.includes(column)) return;
    this.columns.push(column);
    const plot = makePlot(column, this.on.go, () => {
      this.columns = this.columns.filter((c) => c !== column);
      this.plots.delete(column);
      plot.box.remove();
      this.on.changed();
    });
    this.plots.set(column, plot);
    this.box.append(plot.box);
    this.load();
  }
  async load() {
    if (this.columns.length === 0) return;
    const columns = this.columns.slice(0, 15);
    try {
      const { arrays } = await this.on.ask("series", [["c", "time"], ...columns.map((c) => ["c", c])]);
      columns.forEach((column, c) => this.plots.get(column)?.set(arrays.column0, arrays[`column${c + 1}`], unitOfColumn(column)));
      this.mark(this.time);
    } catch { /* of a run that was started anew: the next news has its columns */ }
  }
  mark(time) {
    this.time = time;
    for (const plot of this.plots.values()) plot.mark(time);
  }
}
