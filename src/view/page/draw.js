// The things that a frame shows, as buffers of the graphics card; and which body a ray meets.
import * as THREE from "three";
import * as shaders from "./shaders.js";
import { Splat } from "./splat.js";

const everywhere = 1e30;
const fewInstances = 1000;  // of balls that software draws one by one
const manyBalls = 20000, fewPixels = 6;  // from where on, and up to which radius, balls are drawn the quick way

/// Does the processor draw, in place of a graphics card?
function isSoftware() {
  const probe = document.createElement("canvas").getContext("webgl2"), names = probe?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? probe.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/// Instances of one kind, or points: buffers that grow, and are filled anew for each frame.
class Instances {
  constructor(scene, geometry, material, columns, points = false) {
    this.geometry = geometry;
    this.columns = columns;  // name -> {size, type}
    this.capacity = 0;
    this.points = points;
    this.mesh = points ? new THREE.Points(geometry, material) : new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    scene.add(this.mesh);
  }
  fill(count, arrays) {
    if (count > this.capacity) {
      this.geometry.dispose();
      this.capacity = Math.ceil(count * 1.25);
      for (const [name, c] of Object.entries(this.columns)) {
        const Attribute = this.points ? THREE.BufferAttribute : THREE.InstancedBufferAttribute;
        const attribute = new Attribute(new c.type(c.size * this.capacity), c.size, c.type === Uint8Array);
        attribute.setUsage(THREE.DynamicDrawUsage);
        this.geometry.setAttribute(name, attribute);
      }
    }
    for (const [name, values] of Object.entries(arrays)) {
      const attribute = this.geometry.getAttribute(name);
      if (count === 0) continue;
      attribute.array.set(values.subarray(0, count * this.columns[name].size));
      attribute.updateRange = { offset: 0, count: count * this.columns[name].size };
      attribute.needsUpdate = true;
    }
    if (this.points) this.geometry.setDrawRange(0, count);
    else this.geometry.maxInstancedCount = count;
    this.mesh.visible = count > 0;
  }
}

const placed = { place: { size: 4, type: Float32Array }, turn: { size: 4, type: Float32Array }, colour: { size: 4, type: Uint8Array } };

export class Drawing {
  constructor(canvas) {
    this.software = isSoftware();
    const context = canvas.getContext("webgl2", { antialias: !this.software, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
    if (!context) throw new Error("this browser has no WebGL 2, with which bodies are drawn; another browser, or a newer one, may");
    this.renderer = new THREE.WebGLRenderer({ canvas, context, alpha: true });
    this.renderer.setClearColor(0, 0);
    this.scene = new THREE.Scene();
    this.scene.matrixAutoUpdate = false;
    this.uniforms = {
      cutLow: { value: new THREE.Vector3(-everywhere, -everywhere, -everywhere) },
      cutHigh: { value: new THREE.Vector3(everywhere, everywhere, everywhere) },
      bodySize: { value: 1 }, flatScene: { value: 0 },
    };
    this.wallStyle = { wallColour: { value: new THREE.Color(0x8a97a6) }, opacity: { value: 0.16 } };
    this.lineStyle = { wallColour: { value: new THREE.Color(0x5b6875) }, opacity: { value: 0.55 } };
    this.regionStyle = { wallColour: { value: new THREE.Color(0xd9822b) }, opacity: { value: 1 } };
    const square = () => {
      const geometry = new THREE.InstancedBufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
      geometry.setIndex([0, 1, 2, 0, 2, 3]);
      return geometry;
    };
    const ballColumns = { place: placed.place, colour: placed.colour };
    this.ballMaterials = { exact: this.material(shaders.balls), small: this.material(shaders.smallBalls) };
    this.balls = new Instances(this.scene, square(), this.ballMaterials.exact, ballColumns);
    this.pixels = { pixels: { value: new THREE.Vector2() } };
    this.pointMaterials = { exact: this.material(shaders.points(false), this.pixels), small: this.material(shaders.points(true), this.pixels) };
    this.pointBalls = new Instances(this.scene, new THREE.BufferGeometry(), this.pointMaterials.exact, { position: placed.place, colour: placed.colour }, true);
    this.disks = new Instances(this.scene, square(), this.material(shaders.disks), placed);
    const rod = () => new Instances(this.scene, rodGeometry(), this.material(shaders.rods), {
      end: { size: 4, type: Float32Array }, other: { size: 4, type: Float32Array }, colour: { size: 4, type: Uint8Array } });
    this.rods = { bonds: rod(), chains: rod(), cell: rod() };
    this.solidMaterial = this.material(shaders.solids);
    this.solids = [];
    this.shapes = [];
    this.walls = new THREE.Group();
    this.regions = new THREE.Group();
    this.scene.add(this.walls, this.regions);
    this.hidden = new Set();
    this.rows = null;
    this.splat = new Splat();
    const plane = new THREE.BufferGeometry();
    plane.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.spots = { image: { value: null }, depths: { value: null } };
    this.layer = new THREE.Mesh(plane, this.material(shaders.layer, this.spots));
    this.layer.frustumCulled = false;
    this.layer.visible = false;
    this.layer.renderOrder = -1;
    this.scene.add(this.layer);
  }

  material(shader, more = {}, options = {}) {
    return new THREE.RawShaderMaterial({ vertexShader: shader.vertex, fragmentShader: shader.fragment, uniforms: { ...this.uniforms, ...more }, side: THREE.DoubleSide, ...options });
  }

  setShapes(names, corner, normal, first) {
    for (const solid of this.solids) { this.scene.remove(solid.mesh); solid.geometry.dispose(); }
    this.shapes = names.map((name, s) => ({ name, corner: corner.subarray(3 * first[s], 3 * first[s + 1]) }));
    this.solids = names.map((name, s) => {
      const geometry = new THREE.InstancedBufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(corner.slice(3 * first[s], 3 * first[s + 1]), 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(normal.slice(3 * first[s], 3 * first[s + 1]), 3));
      return new Instances(this.scene, geometry, this.solidMaterial, placed);
    });
  }

  /// Bodies of a frame: place (centre, radius), shape (none: all spheres) and turn by rows.
  setFrame(frame, flat) {
    this.flat = flat;
    this.uniforms.flatScene.value = flat ? 1 : 0;
    const { place, shape, turn } = frame.arrays, n = place.length / 4;
    this.rows = { place, shape, turn, n, id: frame.arrays.id };
    let sum = 0;
    for (let k = 3; k < place.length; k += 4) sum += place[k];
    this.meanRadius = n > 0 ? sum / n : 0;
    this.lists = null;
    if (shape) {
      const counts = new Uint32Array(this.solids.length + 1);
      for (let k = 0; k < n; ++k) if (shape[k] >= -1 && shape[k] < this.solids.length) ++counts[shape[k] + 1];
      this.lists = Array.from(counts, (c) => new Uint32Array(c));
      counts.fill(0);
      for (let k = 0; k < n; ++k) if (shape[k] >= -1 && shape[k] < this.solids.length) this.lists[shape[k] + 1][counts[shape[k] + 1]++] = k;
    }
    this.round = flat ? this.disks : this.software && n > fewInstances ? this.pointBalls : this.balls;
    for (const other of [this.disks, this.pointBalls, this.balls]) if (other !== this.round) other.fill(0, {});
    const groups = this.groups();
    for (const { instances, list } of groups) {
      const count = list ? list.length : n;
      const places = list ? gather(place, list, 4) : place, arrays = instances.points ? { position: places } : { place: places };
      if (instances.columns.turn) arrays.turn = !turn ? new Float32Array(4 * count) : list ? gather(turn, list, 4) : turn;
      instances.fill(count, arrays);
    }
  }

  groups() {
    if (!this.lists) return [{ instances: this.round, list: null }, ...this.solids.map((instances) => ({ instances, list: new Uint32Array(0) }))];
    return [{ instances: this.round, list: this.lists[0] }, ...this.solids.map((instances, s) => ({ instances, list: this.lists[s + 1] }))];
  }

  /// Four bytes to each row; opacity 0 hides it.
  setColours(colour) {
    this.colour = colour;
    if (!this.rows) return;
    const words = new Uint32Array(colour.buffer);
    for (const { instances, list } of this.groups()) {
      const count = list ? list.length : this.rows.n;
      if (count === 0) continue;
      if (!list) { instances.fill(count, { colour }); continue; }
      const chosen = new Uint32Array(count);
      for (let k = 0; k < count; ++k) chosen[k] = words[list[k]];
      instances.fill(count, { colour: new Uint8Array(chosen.buffer) });
    }
  }

  setRods(kind, end, colour) {
    const n = end ? end.length / 8 : 0, from = new Float32Array(4 * n), to = new Float32Array(4 * n);
    for (let k = 0; k < n; ++k) {
      from.set(end.subarray(8 * k, 8 * k + 4), 4 * k);
      to.set(end.subarray(8 * k + 4, 8 * k + 8), 4 * k);
    }
    this.rods[kind].fill(n, { end: from, other: to, colour: colour || new Uint8Array(0) });
  }

  setWalls(names, vertex, triangle, first, flat) {
    for (const child of [...this.walls.children]) { this.walls.remove(child); child.geometry.dispose(); }
    names.forEach((name, w) => {
      const index = triangle.slice(first[w], first[w + 1]);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(vertex, 3));
      geometry.setIndex(new THREE.BufferAttribute(index, 1));
      if (!flat) {
        this.wallMaterial = this.wallMaterial || this.material(shaders.walls, this.wallStyle, { transparent: true, depthWrite: false });
        const mesh = new THREE.Mesh(geometry, this.wallMaterial);
        mesh.renderOrder = 1;
        this.addWall(mesh, name);
      }
      const edges = new THREE.BufferGeometry();
      edges.setAttribute("position", new THREE.BufferAttribute(flat ? crossings(vertex, index) : edgesOf(vertex, index), 3));
      this.edgeMaterial = this.edgeMaterial || this.material(shaders.lines, this.lineStyle, { transparent: true });
      this.addWall(new THREE.LineSegments(edges, this.edgeMaterial), name);
    });
    this.showWalls();
  }
  addWall(thing, name) {
    thing.userData.name = name;
    thing.frustumCulled = false;
    this.walls.add(thing);
  }
  showWalls() {
    for (const child of this.walls.children) child.visible = !this.hidden.has(child.userData.name);
  }

  setRegions(boxes) {
    for (const child of [...this.regions.children]) { this.regions.remove(child); child.geometry.dispose(); }
    for (let k = 0; k + 5 < boxes.length; k += 6) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(boxEdges(boxes.subarray(k, k + 6)), 3));
      const lines = new THREE.LineSegments(geometry, this.material(shaders.lines, this.regionStyle));
      lines.frustumCulled = false;
      this.regions.add(lines);
    }
  }

  cut(low, high) {
    this.uniforms.cutLow.value.set(...low.map((v) => (v === null ? -everywhere : v)));
    this.uniforms.cutHigh.value.set(...high.map((v) => (v === null ? everywhere : v)));
  }

  isShown(row) {
    const { place } = this.rows, low = this.uniforms.cutLow.value, high = this.uniforms.cutHigh.value;
    const x = place[4 * row], y = place[4 * row + 1], z = place[4 * row + 2];
    return this.colour && this.colour[4 * row + 3] !== 0 && (!this.rows.shape || this.rows.shape[row] >= -1) &&
      x >= low.x && x <= high.x && y >= low.y && y <= high.y && z >= low.z && z <= high.z;
  }

  /// Number of bodies (rows with a surface) that neither cut nor filter takes away.
  shown() {
    if (!this.rows) return 0;
    let count = 0;
    for (let k = 0; k < this.rows.n; ++k) count += this.isShown(k) ? 1 : 0;
    return count;
  }

  /// The row of the first body that a ray meets, -1: none.
  pick(ray) {
    if (!this.rows) return -1;
    const { place, shape, turn, n } = this.rows, size = this.uniforms.bodySize.value;
    const { from, along } = ray;
    let best = Infinity, found = -1;
    for (let k = 0; k < n; ++k) {
      const r = place[4 * k + 3] * size;
      const x = place[4 * k] - from.x, y = place[4 * k + 1] - from.y, z = place[4 * k + 2] - from.z;
      const t = x * along.x + y * along.y + z * along.z;
      if (t + r < 0 || t - r > best) continue;
      const bx = x - t * along.x, by = y - t * along.y, bz = z - t * along.z, left = r * r - bx * bx - by * by - bz * bz;
      if (left < 0 || !this.isShown(k)) continue;
      let depth = t - Math.sqrt(left);
      if (shape && shape[k] >= 0) depth = this.meets(this.shapes[shape[k]].corner, turn.subarray(4 * k, 4 * k + 4), r, [-x, -y, -z], along);
      if (depth < best && depth > 0) best = depth, found = k;
    }
    return found;
  }

  /// How far along a ray it meets a shape of radius r; `from` is the ray's start as seen from the centre.
  meets(corner, turn, r, from, along) {
    const back = new THREE.Quaternion(-turn[0], -turn[1], -turn[2], turn[3]);
    const o = new THREE.Vector3(...from).applyQuaternion(back).divideScalar(r), d = along.clone().applyQuaternion(back);
    const ray = new THREE.Ray(o, d), a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), hit = new THREE.Vector3();
    let best = Infinity;
    for (let k = 0; k < corner.length; k += 9) {
      a.fromArray(corner, k), b.fromArray(corner, k + 3), c.fromArray(corner, k + 6);
      if (ray.intersectTriangle(a, b, c, false, hit)) best = Math.min(best, hit.distanceTo(o) * r);
    }
    return best;
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  render(view) {
    view.place();
    const pixels = this.meanRadius * this.uniforms.bodySize.value * this.renderer.domElement.height / (2 * view.distance * Math.tan(view.camera.fov ? view.camera.fov * Math.PI / 360 : 0.2443));
    const isSmall = this.rows !== null && this.rows.n > manyBalls && pixels < fewPixels;
    this.balls.mesh.material = isSmall ? this.ballMaterials.small : this.ballMaterials.exact;
    this.pointBalls.mesh.material = isSmall ? this.pointMaterials.small : this.pointMaterials.exact;
    this.pixels.pixels.value.set(this.renderer.domElement.width, this.renderer.domElement.height);
    this.renderer.render(this.scene, view.camera);
  }

  /// Are there so many bodies that a coarse picture is drawn faster?
  get isMany() { return this.rows !== null && this.rows.n > fewInstances; }

  /// The same with all bodies as spots (splat.js), of every `step`-th id; their buffers wait for the next whole picture.
  /// Returns how long the spots took [ms].
  renderCoarse(view, step, chosen) {
    view.place();
    const { width, height } = this.renderer.domElement, { camera } = view, { splat } = this;
    if (splat.resize(width, height)) {
      for (const spots of Object.values(this.spots)) spots.value?.dispose();
      this.spots.image.value = new THREE.DataTexture(new Uint8Array(splat.colour.buffer), width, height, THREE.RGBAFormat, THREE.UnsignedByteType);
      this.spots.depths.value = new THREE.DataTexture(splat.depth, width, height, THREE.RedFormat, THREE.FloatType);
    }
    const began = performance.now(), matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    splat.draw(this.rows, this.colour, matrix.elements, 0.5 * camera.projectionMatrix.elements[5] * height, {
      low: this.uniforms.cutLow.value, high: this.uniforms.cutHigh.value, size: this.uniforms.bodySize.value, step, flat: this.flat, chosen });
    const took = performance.now() - began;
    for (const spots of Object.values(this.spots)) spots.value.needsUpdate = true;
    const hidden = [this.round, ...this.solids].map(({ mesh }) => mesh).filter((mesh) => mesh.visible);
    for (const mesh of hidden) mesh.visible = false;
    this.layer.visible = true;
    this.renderer.render(this.scene, camera);
    this.layer.visible = false;
    for (const mesh of hidden) mesh.visible = true;
    return took;
  }
}

