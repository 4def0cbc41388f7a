import type { Inngest, InngestFunction } from "inngest";

/** An engine under test. The embedded one has its own clock; a real server uses this machine's, and waits in real time. */
export interface Bench {
  inngest: Inngest;
  /** Registers functions and begins to run them, instead of the previous ones. */
  serve(functions: InngestFunction.Any[]): Promise<void>;
  /** Stops running functions, as a restart of the process does. */
  halt(): Promise<void>;
  /** Resolves when nothing can be done until more time has passed. */
  settle(): Promise<void>;
  /** A duration that `pass` waits out or skips. */
  long: string;
  pass(): Promise<void>;
  /** The engine's time. */
  now(): Date;
  /** Lets a tenth of a second of the engine's time pass, once nothing can be done before that. */
  passMoment(): Promise<void>;
  /** Returns what the engine shows of a run: its status in lower case, and its output or error. */
  readRun(id: string): Promise<{ status: string; output: unknown }>;
}

const MAX_STALL_MS = process.env.INNGEST_TEST_URL ? 60_000 : 25_000;

/** Polls until the condition holds; throws when `observe` has returned the same for too long. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  observe: () => unknown = () => "",
): Promise<void> {
  let last: string | undefined;
  let end = 0;
  while (!(await condition())) {
    const now = JSON.stringify(await observe());
    if (now !== last) [last, end] = [now, Date.now() + MAX_STALL_MS];
    if (Date.now() > end) throw new Error(`waited in vain: ${now}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
