import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { AppError, invalidInput } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { concatBytes } from "../../lib/concat-bytes";

/** A body declared to be this small arrives with its headers: it is read in one piece and not counted in the budget. */
const SMALL_BYTES = 64 * 1024;
/** Ends the reservation of a client that sends its body too slowly. */
const TIMEOUT_MS = 240_000;
const CHUNKS_PER_TURN = 4;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Checks the next bytes of a body; throws to reject the request. */
type InspectChunk = (chunk: Uint8Array) => void;

/** Throws 413 if the Content-Length exceeds `maxBytes`. */
export function checkDeclaredLength({ headers }: Request, maxBytes: number): void {
  if (Number(headers.get("content-length")) > maxBytes) throw payloadTooLarge(maxBytes);
}

/**
 * Reads the whole body and passes each chunk to `inspect` as it arrives. Rejects with 413 once the body exceeds
 * `maxBytes`, whatever length it declared, with 503 if the hub holds too many bodies, and with errors of `inspect`.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  inspect: InspectChunk = () => undefined,
): Promise<Bytes> {
  checkDeclaredLength(request, maxBytes);
  const declared = request.headers.get("content-length");
  try {
    if (declared === null || Number(declared) > SMALL_BYTES) {
      return await readChunks(request, maxBytes, reservation, inspect);
    }
    // The HTTP parser ensures that the body has the declared length.
    const bytes = new Uint8Array(await request.arrayBuffer());
    inspect(bytes);
    return bytes;
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
}

async function readChunks(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  inspect: InspectChunk,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of streamBounded(request, maxBytes, reservation)) {
    size += chunk.byteLength;
    inspect(chunk);
    chunks.push(chunk);
  }
  return concatBytes(chunks, size);
}

/**
 * Yields the chunks of a body, which the caller keeps. Throws 413 once the body exceeds `maxBytes`, 503 if the hub holds
 * too many bodies, and 400 if it arrives too slowly.
 */
export async function* streamBounded(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let size = 0;
  let count = 0;
  for await (const chunk of streamChunks(request, timeout)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw payloadTooLarge(maxBytes);
    if (!reservation.add(chunk.byteLength)) throw budgetExceeded();
    yield chunk;
    // A fast upload must not keep other requests waiting.
    if ((count += 1) % CHUNKS_PER_TURN === 0) await yieldToEventLoop();
  }
  if (timeout.aborted) throw invalidInput("body", `must arrive within ${TIMEOUT_MS / 1000} seconds`);
}

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
