// The page: what it shows, and what the user asks of it. All that is shown stands in `state`; a link holds it, and restores it.
import { ask, command, follow } from "./net.js";
import { Colours, showLegend } from "./colours.js";
import { Drawing } from "./draw.js";
import { View } from "./camera.js";
import { Film, savePicture } from "./record.js";
import { BodyPanel, SeriesPanel, WallPanel } from "./panels.js";
import { bindKeys } from "./keys.js";
import { Pace, rest } from "./pace.js";
import { ticks, text } from "./units.js";

const at = (id) => document.getElementById(id);
const canvas = at("canvas");

const state = {
  frame: -1, time: null, live: true, playing: false,
  field: "speed", map: "", low: null, high: null,
  filter: { field: "", low: null, high: null },
  cut: { low: [null, null, null], high: [null, null, null] },
  size: 1, opacity: 0.16, walls: true, hidden: new Set(), bonds: false, bondColour: "damage", chains: false,
  selected: null,
};

let run = null, times = new Float64Array(0), colours = null, frame = null, filterValues = null, rodLegend = [], wallsKey = "", colouring = null;
let drawing = null, latest = {}, wanted = 0, fitted = false, rowOfSelected = -1, dirty = true;
let pace = null, movedAt = -Infinity, isCoarse = false;
const view = new View(() => { moved(); remember(); });
const kept = new Map();  // frames by their question, the oldest first
let keptBytes = 0;
const mostKept = 300e6;
export const measured = { drawn: 0, frame_ms: 0, moving: 0, moving_ms: [], still_ms: 0 };

function notice(words) {
  at("notice").textContent = words;
  at("notice").hidden = !words;
}

const fail = (error) => { if (error.name !== "AbortError") notice(error.message); };

// ---- Drawing

function invalidate() { dirty = true; }

function moved() {
  movedAt = performance.now();
  invalidate();
}

const waiting = [];
/// When all that was asked for is in a picture.
const drawn = () => new Promise((resolve) => { dirty || pace.busy ? waiting.push(resolve) : resolve(); });

function tick() {
  requestAnimationFrame(tick);
  if (!drawing || pace.busy) return;
  const began = performance.now(), isMoving = state.playing || began - movedAt < rest;
  const coarse = isMoving && pace.isSlow && drawing.isMany && !film.running;
  if (!dirty && (coarse || !isCoarse)) return;
  draw(coarse);
}

function draw(coarse) {
  const began = performance.now(), box = at("stage").getBoundingClientRect();
  const ratio = (coarse ? pace.coarse.ratio : 1) * (drawing.software ? 1 : Math.min(2, window.devicePixelRatio || 1));
  dirty = false;
  if (canvas.width !== Math.floor(box.width * ratio) || canvas.height !== Math.floor(box.height * ratio)) drawing.resize(box.width, box.height, ratio);
  view.aspect = box.width / Math.max(1, box.height);
  if (!fitted && run && frame) { fitted = true; view.fit(); }
  const bodies_ms = coarse ? drawing.renderCoarse(view, pace.coarse.step, rowOfSelected) : (drawing.render(view), null);
  isCoarse = coarse;
  at("coarse").hidden = !coarse;
  ++measured.drawn;
  if (!pace.busy) pace.await(began, bodies_ms, (ms) => {
    if (!coarse) measured.still_ms = ms;
    else measured.moving = measured.moving + 1, measured.moving_ms = [...measured.moving_ms.slice(-99), ms];
    if (!dirty) for (const go of waiting.splice(0)) go();
  });
  if (film.running) film.draw();
}

/// The whole picture, now.
function drawWhole() { if (isCoarse || dirty) draw(false); }

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const looks = () => ({ legend: legendParts(), time: timeText(), back: style("--stage-top"), ink: style("--text") });
const fileName = (ending) => `${run ? run.head.name.replace(/[^\w.-]+/g, "_") : "scree"}_${String(Math.max(0, state.frame)).padStart(6, "0")}.${ending}`;
const film = new Film(canvas, looks, () => fileName("webm"));

// ---- Colours, filter, cut

function legendParts() {
  if (!colouring || !frame) return [];
  return [colours.describe(colouring, frame.arrays.value, categoryName), ...rodLegend];
}

