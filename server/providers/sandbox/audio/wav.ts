const PCM_BYTES = 16;

/** Returns a WAV with one channel of 16 bits, and a text as its comment. */
export function writeWav(samples: Int16Array, sampleRate: number, comment: string): Buffer {
  const format = Buffer.alloc(PCM_BYTES);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const info = Buffer.concat([Buffer.from("INFO"), writeChunk("ICMT", Buffer.from(`${comment}\0`))]);
  const body = [Buffer.from("WAVE"), writeChunk("fmt ", format), writeChunk("LIST", info), writeChunk("data", data)];
  return writeChunk("RIFF", Buffer.concat(body));
}

function writeChunk(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

interface Wav {
  seconds: number;
  comment: string | null;
}

/** Returns what a WAV's chunks say; null for anything else. */
export function readWav(bytes: Buffer): Wav | null {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WAVE") return null;
  let bytesPerSecond = 0;
  let seconds = 0;
  let comment: string | null = null;
  for (const { id, content } of readChunks(bytes.subarray(12))) {
    if (id === "fmt " && content.length >= PCM_BYTES) bytesPerSecond = content.readUInt32LE(8);
    if (id === "data" && bytesPerSecond > 0) seconds = content.length / bytesPerSecond;
    if (id === "LIST" && content.toString("latin1", 0, 4) === "INFO") {
      const found = readChunks(content.subarray(4)).find((chunk) => chunk.id === "ICMT");
      if (found) comment = readText(found.content);
    }
  }
  return { seconds, comment };
}

const MAX_CHUNKS = 100;
const MAX_TEXT_BYTES = 64 * 1024;

/** Returns the text of a chunk, which ends with its first NUL. */
const readText = (content: Buffer) => content.toString("utf8", 0, MAX_TEXT_BYTES).split("\0", 1)[0]!;

function readChunks(bytes: Buffer): { id: string; content: Buffer }[] {
  const chunks: { id: string; content: Buffer }[] = [];
  for (let at = 0; at + 8 <= bytes.length && chunks.length < MAX_CHUNKS;) {
    const size = bytes.readUInt32LE(at + 4);
    chunks.push({ id: bytes.toString("latin1", at, at + 4), content: bytes.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}
