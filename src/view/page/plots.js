// A curve over time with a cursor at the time shown; a click on it goes to that time.
import { text, ticks } from "./units.js";

const space = "http://www.w3.org/2000/svg", width = 300, height = 110, left = 4, right = 296, top = 14, low = 96;

function add(parent, name, attributes, words) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (words !== undefined) element.textContent = words;
  parent.append(element);
  return element;
}

/// A box with a plot. title; remove(): where it can be taken away; go(time): at a click.
export function makePlot(title, go, remove) {
  const box = document.createElement("div"), head = document.createElement("div"), name = document.createElement("span"), now = document.createElement("span");
  box.className = "plot";
  head.className = "head";
  name.textContent = title;
  head.append(name, now);
  if (remove) {
    const button = document.createElement("button");
    button.textContent = "×";
    button.setAttribute("aria-label", "Remove the plot of " + title);
    button.onclick = remove;
    head.append(button);
  }
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  box.append(head, svg);
  let times = [], values = [], unit = "1", cursor = null, x = () => 0;
  const plot = {
    box,
    /// Both as long as each other; what is no number makes a gap.
    set(newTimes, newValues, newUnit) {
      times = newTimes, values = newValues, unit = newUnit;
      svg.replaceChildren();
      cursor = null;
      let lowest = Infinity, highest = -Infinity;
      for (const v of values) if (isFinite(v)) lowest = Math.min(lowest, v), highest = Math.max(highest, v);
      if (!(lowest <= highest)) { now.textContent = "no values"; return; }
      const from = times[0], to = times[times.length - 1], spread = highest - lowest || Math.abs(highest) || 1;
      const base = highest > lowest ? lowest : lowest - 0.5 * spread, size = highest > lowest ? spread : spread;
      x = (t) => left + (right - left) * (to > from ? (t - from) / (to - from) : 0.5);
      const y = (v) => low - (low - top) * (v - base) / size;
      let path = "", pen = "M";
      for (let k = 0; k < values.length; ++k) {
        if (!isFinite(values[k])) { pen = pen === "L" && Number.isNaN(values[k]) && plot.gaps ? "M" : pen; continue; }
        path += pen + x(times[k]).toFixed(1) + " " + y(values[k]).toFixed(1);
        pen = "L";
      }
      add(svg, "path", { d: path });
      const marks = ticks(base, base + size, unit, 3);
      for (const tick of marks.ticks) add(svg, "text", { x: left, y: Math.max(9, low - (low - top) * tick.at + 3) }, tick.label);
      add(svg, "text", { x: right, y: 10, "text-anchor": "end" }, marks.unit ? "[" + marks.unit + "]" : "");
      add(svg, "text", { x: left, y: height - 2 }, text(from, "s", 3));
      add(svg, "text", { x: right, y: height - 2, "text-anchor": "end" }, text(to, "s", 3));
      cursor = add(svg, "line", { x1: 0, x2: 0, y1: top - 4, y2: low + 2 });
      svg.setAttribute("aria-label", `${title} from ${text(from, "s", 3)} to ${text(to, "s", 3)}: between ${text(lowest, unit)} and ${text(highest, unit)}`);
    },
    mark(time) {
      if (!cursor) return;
      cursor.setAttribute("x1", x(time));
      cursor.setAttribute("x2", x(time));
      let k = times.length - 1;
      while (k > 0 && (times[k] > time * (1 + 1e-9) || !isFinite(values[k]))) --k;
      now.textContent = text(values[k], unit);
    },
    gaps: false,
  };
  svg.addEventListener("click", (e) => {
    if (times.length < 2) return;
    const area = svg.getBoundingClientRect(), at = (e.clientX - area.left) / area.width * width;
    go(times[0] + (times[times.length - 1] - times[0]) * Math.min(1, Math.max(0, (at - left) / (right - left))));
  });
  return plot;
}
