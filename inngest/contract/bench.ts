import type { Inngest, InngestFunction } from "inngest";

/** An engine under test. The embedded one has a clock of its own; a real server has ours, and takes its time. */
export interface Bench {
  inngest: Inngest;
  /** Registers functions and begins to run them, in place of those before. */
  serve(functions: InngestFunction.Any[]): Promise<void>;
  /** Stops running functions, as a restart of the process does. */
  halt(): Promise<void>;
  /** Resolves when nothing is left to do before some time has passed. */
  settle(): Promise<void>;
  /** A time that does not pass unless asked. */
  long: string;
  pass(): Promise<void>;
  /** The engine's time. */
  now(): Date;
  /** Lets a tenth of a second pass by the engine's time, once nothing is left to do before. */
  passMoment(): Promise<void>;
  /** Returns what the engine shows of a run: its status in lower case, and its output or error. */
  readRun(id: string): Promise<{ status: string; output: unknown }>;
}

const MAX_STALL_MS = process.env.INNGEST_TEST_URL ? 60_000 : 25_000;

/** Polls until the condition holds; fails when what is seen has not changed for long. */
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