function categoryName(value) {
  if (colouring.field === "material") return run.head.materials[value] ?? `material ${value}`;
  if (colouring.field === "shape") return value < 0 ? "sphere" : run.head.shapes[value] ?? `shape ${value}`;
  return colouring.field === "fragment" ? (value < 0 ? "none" : `fragment ${value}`) : `${colouring.title} ${value}`;
}

function paint() {
  if (!frame) return;
  colouring = colours.rule(frame.head, state);
  const f = state.filter, low = f.low ?? -Infinity, high = f.high ?? Infinity;
  const values = f.field && (f.low !== null || f.high !== null) ? (f.field === frame.head.field ? frame.arrays.value : filterValues) : null;
  const keep = values && values.length === frame.arrays.id.length ? (k) => values[k] >= low && values[k] <= high : null;
  drawing.setColours(colours.paint(colouring, frame.arrays.value, keep, rowOfSelected >= 0 ? [rowOfSelected] : []));
  at("low").placeholder = Number(colouring.low.toPrecision(4));
  at("high").placeholder = Number(colouring.high.toPrecision(4));
  showLegend(at("legend"), legendParts());
  count();
  invalidate();
}

function count() {
  const shown = drawing.shown(), rows = drawing.rows ? drawing.rows.n : 0;
  measured.shown = shown;
  at("counts").textContent = `${frame.head.bodies.toLocaleString("en")} bodies` + (shown < rows && shown !== frame.head.bodies ? `, ${shown.toLocaleString("en")} drawn` : "");
}

/// The numbers that the filter asks for, of frame k; null: those of its colours, or none. Why the frame lacks them is added to `lacks`.
async function loadFilter(packet, k, lacks) {
  const f = state.filter;
  if (!f.field || f.field === packet.head.field || (f.low === null && f.high === null)) return null;
  const { head, arrays } = await ask("field", { n: k, field: f.field });
  if (head.lacks) lacks.add("The filter: " + head.lacks + ".");
  return head.lacks ? null : arrays.value;
}

let told = "";
/// Says what the frame lacks of what is to be shown; takes back what was said of another.
function tell(lacks) {
  const words = [...lacks].join(" ");
  if (words || (told && at("notice").textContent === told)) notice(words || run.head.error);
  told = words;
}

async function filterChanged() {
  if (!frame) return;
  const packet = frame, lacks = new Set(packet.head.lacks ? [packet.head.lacks + "."] : []), values = await loadFilter(packet, state.frame, lacks);
  if (packet !== frame) return;
  tell(lacks);
  filterValues = values;
  paint();
}

function applyCut() {
  drawing.cut(state.cut.low, state.cut.high);
  if (frame) count();
  moved();
  remember();
}

// ---- Frames

async function frameOf(k, field) {
  const key = `${run.head.edition} ${k} ${field}`;
  const had = kept.get(key);
  if (had) return had;
  const packet = await ask("frame", { n: k, field });
  kept.set(key, packet);
  keptBytes += packet.arrays.place.buffer.byteLength;
  for (const [old, value] of kept) {
    if (keptBytes < mostKept || old === key) break;
    kept.delete(old);
    keptBytes -= value.arrays.place.buffer.byteLength;
  }
  return packet;
}

/// Shows frame k; what is asked for later wins.
async function show(k) {
  if (!run || times.length === 0) return;
  k = Math.max(0, Math.min(times.length - 1, k));
  const turn = ++wanted, began = performance.now();
  const packet = await frameOf(k, state.field);
  if (turn !== wanted) return;
  // What the server learned of the field's range since counts for frames that are kept, too.
  if (frame && frame.head.field === packet.head.field && frame.head.edition === packet.head.edition) {
    packet.head.low = Math.min(packet.head.low, frame.head.low);
    packet.head.high = Math.max(packet.head.high, frame.head.high);
  }
  const lacks = new Set(packet.head.lacks ? [packet.head.lacks + "."] : []);
  const values = await loadFilter(packet, k, lacks);
  await Promise.all([loadWalls(packet, k, turn), loadRods(k, turn, lacks)]);
  if (turn !== wanted) return;
  tell(lacks);
  // All of it changes at once.
  frame = packet;
  filterValues = values;
  state.frame = k;
  state.time = packet.head.time;
  rowOfSelected = state.selected === null ? -1 : rowOf(state.selected);
  drawing.setFrame(frame, run.head.flat);
  paint();
  measured.frame_ms = performance.now() - began;
  showTime();
  bodyPanel.show(state.selected, k, frame.head.time);
  wallPanel.show(frame, frame.head.time);
  seriesPanel.mark(frame.head.time);
  remember();
}

