/** A message of a WebSocket. */
interface Frame {
  isText: boolean;
  payload: Buffer;
}

const MAX_FRAME_BYTES = 1024 * 1024;
const TEXT = 0x81;
const BINARY = 0x82;
const MIN_CONTROL = 0x88;

/**
 * Yields the messages that a server sends on a WebSocket (RFC 6455, section 5.2), and skips pings. Ends at a closing frame, and
 * at what it does not expect: a message in parts, compressed, masked, or of more than a mebibyte.
 */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let buffered: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    for (let header = readHeader(buffered); header !== null; header = readHeader(buffered)) {
      const { kind, start, end } = header;
      if (kind === MIN_CONTROL || end - start > MAX_FRAME_BYTES) return;
      if (kind < MIN_CONTROL && kind !== TEXT && kind !== BINARY) return;
      if (buffered.length < end) break;
      if (kind < MIN_CONTROL) yield { isText: kind === TEXT, payload: buffered.subarray(start, end) };
      buffered = buffered.subarray(end);
    }
  }
}

/**
 * Returns the first byte of a frame and where its payload is; null while that is not known. A masked one counts as
 * endless, so that it is not read.
 */
function readHeader(bytes: Buffer): { kind: number; start: number; end: number } | null {
  const [kind, size] = bytes;
  if (kind === undefined || size === undefined) return null;
  if (size < 126) return { kind, start: 2, end: 2 + size };
  if (size === 126) return bytes.length < 4 ? null : { kind, start: 4, end: 4 + bytes.readUInt16BE(2) };
  if (size > 127) return { kind, start: 2, end: Infinity };
  return bytes.length < 10 ? null : { kind, start: 10, end: 10 + Number(bytes.readBigUInt64BE(2)) };
}
