import { scanBmff } from "./bmff";
import { applyEdits, type Edit, EditedContent } from "./edits";
import { scanJpeg } from "./jpeg";
import type { Mark } from "./mark";
import { scanMp3 } from "./mp3";
import { scanPng } from "./png";
import type { Scan } from "./scan";
import { ScanRun } from "./scan-run";
import { scanWav } from "./wav";
import { scanWebp } from "./webp";
import { writeXmpPacket } from "./xmp-packet";

/** How much is held until it is known whether the content can be marked. */
const MAX_HELD_BYTES = 1024 * 1024;

const scans = new Map<string, Scan>([
  ["image/png", scanPng],
  ["image/jpeg", scanJpeg],
  ["image/webp", scanWebp],
  ["image/avif", scanBmff],
  ["video/mp4", scanBmff],
  ["audio/wav", scanWav],
  ["audio/mpeg", scanMp3],
]);

/** What a stream of marked content was found to be; known once it has ended. */
interface MarkResult {
  mark: Mark;
  /** The edits that restore the content, which could not be marked although its beginning was; empty for any other. */
  repairs: Edit[];
}

export interface MarkedContent {
  /** The content as it is to be stored. */
  chunks: AsyncIterable<Uint8Array>;
  result: () => MarkResult;
}

/**
 * Writes into a content that this model generated it, while it streams through: pixels and samples stay as they are. Content
 * with metadata of its maker and content with a damaged structure pass unchanged. If only its end shows that, its beginning
 * has been changed: `result` then has the repairs for `repairContent`.
 */
export function markContent(content: AsyncIterable<Uint8Array>, mediaType: string, model: string): MarkedContent {
  const scan = scans.get(mediaType);
  if (!scan) return { chunks: content, result: () => ({ mark: "unsupported_format", repairs: [] }) };
  const edited = new EditedContent();
  const run = new ScanRun(scan, writeXmpPacket(model), edited.edits);
  return {
    chunks: passEdited(content, edited, run),
    result: () => ({ mark: run.reason ?? "xmp", repairs: run.reason ? edited.reversed : [] }),
  };
}

async function* passEdited(
  content: AsyncIterable<Uint8Array>,
  edited: EditedContent,
  run: ScanRun,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    edited.push(chunk);
    run.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (run.isOver) yield* edited.passAll();
    else if (edited.heldBytes > MAX_HELD_BYTES) yield* edited.pass(run.examinedBytes);
  }
  run.end();
  yield* edited.passAll(true);
}

/** Returns content as it was before it was marked. */
export const repairContent = (content: AsyncIterable<Uint8Array>, repairs: Edit[]): AsyncIterable<Uint8Array> =>
  applyEdits(content, repairs);