async function loadWalls(shown, k, turn) {
  if (shown.head.walls_key === wallsKey) return;
  const packet = await ask("walls", { n: k });
  if (turn !== wanted) return;
  wallsKey = packet.head.walls_key;
  drawing.setWalls(packet.head.walls, packet.arrays.vertex, packet.arrays.triangle, packet.arrays.first, run.head.flat);
  showWalls();
}

async function loadRods(k, turn, lacks) {
  const legends = [];
  for (const what of ["bonds", "chains", "cell"]) {
    const on = what === "cell" ? run.head.cell : what === "bonds" ? state.bonds && run.head.bonds : state.chains && run.head.contacts;
    if (!on) { drawing.setRods(what, null, null); continue; }
    const packet = await ask("rods", { n: k, what, colour: state.bondColour });
    if (turn !== wanted) return;
    drawing.setRods(what, packet.arrays.end, packet.arrays.colour);
    if (packet.head.lacks) lacks.add(packet.head.lacks + ".");
    if (what === "cell" || packet.head.lacks) continue;
    const { low, high, unit, title, map } = packet.head, marks = ticks(low, high, unit, 5);
    legends.push({ title: title + (marks.unit ? ` [${marks.unit}]` : ""), ticks: marks.ticks, map: colours.maps[map] });
  }
  rodLegend = legends;
}

const rowOf = (id) => {  // ids ascend
  const ids = frame.arrays.id;
  let low = 0, high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (ids[middle] === id) return middle;
    if (ids[middle] < id) low = middle + 1; else high = middle - 1;
  }
  return -1;
};

const timeText = () => !frame ? "no frames yet" : run.head.kind === "scene" ? "before the run" : `t = ${text(frame.head.time, "s", 5)}`;

function showTime() {
  at("slider").max = Math.max(0, times.length - 1);
  at("slider").value = Math.max(0, state.frame);
  at("slider").setAttribute("aria-valuetext", timeText());
  at("time").textContent = frame && run.head.kind !== "scene" ? `${timeText()}   ${state.frame + 1} of ${times.length}` : timeText();
}

const go = (k, keepLive = false) => { if (!keepLive) setLive(false); show(k).catch(fail); };

/// The frame nearest to a time.
function nearest(time) {
  let best = 0;
  for (let k = 1; k < times.length; ++k) if (Math.abs(times[k] - time) < Math.abs(times[best] - time)) best = k;
  return best;
}

function setLive(on) {
  state.live = on;
  at("live").checked = on;
  if (on && state.playing) setPlaying(false);
  remember();
}

function setPlaying(on) {
  state.playing = on;
  at("play").setAttribute("aria-pressed", on);
  at("play").textContent = on ? "Stop" : "Play";
  if (!on) return;
  setLive(false);
  const step = async () => {
    if (!state.playing) return;
    const began = performance.now();
    await show(state.frame + 1 >= times.length ? 0 : state.frame + 1).then(drawn).catch((e) => { fail(e); setPlaying(false); });
    const due = 1000 / Number(at("speed").value);
    setTimeout(step, Math.max(0, due - (performance.now() - began)));
  };
  step();
}

// ---- The run

