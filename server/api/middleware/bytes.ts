import { setImmediate as breathe } from "node:timers/promises";
import { AppError, invalidInput } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { concatBytes } from "../../lib/concat-bytes";
import { streamChunks } from "./chunks";

/** Up to this a declared body is read in one piece and counts in no budget: it arrives together with its header. */
const SMALL_BYTES = 64 * 1024;
/** A client that drips its body must not keep what was reserved for it. */
const TIMEOUT_MS = 240_000;
const CHUNKS_AT_ONCE = 4;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Takes the next bytes of a body, which may be all of it; throws to reject them. */
type InspectChunk = (chunk: Uint8Array) => void;

/** Rejects with 413 a body that is declared to have more bytes. */
export function checkDeclaredLength({ headers }: Request, maxBytes: number): void {
  if (Number(headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Reads the whole body, and shows each chunk to `inspect` as it arrives. Rejects with 413 at the first byte too many,
 * however its length was declared, with 503 when the hub holds too many bodies, else with what `inspect` throws.
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
    // The HTTP parser holds a client to the length that it declared.
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
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of streamChunks(request, timeout)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (!reservation.add(chunk.byteLength)) throw budgetExceeded();
    inspect(chunk);
    chunks.push(chunk);
    // Others have their turn, however fast the rest arrives.
    if (chunks.length % CHUNKS_AT_ONCE === 0) await breathe();
  }
  if (timeout.aborted) throw invalidInput("body", `must arrive within ${TIMEOUT_MS / 1000} seconds`);
  return concatBytes(chunks, size);
}

const tooLarge = (maxBytes: number) =>
  new AppError("payload_too_large", `The body may have at most ${maxBytes.toLocaleString("en")} bytes.`);
