// How coarse a picture is to be while something moves, by the time that pictures take.

const slow = 33, quick = 12;  // [ms]: from where on a picture is drawn coarser, and up to where finer
const late = 2, patience = 8;  // slow pictures in a row before they are drawn coarser, quick ones before finer
export const rest = 150;      // [ms] without a motion, after which the whole picture is drawn

// Pixels of the picture to one of the screen, and of how many ids one body is drawn.
const levels = [[1, 1], [1 / 2, 1], [1 / 3, 1], [1 / 3, 2], [1 / 3, 4], [1 / 3, 8], [1 / 3, 16], [1 / 3, 32], [1 / 3, 64]].map(([ratio, step]) => ({ ratio, step }));

export class Pace {
  constructor(gl) {
    this.gl = gl;
    this.level = 1;
    this.late = this.early = 0;  // slow and quick pictures in a row
    this.full_ms = 0;  // of the last whole picture
    this.fence = null;
  }

  /// Did the last whole picture take too long to be drawn while something moves?
  get isSlow() { return this.full_ms > slow; }
  get coarse() { return levels[this.level]; }
  get busy() { return this.fence !== null; }

  /// After a picture was asked for that began at `began` (performance.now()): calls done(ms) when it is there.
  /// bodies_ms: the part of the bodies in a coarse one; null: the whole picture.
  await(began, bodies_ms, done) {
    const { gl } = this;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      if (!gl.isContextLost() && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) { setTimeout(look, 2); return; }
      gl.deleteSync(this.fence);
      this.fence = null;
      const ms = performance.now() - began;
      bodies_ms === null ? this.full_ms = ms : this.learn(ms, bodies_ms);
      done(ms);
    };
    setTimeout(look, 0);
  }

  learn(ms, bodies_ms) {
    this.late = ms > slow ? this.late + 1 : 0;
    this.early = ms < quick ? this.early + 1 : 0;
    const coarser = levels[this.level + 1];
    if (this.late >= late && coarser && (coarser.step === this.coarse.step || bodies_ms > slow / 2)) ++this.level, this.late = 0;  // fewer bodies only where they take the time
    else if (this.early >= patience && this.level > 0) --this.level, this.early = 0;
  }
}
