import { growRiff, readChunk, readRiff, writeChunk } from "./riff";
import { expectStructure, readLast, type ScannedFile, skipBytes, type Steps, Unmarkable } from "./scan";

/**
 * Appends a chunk `_PMX`, so that simple players find the samples where they expect them. Samples of unknown size extend to
 * the end of the file, so the chunk is then placed before them.
 */
export function* scanWav(file: ScannedFile, xmp: Buffer): Steps<void> {
  const mark = writeChunk("_PMX", xmp);
  const header = yield* readRiff("WAVE");
  growRiff(file, header, mark.length);
  let hasSamples = false;
  for (let chunk = yield* readChunk(file, header); chunk !== null; chunk = yield* readChunk(file, header)) {
    if (chunk.id === "C2PA") throw new Unmarkable("maker_c2pa");
    if (chunk.id === "_PMX") throw new Unmarkable("maker_xmp");
    if (chunk.id === "data" && header.size === null && chunk.isOfUnknownSize) {
      file.edit(chunk.at, 0, mark);
      yield* readLast(0);
      return;
    }
    hasSamples ||= chunk.id === "data";
    yield* skipBytes(chunk.size + (chunk.size % 2));
  }
  expectStructure(hasSamples);
  file.edit(file.position, 0, mark);
}