let refreshing = false, again = false;
async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  try {
    const packet = await ask("run"), first = run === null, other = !first && packet.head.edition !== run.head.edition;
    run = packet;
    times = packet.arrays.times;
    colours = colours || new Colours(packet.head, packet.arrays);
    if (other) { kept.clear(); keptBytes = 0; wallsKey = ""; frame = null; }
    document.title = `${packet.head.name} – Scree`;
    at("name").textContent = packet.head.name;
    notice(packet.head.error);
    at("section-scene").hidden = packet.head.kind !== "scene";
    document.querySelector("footer").hidden = packet.head.kind === "scene";
    at("report").textContent = packet.head.report;
    at("regions").replaceChildren(...packet.head.regions.map((name) => Object.assign(document.createElement("li"), { textContent: `${name}: where bodies come or go (orange box)` })));
    at("control").hidden = !(packet.head.control && packet.head.attached);
    at("live").disabled = packet.head.kind === "scene";
    if (packet.arrays.shape_first) {
      drawing.setShapes(packet.head.shapes, packet.arrays.shape_corner, packet.arrays.shape_normal, packet.arrays.shape_first);
      const box = Array.from(packet.arrays.box), regions = packet.arrays.region_boxes;
      for (let k = 0; k < regions.length; ++k) box[k % 6] = k % 6 < 3 ? Math.min(box[k % 6], regions[k]) : Math.max(box[k % 6], regions[k]);
      view.bounds(box);
      setCuts(box);
      if (packet.head.flat && !view.flat) { view.azimuth = -90; view.elevation = 90; view.ortho = true; at("ortho").checked = true; }
      view.flat = packet.head.flat;
    }
    drawing.setRegions(packet.arrays.region_boxes);
    fillMenus();
    showStatus();
    seriesPanel.news(packet.head.series);
    wallPanel.names(packet.head.walls || [], packet.head.series);
    if (first) restore();
    if (times.length === 0) { at("slider").max = 0; if (frame === null && drawing.rows) { drawing.setFrame({ arrays: { place: new Float32Array(0) } }, false); at("counts").textContent = ""; at("legend").replaceChildren(); drawing.setWalls([], new Float32Array(0), new Uint32Array(0), [0], false); invalidate(); } return; }
    const k = state.live ? times.length - 1 : state.frame >= 0 ? state.frame : state.time !== null ? nearest(state.time) : times.length - 1;
    if (!frame || k !== state.frame) await show(k);
    else { drawing.setFrame(frame, run.head.flat); paint(); showTime(); }
  } catch (error) {
    fail(error);
  } finally {
    refreshing = false;
    if (again) { again = false; refresh(); }
  }
}

let lost = false;
function showStatus() {
  const badge = at("status"), waits = latest.waits, running = latest.running ?? (run && run.head.running);
  const word = lost ? "no connection, trying again" : !run ? "connecting" : run.head.kind === "scene" ? (run.head.error ? "does not run" : "ready to run")
    : latest.stop ? "stopping" : waits ? "waits" : running ? "running" : "ended";
  if (badge.textContent !== word) badge.textContent = word;
  badge.className = "badge" + (lost || word === "does not run" ? " lost" : word === "running" || word === "ready to run" ? " running" : "");
  at("run-pause").textContent = latest.pause ? "Go on" : "Pause the run";
  at("run-step").disabled = at("run-stop").disabled = at("run-pause").disabled = lost || !!latest.stop;
  at("progress").textContent = latest.end_step > 0 ? `step ${latest.step.toLocaleString("en")} of ${latest.end_step.toLocaleString("en")}, t = ${text(latest.time, "s")} of ${text(latest.end_time, "s")}` : "";
}

function fillMenus() {
  const fill = (select, names, first) => {
    const wish = select.value, list = first === undefined ? names : [first, ...names];
    if (select.dataset.names === list.join()) return;
    select.dataset.names = list.join();
    select.replaceChildren(...list.map((name) => Object.assign(document.createElement("option"), { value: name, textContent: name ? name.replace(/_/g, " ") : "nothing" })));
    if (list.includes(wish)) select.value = wish;
  };
  fill(at("field"), run.head.fields);
  fill(at("filter-field"), run.head.fields.filter((name) => name !== "none"), "");
  if (at("map").options.length === 1) for (const name of run.head.maps) at("map").add(new Option(name, name));
  if (!run.head.fields.includes(state.field)) state.field = run.head.field;
  at("field").value = state.field;
  at("bonds-label").hidden = !run.head.bonds;
  at("chains-label").hidden = !run.head.contacts;
}

// ---- Choosing a body

function select(id, focus = false) {
  state.selected = id;
  at("body-id").value = id === null ? "" : id;
  rowOfSelected = id === null || !frame ? -1 : rowOf(id);
  if (id !== null) at("section-body").open = true;
  if (focus && rowOfSelected >= 0) {
    view.at.fromArray(frame.arrays.place, 4 * rowOfSelected);
    view.changed();
  }
  paint();
  if (frame) bodyPanel.show(id, state.frame, frame.head.time);
  remember();
}

