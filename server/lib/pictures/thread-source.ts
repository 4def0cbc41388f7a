// Text instead of a file, so that it runs from sources and from both bundles.
/** The program of a thread that reads and decodes one picture at a time. */
export const THREAD_SOURCE = `
const { createRequire } = require("node:module");
const { parentPort, workerData } = require("node:worker_threads");
const sharp = createRequire(workerData.from)("sharp");
// Loading it enables the cache again, for the whole process (load-sharp.ts).
sharp.cache(false);

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = Buffer.from([0x3b]);
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

const isGif = (content) => /^GIF8[79]a/.test(content.toString("latin1", 0, 6));
const colourTableBytes = (flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

// Returns the position after a chain of length-prefixed blocks, which a length of 0 ends.
function skipBlocks(gif, start) {
  let offset = start;
  while (offset < gif.length && gif[offset] !== 0) offset += gif[offset] + 1;
  return offset + 1;
}

// Returns a GIF cut after its first frame, without the extensions before it, such as comments. A decoder scans all
// frames before it decodes one, and a file of 20 MiB can contain a million of them.
function cutToFirstFrame(gif) {
  if (gif.length < HEADER_BYTES) return gif;
  const start = HEADER_BYTES + colourTableBytes(gif[10]);
  let offset = start;
  let control = TRAILER.subarray(1);
  while (gif[offset] === EXTENSION) {
    const end = skipBlocks(gif, offset + 2);
    // Says which colour is transparent.
    if (gif[offset + 1] === 0xf9) control = gif.subarray(offset, end);
    offset = end;
  }
  if (gif[offset] !== IMAGE) return gif.subarray(0, offset);
  const data = offset + DESCRIPTOR_BYTES + colourTableBytes(gif[offset + DESCRIPTOR_BYTES - 1] ?? 0) + 1;
  return Buffer.concat([gif.subarray(0, start), control, gif.subarray(offset, skipBlocks(gif, data)), TRAILER]);
}

const open = (content, seconds) => sharp(content, { sequentialRead: true }).timeout({ seconds }).autoOrient();

const tasks = {
  async header({ content, failOn }) {
    const { format, width, height, isProgressive, pages } = await sharp(content, { failOn }).metadata();
    return { format, width, height, isProgressive, pages };
  },
  async inspect({ content }) {
    const still = isGif(content) ? cutToFirstFrame(content) : content;
    return { content: still, header: await tasks.header({ content: still }) };
  },
  async thumbnail({ content, width, maxHeight, seconds }) {
    const resized = open(content, seconds).resize(width, maxHeight, { fit: "inside", withoutEnlargement: true });
    return { content: await resized.webp({ quality: 84 }).toBuffer() };
  },
  async square({ content, edge, frame, seconds }) {
    const framed = open(content, seconds)
      .resize(edge, edge, { fit: "cover" })
      .flatten({ background: "white" })
      .extend({ top: frame, bottom: frame, left: frame, right: frame, background: "white" });
    return { content: await framed.toColourspace("srgb").raw().toBuffer() };
  },
};
parentPort.on("message", ({ task, input }) => {
  const content = Buffer.from(input.content.buffer, input.content.byteOffset, input.content.byteLength);
  tasks[task]({ ...input, content }).then(
    (output) => {
      const isOwn = output.content?.byteLength === output.content?.buffer.byteLength;
      parentPort.postMessage({ output }, output.content && isOwn ? [output.content.buffer] : []);
    },
    (error) => parentPort.postMessage({ error: error.message }),
  );
});`;
