// Questions to the server, and what it tells by itself. Answers are packets: "SCRV", the length of a head in JSON, the head, arrays.

const kinds = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array };

export function unpack(buffer) {
  const bytes = new DataView(buffer);
  if (bytes.getUint32(0, false) !== 0x53435256) throw new Error("the server's answer is no packet");
  const length = bytes.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const arrays = {};
  for (const [name, a] of Object.entries(head.arrays)) arrays[name] = new kinds[a.type](buffer, 8 + length + a.offset, a.count);
  return { head, arrays };
}

/// One packet. `parameters`: an object, or a list of pairs.
export async function ask(name, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const reply = await fetch(name + (query ? "?" + query : ""), { signal, cache: "no-store" });
  if (!reply.ok) throw new Error((await reply.text()).trim() || reply.statusText);
  return unpack(await reply.arrayBuffer());
}

export async function command(what) {
  const reply = await fetch("control?do=" + encodeURIComponent(what), { method: "POST" });
  if (!reply.ok) throw new Error((await reply.text()).trim());
}

/// Keeps a stream of events open: on.state(object), on.news(), on.open(again), on.lost(said good-bye).
export function follow(on) {
  let opened = 0, bye = false, stream = null;
  const connect = () => {
    stream = new EventSource("events");
    stream.onopen = () => { bye = false; on.open(opened++ > 0); };
    stream.addEventListener("state", (e) => on.state(JSON.parse(e.data)));
    stream.addEventListener("news", () => on.news());
    stream.addEventListener("bye", () => { bye = true; });
    stream.onerror = () => {
      on.lost(bye);
      // Browsers give up on streams that were refused; a server that comes back is found all the same.
      if (stream.readyState === EventSource.CLOSED) { stream.close(); setTimeout(connect, 1500); }
    };
  };
  connect();
}