const bodyPanel = new BodyPanel(at("body"), {
  ask, select, go: (time) => go(nearest(time)), frames: () => times.length, fields: () => run.head.fields, running: () => latest.running });
const wallPanel = new WallPanel(at("walls"), { ask, hide: (name, hide) => { hide ? state.hidden.add(name) : state.hidden.delete(name); showWalls(); remember(); }, isHidden: (name) => state.hidden.has(name) });
const seriesPanel = new SeriesPanel(at("section-series"), at("series"), at("plots"), { ask, go: (time) => go(nearest(time)), changed: () => remember() });

function showWalls() {
  drawing.hidden = state.hidden;
  drawing.walls.visible = state.walls;
  drawing.wallStyle.opacity.value = state.opacity;
  drawing.lineStyle.opacity.value = run && run.head.flat ? 1 : Math.min(1, 0.35 + state.opacity);
  drawing.showWalls();
  invalidate();
}

// ---- A link to what is shown

const number = (v) => v === null ? "" : String(v);
const unnumber = (s) => s === "" || s === undefined || !isFinite(Number(s)) ? null : Number(s);
let remembering = 0, restoring = false;

function hash() {
  const h = new URLSearchParams();
  if (!state.live && state.time !== null) h.set("t", state.time);
  if (run && state.field !== run.head.field) h.set("field", state.field);
  if (state.map) h.set("map", state.map);
  if (state.low !== null || state.high !== null) h.set("range", `${number(state.low)}:${number(state.high)}`);
  const f = state.filter;
  if (f.field) h.set("filter", `${f.field}:${number(f.low)}:${number(f.high)}`);
  if ([...state.cut.low, ...state.cut.high].some((v) => v !== null)) h.set("cut", [0, 1, 2].map((a) => `${number(state.cut.low[a])}:${number(state.cut.high[a])}`).join(","));
  if (state.size !== 1) h.set("size", state.size);
  if (state.opacity !== 0.16) h.set("opacity", state.opacity);
  if (!state.walls) h.set("walls", "0");
  for (const name of state.hidden) h.append("hide", name);
  if (state.bonds) h.set("bonds", state.bondColour);
  if (state.chains) h.set("chains", "1");
  if (state.selected !== null) h.set("id", state.selected);
  for (const column of seriesPanel.columns) h.append("plot", column);
  if (fitted) h.set("view", view.save());
  return h.toString();
}

function remember() {
  clearTimeout(remembering);
  if (!restoring) remembering = setTimeout(() => history.replaceState(null, "", "#" + hash()), 250);
}

/// Takes over what the address says.
function restore() {
  const h = new URLSearchParams(location.hash.slice(1));
  restoring = true;
  if (h.has("t")) { state.live = false; state.time = unnumber(h.get("t")); state.frame = state.time === null || times.length === 0 ? -1 : nearest(state.time); if (frame) frame = null; }
  if (h.has("field") && run.head.fields.includes(h.get("field"))) state.field = h.get("field");
  if (run.head.maps.includes(h.get("map"))) state.map = h.get("map");
  const range = (h.get("range") || "").split(":"), filter = (h.get("filter") || "").split(":");
  [state.low, state.high] = [unnumber(range[0]), unnumber(range[1])];
  if (run.head.fields.includes(filter[0])) state.filter = { field: filter[0], low: unnumber(filter[1]), high: unnumber(filter[2]) };
  (h.get("cut") || "").split(",").slice(0, 3).forEach((part, a) => { const [low, high] = part.split(":"); state.cut.low[a] = unnumber(low); state.cut.high[a] = unnumber(high); });
  state.size = unnumber(h.get("size") ?? "1") ?? 1;
  state.opacity = unnumber(h.get("opacity") ?? "0.16") ?? 0.16;
  state.walls = h.get("walls") !== "0";
  state.hidden = new Set(h.getAll("hide"));
  state.bonds = h.has("bonds");
  if (["damage", "strain", "force", "kind"].includes(h.get("bonds"))) state.bondColour = h.get("bonds");
  state.chains = h.get("chains") === "1";
  state.selected = unnumber(h.get("id") ?? "");
  seriesPanel.choose(h.getAll("plot"));
  if (h.has("view") && view.load(h.get("view"))) fitted = true;
  restoring = false;
  toControls();
  drawing.uniforms.bodySize.value = state.size;
  drawing.cut(state.cut.low, state.cut.high);
  showWalls();
}

