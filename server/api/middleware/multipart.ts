import { Busboy, type BusboyConfig, type BusboyInstance } from "@fastify/busboy";
import { invalidInput } from "../../errors";
import { createPacer } from "../../lib/pace";

/**
 * Bytes parsed without yielding. The smallest part has about ten bytes and takes microseconds, so any slice takes
 * milliseconds.
 */
const SLICE_BYTES = 16 * 1024;
const HEADER_LIMITS = { headerPairs: 20, headerSize: 8 * 1024 };

/** A parser of a multipart form, fed in slices between which other requests are served. */
export interface MultipartParser {
  on: BusboyInstance["on"];
  /** Parses the next chunk; stops early when `isDone`, and after a malformed part, which is an event `error`. */
  push(chunk: Uint8Array, isDone: () => boolean): Promise<void>;
  /** Resolves when everything before the end is parsed. */
  end(): Promise<void>;
}

/** Returns a parser for a form with this Content-Type. Throws 400 for another type, or one without a boundary, at `place`. */
export function createMultipartParser(
  type: string,
  place: string,
  limits: BusboyConfig["limits"],
  isPartAFile?: BusboyConfig["isPartAFile"],
): MultipartParser {
  const parser = createBusboy({
    headers: { "content-type": type },
    limits: { ...HEADER_LIMITS, ...limits },
    isPartAFile,
  });
  if (!parser) throw invalidInput(place, "must be sent as multipart/form-data with a boundary");
  const pace = createPacer();
  const ended = new Promise<void>((resolve) => parser.once("finish", resolve).once("error", () => resolve()));
  return {
    on: parser.on.bind(parser),
    async push(chunk, isDone) {
      for (let at = 0; at < chunk.byteLength && !isDone(); at += SLICE_BYTES) {
        const slice = Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(SLICE_BYTES, chunk.byteLength - at));
        await Promise.race([new Promise<void>((resolve) => parser.write(slice, () => resolve())), ended]);
        await pace();
      }
    },
    end() {
      parser.end();
      return ended;
    },
  };
}

function createBusboy(config: BusboyConfig): BusboyInstance | null {
  if (!/^multipart\/form-data\s*;/i.test(config.headers["content-type"])) return null;
  try {
    return new Busboy(config);
  } catch {
    return null;
  }
}
