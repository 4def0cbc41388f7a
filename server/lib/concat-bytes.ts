import { runAtOnce, type SlicedWork } from "./slices";

/** Joins chunks in a buffer of its own, which can be handed to another thread. */
export const concatBytes = (chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> =>
  runAtOnce(concatInSlices(chunks, size));

/** Joins chunks like `concatBytes`, by work that pauses between them. */
export function* concatInSlices(chunks: Uint8Array[], size = sizeOf(chunks)): SlicedWork<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
    yield;
  }
  return whole;
}

const sizeOf = (chunks: Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0);