function toControls() {
  at("field").value = state.field;
  at("map").value = state.map;
  at("low").value = number(state.low);
  at("high").value = number(state.high);
  at("filter-field").value = state.filter.field;
  at("filter-low").value = number(state.filter.low);
  at("filter-high").value = number(state.filter.high);
  at("section-filter").open = at("section-filter").open || !!state.filter.field;
  at("size").value = state.size;
  at("opacity").value = state.opacity;
  at("show-walls").checked = state.walls;
  at("show-bonds").checked = state.bonds;
  at("bond-colour").value = state.bondColour;
  at("show-chains").checked = state.chains;
  at("ortho").checked = view.ortho;
  at("live").checked = state.live;
  at("body-id").value = number(state.selected);
  for (const input of at("cuts").querySelectorAll("input")) {
    const value = state.cut[input.dataset.side][input.dataset.axis];
    input.value = value === null ? input.dataset.open : value;
    if (value !== null) at("section-cut").open = true;
  }
}

// ---- Controls

function setCuts(box) {
  if (at("cuts").childElementCount === 0) {
    for (let a = 0; a < 3; ++a) {
      const row = document.createElement("div");
      row.className = "axis";
      row.append("xyz"[a]);
      for (const side of ["low", "high"]) {
        const input = Object.assign(document.createElement("input"), { type: "range" });
        Object.assign(input.dataset, { axis: a, side });
        input.setAttribute("aria-label", `Cut away where ${"xyz"[a]} is ${side === "low" ? "below" : "above"}`);
        input.oninput = () => {
          state.cut[side][a] = input.value === input.dataset.open ? null : Number(input.value);
          input.setAttribute("aria-valuetext", text(Number(input.value), "m"));
          input.title = text(Number(input.value), "m");
          applyCut();
        };
        row.append(input);
      }
      at("cuts").append(row);
    }
  }
  for (const input of at("cuts").querySelectorAll("input")) {
    const a = Number(input.dataset.axis), low = box[a], high = box[a + 3], was = state.cut[input.dataset.side][a];
    input.step = (high - low) / 500 || 1;
    input.min = low;
    input.max = high;
    input.value = input.dataset.side === "low" ? low : high;
    input.dataset.open = input.value;
    if (was !== null) input.value = was;
  }
}

const theField = (id, set) => at(id).addEventListener("change", () => { set(at(id)); remember(); });
theField("field", (e) => { state.field = e.value; state.low = state.high = null; toControls(); show(state.frame).catch(fail); });
theField("map", (e) => { state.map = e.value; paint(); });
for (const end of ["low", "high"]) {
  theField(end, (e) => { state[end] = unnumber(e.value); paint(); });
  theField("filter-" + end, (e) => { state.filter[end] = unnumber(e.value); filterChanged().catch(fail); });
}
theField("filter-field", (e) => { state.filter = { field: e.value, low: null, high: null }; toControls(); filterChanged().catch(fail); });
at("size").addEventListener("input", () => { state.size = Number(at("size").value); drawing.uniforms.bodySize.value = state.size; moved(); remember(); });
at("opacity").addEventListener("input", () => { state.opacity = Number(at("opacity").value); showWalls(); moved(); remember(); });
theField("show-walls", (e) => { state.walls = e.checked; showWalls(); });
// Rods lie inside of the bodies, which shrink with them.
const rodsChanged = (on, size) => { if (on && state.size === 1 && !run.head.flat) state.size = size; if (!state.bonds && !state.chains) state.size = 1; drawing.uniforms.bodySize.value = state.size; toControls(); show(state.frame).catch(fail); };
theField("show-bonds", (e) => { state.bonds = e.checked; rodsChanged(e.checked, 0.4); });
theField("bond-colour", (e) => { state.bondColour = e.value; show(state.frame).catch(fail); });
theField("show-chains", (e) => { state.chains = e.checked; rodsChanged(e.checked, 0); });
theField("ortho", (e) => { view.ortho = e.checked; view.changed(); });
theField("body-id", (e) => { const id = unnumber(e.value); select(id, true); });
at("cut-none").onclick = () => { state.cut = { low: [null, null, null], high: [null, null, null] }; toControls(); applyCut(); };
for (const button of document.querySelectorAll("[data-view]"))
  button.onclick = () => look(Number(button.dataset.view));
