// A camera that turns about a point: by mouse, pen, fingers and keys. Angles in degrees, lengths in metres; z is upright.
import * as THREE from "three";

const field = 28, degree = Math.PI / 180;

export class View {
  constructor(changed) {
    this.changed = changed;
    this.perspective = new THREE.PerspectiveCamera(field, 1, 1, 10);
    this.orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 1, 10);
    for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
    this.azimuth = -60;
    this.elevation = 18;
    this.distance = 1;
    this.at = new THREE.Vector3();
    this.ortho = false;
    this.flat = false;
    this.aspect = 1;
    this.centre = new THREE.Vector3();
    this.size = new THREE.Vector3(1, 1, 1);
    this.reach = 1;  // radius of the ball about `centre` that holds all there is to see
  }

  get camera() { return this.ortho ? this.orthographic : this.perspective; }

  /// Unit vectors to the right, up and towards the viewer.
  axes() {
    const a = this.azimuth * degree, e = this.elevation * degree;
    const back = new THREE.Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    const right = new THREE.Vector3(-Math.sin(a), Math.cos(a), 0);
    return { right, up: new THREE.Vector3().crossVectors(back, right), back };
  }

  place() {
    const { right, up, back } = this.axes(), camera = this.camera;
    camera.matrix.makeBasis(right, up, back);
    camera.matrix.setPosition(this.at.x + back.x * this.distance, this.at.y + back.y * this.distance, this.at.z + back.z * this.distance);
    camera.matrixAutoUpdate = false;
    const eye = new THREE.Vector3().setFromMatrixPosition(camera.matrix);
    const depth = eye.clone().sub(this.centre).dot(back), reach = 1.2 * this.reach;
    const far = Math.max(depth + reach, 1e-3 * reach, 1.01 * this.distance);
    const near = this.ortho ? depth - reach : Math.max(depth - reach, far * 2e-4);
    if (this.ortho) {
      const half = this.distance * Math.tan(field * degree / 2);
      Object.assign(camera, { left: -half * this.aspect, right: half * this.aspect, top: half, bottom: -half, near, far });
    } else {
      Object.assign(camera, { aspect: this.aspect, near, far });
    }
    camera.updateProjectionMatrix();
    camera.matrixWorldNeedsUpdate = true;
    camera.updateMatrixWorld(true);
    camera.matrixWorldInverse.getInverse(camera.matrixWorld);
  }

  bounds(box) {
    this.centre.set((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
    this.size = new THREE.Vector3(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    this.reach = Math.max(1e-9, 0.5 * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]));
  }

  fit() {
    this.at.copy(this.centre);
    const half = Math.tan(field * degree / 2);
    this.distance = this.flat ? 1.06 * Math.max(this.size.y, this.size.x / this.aspect) / 2 / half : 0.86 * this.reach / Math.sin(field * degree / 2) / Math.min(1, this.aspect);
    this.changed();
  }

  look(azimuth, elevation) {
    this.azimuth = azimuth;
    this.elevation = Math.max(-90, Math.min(90, elevation));
    this.changed();
  }

  turn(x, y) {
    if (this.flat) return this.pan(-x / 180, y / 180);
    this.look(this.azimuth - x, this.elevation + y);
  }

  /// By shares of the picture's height.
  pan(x, y) {
    const { right, up } = this.axes(), height = 2 * this.distance * Math.tan(field * degree / 2);
    this.at.addScaledVector(right, x * height).addScaledVector(up, y * height);
    this.changed();
  }

  zoom(factor) {
    this.distance = Math.max(1e-5 * this.reach, Math.min(50 * this.reach, this.distance * factor));
    this.changed();
  }

  /// Through the scene: forward and aside, by shares of the distance.
  fly(forward, aside, rise) {
    const { right, up, back } = this.axes();
    this.at.addScaledVector(back, -forward * this.distance).addScaledVector(right, aside * this.distance).addScaledVector(up, rise * this.distance);
    this.changed();
  }

  /// The ray through a place of the picture, -1 to 1 each.
  ray(x, y) {
    const { right, up, back } = this.axes(), half = this.distance * Math.tan(field * degree / 2);
    const aside = right.clone().multiplyScalar(x * half * this.aspect).addScaledVector(up, y * half);
    const eye = this.at.clone().addScaledVector(back, this.distance);
    if (this.ortho) return { from: eye.add(aside), along: back.negate() };
    return { from: eye, along: this.at.clone().add(aside).sub(eye).normalize() };
  }

  save() {
    const number = (v) => Number(v.toPrecision(6));
    return [this.azimuth, this.elevation, this.distance, this.at.x, this.at.y, this.at.z].map(number).join(",") + (this.ortho ? ",o" : "");
  }

  /// False where the text is none that save() made.
  load(text) {
    const parts = text.split(","), v = parts.slice(0, 6).map(Number);
    if (v.length < 6 || v.some((x) => !isFinite(x)) || !(v[2] > 0)) return false;
    [this.azimuth, this.elevation, this.distance] = v;
    this.at.set(v[3], v[4], v[5]);
    this.ortho = parts[6] === "o";
    return true;
  }

  /// Follows the pointers over an element; click(x, y) where one goes up where it went down.
  attach(element, click) {
    const down = new Map();
    let moved = 0, spread = 0;
    const middle = () => {
      const list = [...down.values()];
      return { x: list.reduce((s, p) => s + p.x, 0) / list.length, y: list.reduce((s, p) => s + p.y, 0) / list.length };
    };
    const width = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    element.addEventListener("pointerdown", (e) => {
      element.setPointerCapture(e.pointerId);
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (down.size === 1) moved = 0;
      if (down.size === 2) spread = width();
    });
    element.addEventListener("pointermove", (e) => {
      if (!down.has(e.pointerId)) return;
      const before = middle();
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      const after = middle(), x = after.x - before.x, y = after.y - before.y, height = element.clientHeight;
      moved += Math.abs(x) + Math.abs(y);
      if (down.size === 2) {
        this.pan(-x / height, y / height);
        if (spread > 0) this.zoom(spread / width());
        spread = width();
      } else if (e.buttons !== 1 || e.shiftKey || e.ctrlKey) {
        this.pan(-x / height, y / height);
      } else {
        this.flat ? this.pan(-x / height, y / height) : this.turn(x * 0.4, y * 0.4);
      }
    });
    const up = (e) => {
      if (e.type === "pointerup" && down.size === 1 && moved < 4 && e.button === 0) {
        const box = element.getBoundingClientRect();
        click(2 * (e.clientX - box.left) / box.width - 1, 1 - 2 * (e.clientY - box.top) / box.height);
      }
      down.delete(e.pointerId);
    };
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("contextmenu", (e) => e.preventDefault());
    element.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(e.deltaY * (e.deltaMode ? 0.05 : 0.0012))); }, { passive: false });
  }
}
