// What keys do, and the list that says so.

const list = [
  ["← → ↑ ↓", "turn; with Shift move"], ["+ −", "nearer, farther"], ["W S A D Q E", "fly forward, back, left, right, down, up"],
  ["F", "show all"], ["1 2 3 0", "look along x, y, z; oblique"], ["space", "play or stop"], [", .", "frame before, next frame"],
  ["Home End", "first, last frame"], ["L", "live: show new frames as they are written"], ["P", "save a picture"], ["R", "start or end a film"],
  ["K", "copy a link to what is shown"], ["\\", "show or hide the panel"], ["Esc", "choose no body; close this list"], ["?", "this list"],
  ["drag", "turn; with Shift, the right button or two fingers move"], ["wheel, pinch", "nearer, farther"], ["click", "choose a body"],
];

export function bindKeys(help, button, canvas, on) {
  const table = document.createElement("table");
  for (const [keys, what] of list) {
    const row = table.insertRow(), first = row.insertCell(), kbd = document.createElement("kbd");
    kbd.textContent = keys;
    first.append(kbd);
    row.insertCell().textContent = what;
  }
  help.append(table);
  const toggle = (open) => { help.hidden = !open; button.setAttribute("aria-expanded", open); };
  button.onclick = () => toggle(help.hidden);
  const turn = 5, move = 0.05, step = 0.08;
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const actions = {
    "+": () => on.view.zoom(0.85), "=": () => on.view.zoom(0.85), "-": () => on.view.zoom(1 / 0.85),
    w: () => on.view.fly(step, 0, 0), s: () => on.view.fly(-step, 0, 0), a: () => on.view.fly(0, -step, 0), d: () => on.view.fly(0, step, 0),
    q: () => on.view.fly(0, 0, -step), e: () => on.view.fly(0, 0, step),
    f: () => on.press("fit"), 0: () => on.look(0), 1: () => on.look(1), 2: () => on.look(2), 3: () => on.look(3),
    ",": () => on.go(-1), ".": () => on.go(1), Home: on.first, End: on.last, l: () => on.press("live"),
    p: () => on.press("picture"), r: () => on.press("film"), k: () => on.press("link"), "\\": () => on.press("panel-button"), "?": () => toggle(help.hidden),
    Escape: () => { if (!help.hidden) toggle(false); else on.select(null); },
  };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = e.target, inField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName), key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (inField && e.key !== "Escape" && !(target.type === "checkbox" && e.key !== " ")) return;
    if (arrows[key] && (target === canvas || target === document.body)) {
      const [x, y] = arrows[key];
      e.shiftKey ? on.view.pan(x * move, y * move) : on.view.flat ? on.view.pan(x * move, y * move) : on.view.turn(x * turn, y * turn);
    } else if (key === " " && (target === canvas || target === document.body)) {
      on.press("play");
    } else if (actions[key]) {
      actions[key]();
    } else {
      return;
    }
    e.preventDefault();
  });
}
