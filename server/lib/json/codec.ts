import { Worker } from "node:worker_threads";
import { createLongWork, type LongWork } from "../long-work";
import { runInSlices } from "../slices";
import { THREAD_SOURCE } from "./thread-source";
import { encodeJson } from "./write-json";

/** From this size on, parsing JSON would noticeably delay other requests. */
const LARGE_BYTES = 256 * 1024;

/** JSON as text; a large one in UTF-8, because each copy and measurement of a long string blocks the event loop. */
export type JsonText = string | Uint8Array<ArrayBuffer>;

/** Parses and writes JSON: small texts at once, large ones on a separate thread or in slices. */
export interface JsonCodec {
  /**
   * Parses UTF-8. Its buffer may be transferred to the thread, and is then unusable. Throws or rejects with SyntaxError for what
   * is not JSON, and with TypeError for what is not UTF-8 if `fatal`; without it such bytes are replaced.
   */
  parse(bytes: Uint8Array<ArrayBuffer>, options: { fatal: boolean }): unknown;
  /**
   * Parses a list of vectors like `parse` without `fatal`. In a large one each `embedding` is already the bytes of its
   * numbers, four for each, or null where it was neither base64 nor numbers.
   */
  parseVectors(bytes: Uint8Array<ArrayBuffer>): unknown;
  /** Parses text that stays usable. */
  parseText(text: JsonText): unknown;
  /** Returns the JSON of a value, which the caller knows to be large or not. */
  stringify(value: unknown, options: { isLarge: boolean }): JsonText | Promise<JsonText>;
}

/** Creates a codec that writes large values by `longWork`. */
export function createJsonCodec(longWork: LongWork = createLongWork()): JsonCodec {
  const worker = createJsonWorker();
  return {
    parse: (bytes, { fatal }) =>
      bytes.byteLength > LARGE_BYTES
        ? worker.parse(bytes, fatal)
        : (JSON.parse((fatal ? strictDecoder : lenientDecoder).decode(bytes)) as unknown),
    parseVectors: (bytes) =>
      bytes.byteLength > LARGE_BYTES
        ? worker.parseVectors(bytes)
        : (JSON.parse(lenientDecoder.decode(bytes)) as unknown),
    parseText(text) {
      return typeof text === "string" ? (JSON.parse(text) as unknown) : this.parse(text.slice(), { fatal: true });
    },
    stringify: (value, { isLarge }) => (isLarge ? runInSlices(encodeJson(value), longWork) : JSON.stringify(value)),
  };
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });
const lenientDecoder = new TextDecoder();

/** A thread that parses JSON without blocking the event loop. */
interface JsonWorker {
  /** Parses UTF-8, whose buffer is taken away. Rejects with SyntaxError, and with TypeError for what is not UTF-8 if `fatal`. */
  parse(bytes: Uint8Array<ArrayBuffer>, fatal: boolean): Promise<unknown>;
  /** Parses a list of vectors, whose buffer is taken away. Rejects with SyntaxError. */
  parseVectors(bytes: Uint8Array<ArrayBuffer>): Promise<unknown>;
}

/** The thread ends after this long without work, which frees its memory. */
const IDLE_MS = 10_000;

interface Reply {
  id: number;
  output?: unknown;
  error?: { name: string; message: string };
}

interface Waiting {
  resolve: (output: unknown) => void;
  reject: (error: Error) => void;
}

/** Creates a thread that starts with its first task, and again after it has ended. */
function createJsonWorker(): JsonWorker {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  const startThread = () => {
    const started = new Worker(THREAD_SOURCE, { eval: true });
    started.unref();
    started.on("message", ({ id, output, error }: Reply) => {
      const task = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) idle = setTimeout(stopThread, IDLE_MS).unref();
      if (error) task?.reject(toError(error));
      else task?.resolve(output);
    });
    // The thread may have run out of memory; the next task starts another.
    const rejectAll = (reason: Error) => {
      if (worker !== started) return;
      worker = undefined;
      for (const task of waiting.values()) task.reject(reason);
      waiting.clear();
    };
    started.on("error", rejectAll).on("exit", () => rejectAll(new Error("the JSON thread has ended")));
    return started;
  };
  const stopThread = () => {
    const stopped = worker;
    worker = undefined;
    void stopped?.terminate();
  };
  const runTask = (task: "parse" | "parseVectors", bytes: Uint8Array<ArrayBuffer>, fatal: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      clearTimeout(idle);
      worker ??= startThread();
      waiting.set((count += 1), { resolve, reject });
      worker.postMessage({ id: count, task, input: { bytes, fatal } }, [bytes.buffer]);
    });

  return {
    parse: (bytes, fatal) => runTask("parse", bytes, fatal),
    parseVectors: (bytes) => runTask("parseVectors", bytes, false),
  };
}

function toError({ name, message }: { name: string; message: string }): Error {
  const kinds: Record<string, ErrorConstructor> = { SyntaxError, TypeError, RangeError };
  return new (kinds[name] ?? Error)(message);
}
