// Pictures and films of what is shown, with its legend and time.
import { drawLegend } from "./colours.js";

const save = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

/// A picture of the canvas with what stands over it. what(): {legend, time, back, ink}.
export function compose(canvas, target, what) {
  const g = target.getContext("2d"), { legend, time, back, ink } = what();
  if (target.width !== canvas.width || target.height !== canvas.height) target.width = canvas.width, target.height = canvas.height;
  g.fillStyle = back;
  g.fillRect(0, 0, target.width, target.height);
  g.drawImage(canvas, 0, 0);
  const unit = Math.max(11, Math.round(target.height / 48));
  drawLegend(g, legend, target.height, unit, ink);
  g.textAlign = "right";
  g.fillStyle = ink;
  g.fillText(time, target.width - unit, target.height - unit);
}

export function savePicture(canvas, what, name) {
  const target = document.createElement("canvas");
  compose(canvas, target, what);
  return new Promise((done) => target.toBlob((blob) => { save(blob, name); done(blob.size); }, "image/png"));
}

export class Film {
  constructor(canvas, what, name) {
    this.canvas = canvas;
    this.what = what;
    this.name = name;
    this.recorder = null;
    this.quick = false;  // a code that takes less time, where the processor draws, too
    this.bytes = 0;      // of the film so far
  }
  get running() { return this.recorder !== null; }
  start() {
    if (typeof MediaRecorder === "undefined") throw new Error("this browser records no films");
    this.target = document.createElement("canvas");
    this.draw();
    const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
    const kind = (this.quick ? kinds.slice(1) : kinds).find((k) => MediaRecorder.isTypeSupported(k));
    if (!kind) throw new Error("this browser records no WebM films");
    const parts = [];
    this.recorder = new MediaRecorder(this.target.captureStream(30), { mimeType: kind, videoBitsPerSecond: 12e6 });
    this.bytes = 0;
    this.recorder.ondataavailable = (e) => { parts.push(e.data); this.bytes += e.data.size; };
    this.recorder.onstop = () => save(new Blob(parts, { type: "video/webm" }), this.name());
    this.recorder.start(500);
  }
  /// After each drawing.
  draw() { if (this.target) compose(this.canvas, this.target, this.what); }
  stop() {
    this.recorder.stop();
    this.recorder = null;
    this.target = null;
  }
}