const look = (axis) => view.look(...[[-60, 18], [0, 0], [-90, 0], [-90, 90]][axis]);

at("slider").addEventListener("input", () => { setPlaying(false); setLive(false); show(Number(at("slider").value)).then(moved).catch(fail); });
at("first").onclick = () => go(0);
at("back").onclick = () => go(state.frame - 1);
at("next").onclick = () => go(state.frame + 1);
at("last").onclick = () => go(times.length - 1);
at("play").onclick = () => setPlaying(!state.playing);
theField("live", (e) => { setLive(e.checked); if (e.checked) go(times.length - 1, true); });
at("fit").onclick = () => view.fit();
at("picture").onclick = () => { drawWhole(); return savePicture(canvas, looks, fileName("png")).then((bytes) => { measured.picture_bytes = bytes; }).catch(fail); };
at("film").onclick = () => {
  drawWhole();
  try { film.running ? film.stop() : film.start(); } catch (error) { fail(error); }
  at("film").setAttribute("aria-pressed", film.running);
};
at("link").onclick = async () => {
  history.replaceState(null, "", "#" + hash());
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  at("link").textContent = "Copied";
  setTimeout(() => { at("link").textContent = "Link"; }, 1200);
};
at("panel-button").onclick = () => { at("panel").hidden = !at("panel").hidden; at("panel-button").setAttribute("aria-expanded", !at("panel").hidden); invalidate(); };
const order = (what) => command(what).catch(fail);
at("run-pause").onclick = () => order(latest.pause ? "resume" : "pause");
at("run-step").onclick = () => order("step");
at("run-stop").onclick = () => order("stop");

bindKeys(at("help"), at("help-button"), canvas, { view, look, go: (by) => go(state.frame + by), first: () => go(0), last: () => go(times.length - 1), press: (id) => at(id).click(), select });

// ---- Start

function pickAt(x, y) {
  const row = drawing.pick(view.ray(x, y));
  select(row < 0 ? null : frame.arrays.id[row]);
  at("body").setAttribute("aria-live", "polite");
}

try {
  drawing = new Drawing(canvas);
  pace = new Pace(drawing.renderer.getContext());
  film.quick = drawing.software;
  view.attach(canvas, pickAt);
  new ResizeObserver(invalidate).observe(at("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", invalidate);
  window.addEventListener("hashchange", () => { if (run && location.hash.slice(1) !== hash()) { restore(); frame = null; show(state.live ? times.length - 1 : state.frame).catch(fail); } });
  follow({
    state: (now) => { latest = now; showStatus(); },
    news: refresh,
    open: (isBack) => { lost = false; showStatus(); if (isBack) notice(""); refresh(); },
    lost: (bye) => { if (lost) return; lost = true; latest = { ...latest, waits: false, running: false }; showStatus(); if (bye) notice("The program that serves this page has ended. To look at the run again: scree view " + (run ? run.head.name : "RUN")); },
  });
  tick();
} catch (error) {
  fail(error);
}

/// For tests: what is shown, and how long it takes.
window.scree = {
  state, measured, view,
  get frames() { return times.length; },
  get run() { return run; },
  get frame() { return frame; },
  get drawing() { return drawing; },
  get film() { return film; },
  get isCoarse() { return isCoarse; },
  get pace() { return pace; },
  /// Where a body is seen, in pixels of the page; null: nowhere.
  placeOf(id) {
    const row = rowOf(id);
    if (row < 0) return null;
    view.place();
    const p = view.at.clone().fromArray(frame.arrays.place, 4 * row).project(view.camera), box = canvas.getBoundingClientRect();
    return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
  },
  /// Mean time of a drawing [ms], over so many while the camera turns.
  async time(drawings) {
    const gl = drawing.renderer.getContext(), pixel = new Uint8Array(4), began = performance.now();
    for (let k = 0; k < drawings; ++k) {
      view.azimuth += 1;
      drawing.render(view);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
    return (performance.now() - began) / drawings;
  },
};
