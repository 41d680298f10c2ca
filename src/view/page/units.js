// Numbers as people write them: three or four digits, with a prefix of the unit or a power of ten; round numbers along an axis.

const prefixes = ["p", "n", "µ", "m", "", "k", "M", "G", "T"];
const takesPrefix = (unit) => ["m", "N", "J", "Pa", "W", "s"].includes(unit.split(/[ /]/)[0]);
const superscript = (n) => "10" + String(n).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] || "⁻");

const thousands = (size) => size > 0 && isFinite(size) ? Math.max(-4, Math.min(4, Math.floor(Math.log10(size * (1 + 1e-9)) / 3))) : 0;

/// The factor that numbers of this size are divided by, and the unit behind them.
export function scaleOf(size, unit) {
  const bare = !unit || unit === "1", power = thousands(size);
  if (bare || !takesPrefix(unit)) {
    if (power === 0 || (size < 1e4 && size >= 1e-2)) return { factor: 1, unit: bare ? "" : unit };
    return { factor: 1000 ** power, unit: superscript(3 * power) + (bare ? "" : " " + unit) };
  }
  return { factor: 1000 ** power, unit: prefixes[4 + power] + unit };
}

/// "1.234 mm".
export function text(value, unit, digits = 4) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  if (unit === "1" && Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const scale = scaleOf(Math.abs(value), unit);
  return Number((value / scale.factor).toPrecision(digits)) + (scale.unit ? " " + scale.unit : "");
}

/// Round places from low to high with their labels, and the unit.
export function ticks(low, high, unit, most) {
  const scale = scaleOf(Math.max(Math.abs(low), Math.abs(high)), unit);
  const least = (high - low) / most, power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= least * (1 - 1e-9)) || 10 * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step / scale.factor) + 1e-9));
  const list = [];
  for (let k = Math.ceil(low / step - 1e-6); k <= Math.floor(high / step + 1e-6) && list.length < 50; ++k)
    list.push({ at: Math.min(1, Math.max(0, (k * step - low) / (high - low))), label: (k * step / scale.factor).toFixed(Math.min(digits, 12)) });
  return { ticks: list, unit: scale.unit };
}

/// The unit of a column of series.csv, by its last word.
export function unitOfColumn(column) {
  const word = column.split(".").pop(), kind = column.split(".")[0];
  if (/^f[xyz]$/.test(word)) return "N";
  if (/^t[xyz]$/.test(word)) return "N m";
  if (word === "power") return "W";
  if (word === "mass" || word === "largest_mass") return "kg";
  if (/^(kinetic|potential|elastic|dissipated|removed|total|work)/.test(word) && (kind.includes("energy") || word.includes("_"))) return "J";
  if (/^p[xyz]$/.test(word)) return "kg m/s";
  if (/^v[xyz]$/.test(word)) return "m/s";
  if (/^(xx|yy|zz|xy|xz|yz|pressure)$/.test(word)) return "Pa";
  return "1";
}
