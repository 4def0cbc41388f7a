import { AppError, invalidInput } from "../../errors";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import { chunksOf } from "./chunks";

/** Up to this a declared body is read in one piece and counts in no budget: it arrives together with its header. */
const SMALL_BYTES = 64 * 1024;
/** A client that drips its body must not keep what was reserved for it. */
const TIMEOUT_MS = 240_000;

/** Takes the next bytes of a body, which may be all of it; throws to reject them. */
export type TakeBytes = (bytes: Uint8Array, isWhole: boolean) => unknown;

/** Rejects with 413 a body that is declared to have more bytes. */
export function checkDeclaredLength({ headers }: Request, maxBytes: number): void {
  if (Number(headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
}

/** Reads the whole body, which no schema bounds. Rejects as `readBytes`. */
export async function readAllBytes(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  await readBytes(request, maxBytes, reservation, (bytes) => chunks.push(bytes));
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Hands the whole body to `take`, chunk by chunk, after it was reserved in the budget. Rejects with 413 at the first
 * byte too many, however its length was declared, with 503 when the hub holds too many bodies, else with what `take`
 * throws.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  take: TakeBytes,
): Promise<void> {
  checkDeclaredLength(request, maxBytes);
  const declared = request.headers.get("content-length");
  try {
    // The HTTP parser holds a client to the length that it declared.
    if (declared !== null && Number(declared) <= SMALL_BYTES) take(new Uint8Array(await request.arrayBuffer()), true);
    else await readChunks(request, maxBytes, reservation, take);
  } catch (error) {
    throw error instanceof AppError ? error : invalidInput("body", "ended early");
  }
}

async function readChunks(
  request: Request,
  maxBytes: number,
  reservation: Reservation,
  take: TakeBytes,
): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let size = 0;
  for await (const chunk of chunksOf(request, timeout)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (!reservation.add(chunk.byteLength)) throw budgetExceeded();
    take(chunk, false);
  }
  if (timeout.aborted) throw invalidInput("body", `must arrive within ${TIMEOUT_MS / 1000} seconds`);
}

const tooLarge = (maxBytes: number) =>
  new AppError("payload_too_large", `The body may have at most ${maxBytes.toLocaleString("en")} bytes.`);
