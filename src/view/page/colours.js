// From numbers of bodies to colours, and the legend that says how.
import { text, ticks } from "./units.js";

const signed = (name) => /velocity_|^spin_/.test(name);
const grey = [154, 160, 166], chosen = [255, 0, 170];

export class Colours {
  constructor(head, arrays) {
    this.maps = {};
    const size = arrays.map_colours.length / head.maps.length;
    head.maps.forEach((name, k) => { this.maps[name] = arrays.map_colours.subarray(k * size, (k + 1) * size); });
    this.categories = arrays.category_colours;
  }

  /// Ends and map for a field: as the user wants, else what the server has seen so far.
  rule(field, wish) {
    const both = signed(field.field) && field.low < 0 && field.high > 0;
    let low = field.low, high = field.high;
    if (both) { high = Math.max(high, -low); low = -high; }
    if (wish.low !== null) low = wish.low;
    if (wish.high !== null) high = wish.high;
    if (!(high > low)) {
      const by = Math.abs(low) > 0 ? 0.5 * Math.abs(low) : 0.5;
      if (wish.low === null) low -= by;
      if (wish.high === null || !(high > low)) high = Math.max(high, low) + by;
    }
    return { categories: field.categories, low, high, map: wish.map || (both ? "coolwarm" : "viridis"), title: field.title, unit: field.unit, field: field.field };
  }

  category(value) {
    const n = this.categories.length / 3;
    if (value < 0) return grey;
    const k = 3 * (Math.round(value) % n);
    return [this.categories[k], this.categories[k + 1], this.categories[k + 2]];
  }

  /// Four bytes to each row. keep(k): is it shown? `selected`: rows in the colour of what is chosen.
  paint(rule, value, keep, selected) {
    const n = value.length, colour = new Uint8Array(4 * n), map = this.maps[rule.map], last = map.length / 3 - 1;
    const scale = last / (rule.high - rule.low);
    for (let k = 0; k < n; ++k) {
      if (keep && !keep(k)) continue;
      if (rule.field === "none") {
        colour[4 * k] = 176, colour[4 * k + 1] = 160, colour[4 * k + 2] = 138;
      } else if (rule.categories) {
        const c = this.category(rule.field === "shape" ? value[k] + 1 : value[k]);
        colour[4 * k] = c[0], colour[4 * k + 1] = c[1], colour[4 * k + 2] = c[2];
      } else {
        const t = Math.min(last, Math.max(0, (value[k] - rule.low) * scale)), j = Math.min(last - 1, Math.floor(t)), s = t - j;
        for (let c = 0; c < 3; ++c) colour[4 * k + c] = (1 - s) * map[3 * j + c] + s * map[3 * j + 3 + c];
      }
      colour[4 * k + 3] = 255;
    }
    for (const k of selected) if (colour[4 * k + 3]) colour.set(chosen, 4 * k);
    return colour;
  }

  /// What a legend shows of a rule: a bar with ticks, or entries. `names`: of categories.
  describe(rule, value, names) {
    if (rule.field === "none") return null;
    if (!rule.categories) {
      const marks = ticks(rule.low, rule.high, rule.unit, 5);
      return { title: rule.title + (marks.unit ? " [" + marks.unit + "]" : ""), ticks: marks.ticks, map: this.maps[rule.map] };
    }
    const counts = new Map();
    for (const v of value) counts.set(Math.round(v), (counts.get(Math.round(v)) || 0) + 1);
    const order = [...counts.keys()].sort((a, b) => rule.field === "fragment" ? counts.get(b) - counts.get(a) : a - b);
    const entries = order.slice(0, 12).map((v) => ({ colour: this.category(rule.field === "shape" ? v + 1 : v), name: names(v) }));
    if (order.length > 12) entries.push({ colour: grey, name: `and ${order.length - 12} more` });
    return { title: rule.title, entries };
  }
}

const css = (c) => `rgb(${c[0]},${c[1]},${c[2]})`;

export function gradient(map) {
  const stops = [];
  for (let k = 0; 3 * k < map.length; k += 4) stops.push(css(map.subarray(3 * k, 3 * k + 3)));
  return `linear-gradient(to right, ${stops.join(",")})`;
}

export function showLegend(element, parts) {
  element.replaceChildren();
  for (const part of parts) {
    if (!part) continue;
    const title = document.createElement("div");
    title.className = "title";
    title.textContent = part.title;
    element.append(title);
    if (part.entries) {
      const list = document.createElement("ul");
      for (const entry of part.entries) {
        const item = document.createElement("li"), mark = document.createElement("i");
        mark.style.background = css(entry.colour);
        item.append(mark, entry.name);
        list.append(item);
      }
      element.append(list);
      continue;
    }
    const bar = document.createElement("span"), marks = document.createElement("div");
    bar.className = "bar";
    bar.style.background = gradient(part.map);
    marks.className = "ticks";
    for (const tick of part.ticks) {
      const mark = document.createElement("span");
      mark.style.left = 100 * tick.at + "%";
      mark.textContent = tick.label;
      marks.append(mark);
    }
    element.append(bar, marks);
  }
}

/// The same on a picture that is saved: from its lower left corner up.
export function drawLegend(g, parts, height, unit, ink) {
  let y = height - unit;
  g.font = `${unit}px system-ui, "DejaVu Sans", sans-serif`;
  g.textBaseline = "alphabetic";
  for (const part of [...parts].reverse()) {
    if (!part) continue;
    g.textAlign = "left";
    if (part.entries) {
      let x = unit;
      for (const entry of part.entries) {
        g.fillStyle = css(entry.colour);
        g.fillRect(x, y - 0.75 * unit, 0.8 * unit, 0.8 * unit);
        g.fillStyle = ink;
        g.fillText(entry.name, x + 1.1 * unit, y);
        x += 2.1 * unit + g.measureText(entry.name).width;
      }
    } else {
      const width = 16 * unit, x = 1.5 * unit, fill = g.createLinearGradient(x, 0, x + width, 0);
      for (let k = 0; 3 * k < part.map.length; ++k) fill.addColorStop(k / (part.map.length / 3 - 1), css(part.map.subarray(3 * k, 3 * k + 3)));
      g.fillStyle = ink;
      g.textAlign = "center";
      for (const tick of part.ticks) g.fillText(tick.label, x + width * tick.at, y);
      y -= 1.2 * unit;
      g.fillStyle = fill;
      g.fillRect(x, y - 0.6 * unit, width, 0.8 * unit);
      g.textAlign = "left";
    }
    y -= 1.3 * unit;
    g.fillStyle = ink;
    g.fillText(part.title, unit, y);
    y -= 1.8 * unit;
  }
}

export { text };
