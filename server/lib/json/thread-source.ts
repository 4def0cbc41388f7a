// Text instead of a file, so that it runs from sources and from both bundles.
/** The program of the thread that parses JSON. */
export const THREAD_SOURCE = `
const { parentPort } = require("node:worker_threads");

const isBytes = (embedding) =>
  typeof embedding === "string" || (Array.isArray(embedding) && embedding.every(Number.isFinite));
const countBytes = (embedding) =>
  typeof embedding === "string" ? Buffer.byteLength(embedding, "base64") : 4 * embedding.length;

// Numbers of four bytes, written in place: a buffer for each would take as much memory again.
function writeBytes(embedding, whole, at) {
  if (typeof embedding === "string") return whole.write(embedding, at, "base64");
  for (const [index, number] of embedding.entries()) whole.writeFloatLE(number, at + 4 * index);
  return 4 * embedding.length;
}

const tasks = {
  parse({ bytes, fatal }) {
    return [JSON.parse(new TextDecoder("utf-8", { fatal }).decode(bytes)), []];
  },
  parseVectors({ bytes }) {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    const items = Array.isArray(value?.data) ? value.data.filter((item) => item?.embedding) : [];
    const sizes = items.map(({ embedding }) => (isBytes(embedding) ? countBytes(embedding) : null));
    // One buffer, which is transferred to the other thread without a copy.
    const whole = Buffer.from(new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0)));
    let at = 0;
    items.forEach((item, index) => {
      const size = sizes[index] === null ? null : writeBytes(item.embedding, whole, at);
      item.embedding = size === null ? null : new Uint8Array(whole.buffer, at, size);
      at += size;
    });
    return [value, [whole.buffer]];
  },
};
parentPort.on("message", ({ id, task, input }) => {
  try {
    const [output, transfer] = tasks[task](input);
    parentPort.postMessage({ id, output }, transfer);
  } catch (error) {
    parentPort.postMessage({ id, error: { name: error.name, message: error.message } });
  }
});`;
