import { Worker } from "node:worker_threads";
import { createConcurrencyLimit } from "../concurrency-limit";
import { THREAD_SOURCE } from "./thread-source";

/** The native part of a task ends itself after this time. */
const MAX_DECODE_SECONDS = 10;
/** After this time the thread is ended, with what it does. */
const MAX_TASK_MS = 15_000;
/** A thread ends after this long without work, which frees its memory. */
const IDLE_MS = 10_000;
const MAX_THREADS = 2;

/** What is read of a picture's header. */
export interface PictureHeader {
  format?: string;
  width: number;
  height: number;
  isProgressive?: boolean;
  /** Absent for a picture that is not animated. */
  pages?: number;
}

/** What a thread does with the content of a picture. */
interface Tasks {
  header: { options: { failOn?: "none" }; output: PictureHeader };
  /** Reduces an animated GIF to its first frame. */
  inspect: { options: object; output: { content: Uint8Array<ArrayBuffer>; header: PictureHeader } };
  /** Makes a WebP. */
  thumbnail: { options: { width: number; maxHeight: number }; output: { content: Uint8Array<ArrayBuffer> } };
  /** Makes a square of raw RGB with a white frame. */
  square: { options: { edge: number; frame: number }; output: { content: Uint8Array<ArrayBuffer> } };
}

type Reply = { output: never; error?: undefined } | { error: string };

const limit = createConcurrencyLimit(MAX_THREADS);
const idleThreads: { worker: Worker; timer: NodeJS.Timeout }[] = [];

/**
 * Runs a task on a separate thread, because a small file can keep a reader of headers busy for a quarter of a second.
 * The content's buffer may be taken away. Rejects when the picture cannot be read, and with an error that starts with
 * `timeout` when it takes too long.
 */
export const runPictureTask = <T extends keyof Tasks>(
  task: T,
  content: Uint8Array,
  options: Tasks[T]["options"],
): Promise<Tasks[T]["output"]> =>
  limit.run(async () => {
    const worker = takeThread();
    try {
      const output = await runOn(worker, task, content, options);
      returnThread(worker);
      return output as Tasks[T]["output"];
    } catch (error) {
      if (error instanceof TaskError) returnThread(worker);
      else void worker.terminate();
      throw error;
    }
  });

/** Thrown for a picture that a thread could not read, and after which it can read others. */
class TaskError extends Error {
  override readonly name = "TaskError";
}

function takeThread(): Worker {
  const idle = idleThreads.pop();
  if (!idle) return startThread();
  clearTimeout(idle.timer);
  return idle.worker;
}

function startThread(): Worker {
  const worker = new Worker(THREAD_SOURCE, { eval: true, execArgv: [], workerData: { from: import.meta.url } });
  worker.unref();
  return worker.on("error", () => forget(worker)).on("exit", () => forget(worker));
}

/** Prevents the reuse of a thread that has ended or is about to. */
function forget(worker: Worker): void {
  const index = idleThreads.findIndex((idle) => idle.worker === worker);
  if (index !== -1) clearTimeout(idleThreads.splice(index, 1)[0]!.timer);
}

function returnThread(worker: Worker): void {
  const stop = () => {
    forget(worker);
    void worker.terminate();
  };
  idleThreads.push({ worker, timer: setTimeout(stop, IDLE_MS).unref() });
}

function runOn(worker: Worker, task: keyof Tasks, content: Uint8Array, options: object): Promise<unknown> {
  const isOwn = content.byteLength === content.buffer.byteLength && content.byteLength > 0;
  const sent = isOwn ? content : new Uint8Array(content);
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off("message", onReply).off("error", onError).off("exit", onExit);
      finish();
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => onError(new Error("the thread has ended"));
    const onReply = (reply: Reply) =>
      settle(() => (reply.error === undefined ? resolve(reply.output) : reject(new TaskError(reply.error))));
    const timer = setTimeout(() => onError(new Error("timeout: the picture takes too long")), MAX_TASK_MS);
    worker.on("message", onReply).on("error", onError).on("exit", onExit);
    const input = { ...options, content: sent, seconds: MAX_DECODE_SECONDS };
    worker.postMessage({ task, input }, [sent.buffer as ArrayBuffer]);
  });
}
