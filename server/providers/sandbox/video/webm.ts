/** Dimensions in pixels, and for how long each frame is shown. */
interface Clip {
  width: number;
  height: number;
  frameMs: number;
}

/** Returns a WebM video of lossy WebP pictures: each has one VP8 key frame. It may last for 32 seconds. */
export function writeWebm(pictures: Buffer[], { width, height, frameMs }: Clip): Buffer {
  const video = element("e0", [element("b0", uint(width)), element("ba", uint(height))]);
  const track = [
    element("d7", uint(1)),
    element("73c5", uint(1)),
    element("83", uint(1)),
    element("86", Buffer.from("V_VP8")),
  ];
  return Buffer.concat([
    element("1a45dfa3", [element("4282", Buffer.from("webm")), element("4287", uint(2)), element("4285", uint(2))]),
    element("18538067", [
      element("1549a966", [element("2ad7b1", uint(1_000_000)), element("4489", float(pictures.length * frameMs))]),
      element("1654ae6b", [element("ae", [...track, video])]),
      element("1f43b675", [
        element("e7", uint(0)),
        ...pictures.map((picture, index) => block(readKeyFrame(picture), index * frameMs)),
      ]),
    ]),
  ]);
}

/** Returns the VP8 key frame of a lossy WebP picture: its only chunk. */
function readKeyFrame(webp: Buffer): Buffer {
  if (webp.toString("latin1", 12, 16) !== "VP8 ") throw new Error("not a lossy WebP");
  return webp.subarray(20, 20 + webp.readUInt32LE(16));
}

function block(frame: Buffer, ms: number): Buffer {
  // Track 1, the time within the cluster, and the flag of a key frame.
  const head = Buffer.from([0x81, ms >> 8, ms & 0xff, 0x80]);
  return element("a3", [head, frame]);
}

/** Returns an EBML element with a length of eight bytes. */
function element(id: string, content: Buffer | Buffer[]): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
  return Buffer.concat([Buffer.from(id, "hex"), length, body]);
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
}
