import { createJsonWorker } from "./json-worker";

/** Bytes from which on JSON is work that others would wait for. */
const LARGE_BYTES = 256 * 1024;

/** Parses and writes JSON: small texts at once, large ones on a thread of its own. */
export interface JsonCodec {
  /**
   * Parses UTF-8, whose buffer may be taken away. Throws or rejects with SyntaxError for what is not JSON, and with
   * TypeError for what is not UTF-8 if `fatal`; without it such bytes are replaced.
   */
  parse(bytes: Uint8Array<ArrayBuffer>, options: { fatal: boolean }): unknown;
  /** Returns the JSON of a value, which the caller knows to be large or not. */
  stringify(value: unknown, options: { isLarge: boolean }): string | Promise<Uint8Array>;
}

export function createJsonCodec(): JsonCodec {
  const worker = createJsonWorker();
  return {
    parse: (bytes, { fatal }) =>
      bytes.byteLength > LARGE_BYTES
        ? worker.parse(bytes, fatal)
        : (JSON.parse((fatal ? strictDecoder : lenientDecoder).decode(bytes)) as unknown),
    stringify: (value, { isLarge }) => (isLarge ? worker.stringify(value) : JSON.stringify(value)),
  };
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();
