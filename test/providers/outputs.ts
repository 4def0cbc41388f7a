import { makePng } from "../media/png";

/** A picture of 32 × 16 pixels. */
export const PNG = await makePng("teal", { width: 32, height: 16 });

const CHUNK = Buffer.alloc(64 * 1024);

/** Yields bytes without an end, as a server that sends too much. */
export async function* endlessBytes(): AsyncGenerator<Buffer> {
  for (;;) yield CHUNK;
}
