const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = Buffer.from([0x3b]);
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

/**
 * Returns a GIF up to the end of its first frame. A decoder reads the table of all frames before it decodes one, and
 * 20 MiB have room for a million of them.
 */
export function cutToFirstFrame(gif: Buffer): Buffer {
  if (gif.length < HEADER_BYTES) return gif;
  let at = HEADER_BYTES + colourTableBytes(gif[10]!);
  // Extensions such as comments may come before the frame.
  while (gif[at] === EXTENSION) at = endOfBlocks(gif, at + 2);
  if (gif[at] !== IMAGE) return gif.subarray(0, at);
  const data = at + DESCRIPTOR_BYTES + colourTableBytes(gif[at + DESCRIPTOR_BYTES - 1] ?? 0) + 1;
  return Buffer.concat([gif.subarray(0, endOfBlocks(gif, data)), TRAILER]);
}

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns the position behind a chain of blocks, each led by its length; a length of 0 ends it. */
function endOfBlocks(gif: Buffer, start: number): number {
  let at = start;
  while (at < gif.length && gif[at] !== 0) at += gif[at]! + 1;
  return at + 1;
}
