import { growRiff, readChunk, readRiff, writeChunk } from "./riff";
import { expectStructure, readLast, type ScannedContent, skip, type Steps, Unmarkable } from "./scan";

/**
 * Appends a chunk `_PMX`, so that simple players find the samples where they expect them. Samples of unknown size last until
 * the end; then the chunk precedes them.
 */
export function* scanWav(content: ScannedContent, xmp: Buffer): Steps<void> {
  const mark = writeChunk("_PMX", xmp);
  const file = yield* readRiff("WAVE");
  growRiff(content, file, mark.length);
  let hasSamples = false;
  for (let chunk = yield* readChunk(content, file); chunk !== null; chunk = yield* readChunk(content, file)) {
    if (chunk.id === "C2PA") throw new Unmarkable("maker_c2pa");
    if (chunk.id === "_PMX") throw new Unmarkable("maker_xmp");
    if (chunk.id === "data" && file.size === null && chunk.isOfUnknownSize) {
      content.edit(chunk.at, 0, mark);
      yield* readLast(0);
      return;
    }
    hasSamples ||= chunk.id === "data";
    yield* skip(chunk.size + (chunk.size % 2));
  }
  expectStructure(hasSamples);
  content.edit(content.position, 0, mark);
}
