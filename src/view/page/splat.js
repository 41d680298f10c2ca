// Coarse pictures of many bodies while something moves: balls drawn by the processor, as lit round spots at the depth of their centres, into
// an image that is then laid into the scene by one triangle. Where no graphics card draws, a point through WebGL takes some microseconds, so.

const most = 48;  // pixels across of the largest spot that is kept; larger ones are this one, spread

/// Light of a ball (as in shaders.js) or disk of d x d pixels, in 256ths; 0: beside it.
function spot(d, flat) {
  const values = new Uint16Array(d * d);
  for (let j = 0; j < d; ++j) {
    for (let i = 0; i < d; ++i) {
      const x = (2 * i + 1) / d - 1, y = (2 * j + 1) / d - 1, left = 1 - x * x - y * y;
      if (d > 2 && left < 0) continue;
      const z = Math.sqrt(Math.max(0, left)), sun = Math.max(0, -0.39 * x + 0.55 * y + 0.74 * z), rim = 0.35 * (1 - z) ** 3;
      const light = d <= 2 ? (flat ? 1 : 0.8) : flat ? (left < 0.19 && d > 8 ? 0.45 : 1) : 0.40 + 0.17 * (0.5 + 0.5 * y) + 0.52 * sun - rim;
      values[d * j + i] = Math.max(1, Math.min(256, Math.round(256 * light)));
    }
  }
  return values;
}

export class Splat {
  constructor() {
    this.width = this.height = 0;
    this.spots = [[], []];
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    this.colour = new Uint32Array(width * height);
    this.depth = new Float32Array(width * height);
    return true;
  }

  /// Draws the bodies `rows` ({place, shape, id, n}, as of Drawing) with `colour` (four bytes each), as seen through `matrix` (16, by columns: from
  /// the scene to the picture); `scale`: pixels of a length 1 at distance 1. Of all ids only every `step`-th, enlarged to the same volume, and
  /// the row `chosen`. Depth 2: nothing there.
  draw(rows, colour, matrix, scale, { low, high, size, step, flat, chosen }) {
    const { width, height, depth, colour: image } = this, { place, shape, id, n } = rows, spots = this.spots[flat ? 1 : 0];
    const tint = new Uint32Array(colour.buffer, colour.byteOffset, n);
    const [a, b, c, , e, f, g, , i, j, k, , m, o, p] = matrix, wx = matrix[3], wy = matrix[7], wz = matrix[11], w0 = matrix[15];
    const x0 = low.x, y0 = low.y, z0 = low.z, x1 = high.x, y1 = high.y, z1 = high.z;
    const across = 2 * scale * size * Math.cbrt(step), opaque = 0xff000000;
    depth.fill(2);
    image.fill(0);
    for (let row = 0, at = 0; row < n; ++row, at += 4) {
      if (step > 1 && id[row] % step !== 0 && row !== chosen) continue;
      const t = tint[row];
      if (t >>> 24 === 0 || (shape && shape[row] < -1)) continue;
      const x = place[at], y = place[at + 1], z = place[at + 2];
      if (x < x0 || x > x1 || y < y0 || y > y1 || z < z0 || z > z1) continue;
      const w = wx * x + wy * y + wz * z + w0;
      if (w <= 0) continue;
      const far = 0.5 * (c * x + g * y + k * z + p) / w + 0.5;
      if (!(far >= 0 && far < 1)) continue;
      const wide = across * place[at + 3] / w;
      if (!(wide > 0)) continue;
      const d = wide < 1 ? 1 : Math.round(wide);
      const left = Math.round(0.5 * ((a * x + e * y + i * z + m) / w + 1) * width - 0.5 * d), under = Math.round(0.5 * ((b * x + f * y + j * z + o) / w + 1) * height - 0.5 * d);
      const from = left < 0 ? -left : 0, to = left + d > width ? width - left : d, low = under < 0 ? -under : 0, top = under + d > height ? height - under : d;
      if (from >= to || low >= top) continue;
      const kept = d < most ? d : most, light = spots[kept] || (spots[kept] = spot(kept, flat)), red = t & 0xff00ff, green = t & 0xff00;
      for (let v = low; v < top; ++v) {
        const start = (under + v) * width + left, line = kept * (kept === d ? v : Math.floor(v * kept / d));
        for (let u = from; u < to; ++u) {
          if (depth[start + u] <= far) continue;
          const l = light[line + (kept === d ? u : Math.floor(u * kept / d))];
          if (l === 0) continue;
          depth[start + u] = far;
          image[start + u] = opaque | ((Math.imul(red, l) >>> 8) & 0xff00ff) | ((Math.imul(green, l) >>> 8) & 0xff00);
        }
      }
    }
  }
}