function gather(values, list, size) {
  const chosen = new Float32Array(size * list.length);
  for (let k = 0; k < list.length; ++k) for (let j = 0; j < size; ++j) chosen[size * k + j] = values[size * list[k] + j];
  return chosen;
}

/// Round the unit circle, at z = 0 and z = 1.
function rodGeometry() {
  const sides = 8, corner = [], index = [];
  for (let k = 0; k < sides; ++k) {
    const angle = 2 * Math.PI * k / sides, next = (k + 1) % sides;
    corner.push(Math.cos(angle), Math.sin(angle), 0, Math.cos(angle), Math.sin(angle), 1);
    index.push(2 * k, 2 * next, 2 * next + 1, 2 * k, 2 * next + 1, 2 * k + 1);
  }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corner), 3));
  geometry.setIndex(index);
  return geometry;
}

const mostEdges = 30000;  // triangles of which edges are looked for

/// Where triangles end or meet at more than 20 degrees.
function edgesOf(vertex, index) {
  if (index.length > 3 * mostEdges) return new Float32Array(0);
  const geometry = new THREE.BufferGeometry();
  const corner = new Float32Array(3 * index.length);
  for (let k = 0; k < index.length; ++k) corner.set(vertex.subarray(3 * index[k], 3 * index[k] + 3), 3 * k);
  geometry.setAttribute("position", new THREE.BufferAttribute(corner, 3));
  const edges = new THREE.EdgesGeometry(geometry, 20);
  return new Float32Array(edges.getAttribute("position").array);
}

/// The lines in which triangles cross the plane z = 0.
function crossings(vertex, index) {
  const points = [];
  for (let t = 0; t + 2 < index.length; t += 3) {
    const ends = [];
    for (let k = 0; k < 3; ++k) {
      const a = 3 * index[t + k], b = 3 * index[t + (k + 1) % 3], za = vertex[a + 2], zb = vertex[b + 2];
      if ((za > 0) === (zb > 0)) continue;
      const s = za / (za - zb);
      ends.push([vertex[a] + s * (vertex[b] - vertex[a]), vertex[a + 1] + s * (vertex[b + 1] - vertex[a + 1]), 0]);
    }
    if (ends.length === 2) points.push(...ends[0], ...ends[1]);
  }
  return new Float32Array(points);
}

function boxEdges(box) {
  const points = [], corner = (k) => [k & 1 ? box[3] : box[0], k & 2 ? box[4] : box[1], k & 4 ? box[5] : box[2]];
  for (let k = 0; k < 8; ++k) for (const bit of [1, 2, 4]) if (!(k & bit)) points.push(...corner(k), ...corner(k | bit));
  return new Float32Array(points);
}
