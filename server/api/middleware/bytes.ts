import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Hub } from "../../domain/hub";
import { AppError, invalidInput } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { networkOf } from "../../lib/client-address";
import { concatBytes } from "../../lib/concat-bytes";

/** A body up to this size usually arrives with its headers: it is read in one piece and not counted in the budget. */
const SMALL_BYTES = 64 * 1024;
const CHUNKS_PER_TURN = 4;

/** The minimum pace of a body: a slower one would hold memory that others need. */
export interface Pace {
  maxMs: number;
  windowMs: number;
  /** How many bytes must arrive in each window. */
  minBytes: number;
}

/** 4 KiB a second: slower than the slowest mobile networks. */
const PACE: Pace = { maxMs: 240_000, windowMs: 10_000, minBytes: 40 * 1024 };

export type Bytes = Uint8Array<ArrayBuffer>;

/** Checks the next bytes of a body; throws to reject the request. */
type InspectChunk = (chunk: Uint8Array) => void;

/** Throws 413 if the Content-Length exceeds `maxBytes`. */
export function checkDeclaredLength({ headers }: Request, maxBytes: number): void {
  if (Number(headers.get("content-length")) > maxBytes) throw payloadTooLarge(maxBytes);
}

/** Opens a reservation for an unauthenticated caller, in the share of their network. */
export const openAnonymousReservation = ({ anonymousBodyBudget }: Hub, address: string | null): Reservation =>
  anonymousBodyBudget.open(networkOf(address));

/**
 * Reads the whole body and passes each chunk to `inspect` as it arrives. Rejects with 413 once the body exceeds
 * `maxBytes`, whatever length it declared, with 503 if the caller's share of memory is used up, with 400 if the body arrives
 * too slowly, and with errors of `inspect`.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  inspect: InspectChunk = () => undefined,
  pace: Pace = PACE,
): Promise<Bytes> {
  checkDeclaredLength(request, maxBytes);
  const declared = request.headers.get("content-length");
  try {
    if (declared === null || Number(declared) > SMALL_BYTES) {
      return await readChunks(request, inspect, { maxBytes, reservation, pace });
    }
    // The HTTP parser ensures that the body has the declared length.
    const bytes = new Uint8Array(await readWhole(request, pace));
    inspect(bytes);
    return bytes;
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
}

/** Reads a small body; rejects if it has not arrived within one window of its pace. */
async function readWhole(request: Request, { windowMs }: Pace): Promise<ArrayBuffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), windowMs);
  });
  try {
    return await Promise.race([request.arrayBuffer(), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Bounds {
  maxBytes: number;
  reservation: Reservation;
  pace?: Pace;
}

async function readChunks(request: Request, inspect: InspectChunk, bounds: Bounds): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of streamBounded(request, bounds)) {
    size += chunk.byteLength;
    inspect(chunk);
    chunks.push(chunk);
  }
  return concatBytes(chunks, size);
}

/**
 * Yields the chunks of a body and counts them as kept. Throws 413 once the body exceeds `maxBytes`, 503 if the caller's
 * share of memory is used up, and 400 if the body arrives too slowly.
 */
export async function* streamBounded(
  request: Request,
  { maxBytes, reservation, pace = PACE }: Bounds,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let count = 0;
  const { signal, stop } = watchPace(pace, () => size);
  try {
    for await (const chunk of streamChunks(request, signal)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw payloadTooLarge(maxBytes);
      if (!reservation.add(chunk.byteLength)) throw budgetExceeded();
      yield chunk;
      // A fast upload must not keep other requests waiting.
      if ((count += 1) % CHUNKS_PER_TURN === 0) await yieldToEventLoop();
    }
  } finally {
    stop();
  }
  if (signal.aborted) throw tooSlow();
}

/** Returns the SHA-256 of a body as it arrives. Throws 400 for an empty body and one that ends early, 413 above `maxBytes`. */
export async function hashContent(request: Request, maxBytes: number): Promise<Buffer> {
  rejectEncodedBody(request);
  checkDeclaredLength(request, maxBytes);
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of streamChunks(request)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw payloadTooLarge(maxBytes);
      hash.update(chunk);
    }
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
  if (size === 0)
    throw invalidInput("body", "is empty: send the content of a file, or its hash as `sha256` in the query");
  return hash.digest();
}

/** Returns a signal that aborts when a body falls behind its pace. */
function watchPace({ maxMs, windowMs, minBytes }: Pace, readSize: () => number) {
  const late = new AbortController();
  const startedAt = performance.now();
  let before = 0;
  const timer = setInterval(() => {
    const size = readSize();
    if (size - before < minBytes || performance.now() - startedAt > maxMs) late.abort();
    before = size;
  }, windowMs).unref();
  return { signal: late.signal, stop: () => clearInterval(timer) };
}

const tooSlow = (): AppError => invalidInput("body", "arrives too slowly");

const payloadTooLarge = (maxBytes: number) =>
  new AppError("payload_too_large", `The body may have at most ${maxBytes.toLocaleString("en")} bytes.`);

/**
 * Yields the body of a request as it arrives, until the signal aborts. A consumer that stops early leaves the rest of the
 * body unread, for drainRequestBody().
 */
export async function* streamChunks(request: Request, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    reader.releaseLock();
  }
}

/** Throws 415 for a body in an encoding such as gzip. The hub decodes none, because limits count the bytes that arrive. */
export function rejectEncodedBody({ headers }: Request): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (/^(identity)?$/i.test(encoding.trim())) return;
  const message = "must be left out: send the body as it is, without compression";
  throw new AppError(
    "unsupported_media_type",
    `Content-Encoding: ${message}`,
    { errors: { "Content-Encoding": [message] } },
    { "Accept-Encoding": "identity" },
  );
}
