const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = Buffer.from([0x3b]);
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

/**
 * Returns a GIF cut after its first frame. A decoder scans all frames before it decodes one, and a file of 20 MiB can
 * contain a million of them.
 */
export function cutToFirstFrame(gif: Buffer): Buffer {
  if (gif.length < HEADER_BYTES) return gif;
  let offset = HEADER_BYTES + colourTableBytes(gif[10]!);
  // Extensions such as comments may come before the frame.
  while (gif[offset] === EXTENSION) offset = skipBlocks(gif, offset + 2);
  if (gif[offset] !== IMAGE) return gif.subarray(0, offset);
  const data = offset + DESCRIPTOR_BYTES + colourTableBytes(gif[offset + DESCRIPTOR_BYTES - 1] ?? 0) + 1;
  return Buffer.concat([gif.subarray(0, skipBlocks(gif, data)), TRAILER]);
}

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns the position after a chain of length-prefixed blocks, which a length of 0 ends. */
function skipBlocks(gif: Buffer, start: number): number {
  let offset = start;
  while (offset < gif.length && gif[offset] !== 0) offset += gif[offset]! + 1;
  return offset + 1;
}
