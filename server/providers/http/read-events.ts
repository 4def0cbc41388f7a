import { createTurnShare } from "../../lib/share-turn";
import { ResponseTooLarge } from "./read-response-body";

/** Limits of an event stream, enforced while it arrives. */
export interface EventBounds {
  /** Of one event, with its line ends. */
  maxEventBytes: number;
  maxBytes: number;
  /** Each line that is not empty counts, including other fields and comments. */
  maxEvents: number;
}

/** All streams together read for a part of each turn of the event loop. */
const shareTurn = createTurnShare();

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Yields the data of server-sent events, one at a time, as UTF-8 bytes; other fields and comments are skipped. Reads on
 * only when the next event is asked for. Throws ResponseTooLarge at the first byte that breaks a bound.
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  { maxEventBytes, maxBytes, maxEvents }: EventBounds,
): AsyncGenerator<Buffer, void> {
  const event = createEvent(maxEventBytes);
  let bytes = 0;
  let lines = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ResponseTooLarge();
    for (const line of event.splitLines(chunk)) {
      if (line.length === 0) {
        const data = event.take();
        if (data) yield data;
      } else {
        lines += 1;
        if (lines > maxEvents) throw new ResponseTooLarge();
        event.addLine(line);
        const turn = shareTurn();
        if (turn) await turn;
      }
    }
  }
  // Some servers end without the empty line that completes the last event.
  event.addLine(event.rest());
  const data = event.take();
  if (data) yield data;
}

function createEvent(maxBytes: number) {
  let started: Buffer[] = [];
  let startedBytes = 0;
  let data: Buffer[] = [];
  let dataBytes = 0;
  const checkSize = () => {
    if (startedBytes + dataBytes > maxBytes) throw new ResponseTooLarge();
  };
  const rest = () => {
    const line = started.length === 1 ? started[0]! : Buffer.concat(started);
    started = [];
    startedBytes = 0;
    return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  };
  return {
    /** Yields the lines that end in this chunk, and keeps the rest of it for the next one. */
    *splitLines(chunk: Uint8Array): Generator<Buffer> {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
        started.push(buffer.subarray(start, end));
        startedBytes += end - start;
        checkSize();
        yield rest();
        start = end + 1;
      }
      if (start === buffer.length) return;
      started.push(buffer.subarray(start));
      startedBytes += buffer.length - start;
      checkSize();
    },
    rest,
    addLine(line: Buffer) {
      const value = readData(line);
      if (!value) return;
      data.push(value);
      dataBytes += value.length + 1;
      checkSize();
    },
    /** Returns the data of the event and begins the next one; null for an event without data. */
    take(): Buffer | null {
      if (data.length === 0) return null;
      const whole = data.length === 1 ? data[0]! : Buffer.concat(data.flatMap((line) => [line, NEWLINE_BYTES]));
      data = [];
      dataBytes = 0;
      return whole;
    },
  };
}

const NEWLINE_BYTES = Buffer.from("\n");
const FIELD = Buffer.from("data:");
const SPACE = 0x20;

/** Returns the value of a line `data: …`; null for any other line. */
function readData(line: Buffer): Buffer | null {
  if (line.length < FIELD.length || !line.subarray(0, FIELD.length).equals(FIELD)) return null;
  return line.subarray(line[FIELD.length] === SPACE ? FIELD.length + 1 : FIELD.length);
}
