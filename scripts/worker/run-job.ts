import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type HubClient, type Job, Refused } from "./hub-client";
import { openLease } from "./lease";
import { type Ended, startProgram } from "./program";
import { startPulse } from "./pulse";

/** By sysexits.h: another try may succeed. */
const TEMPORARY = 75;

interface Setting {
  ask: HubClient;
  command: string;
  say: (line: string) => void;
  /** Aborts when the job is to be handed back. */
  handBack: AbortSignal;
}

/** Does one job to its end: runs the program, keeps the lease meanwhile, and sends what it made. */
export async function runJob({ ask, command, say, handBack }: Setting, job: Job): Promise<void> {
  const { id } = job.generation;
  const outputs = await mkdtemp(path.join(os.tmpdir(), "hub-job-"));
  const lease = openLease(ask, job);
  const over = new AbortController();
  const pulse = startPulse(async () => {
    try {
      if (await lease.beat()) over.abort("was canceled");
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof Refused && error.status === 400)) return over.abort(`was lost: ${message}`);
      say(`${id} sent a report that was refused: ${message}`);
      lease.forget();
      pulse.soon();
    }
  });
  const program = startProgram(command, job.generation, outputs, (report) => {
    lease.note(report);
    pulse.soon();
  });
  const stop = () => void program.stop();
  const stopping = AbortSignal.any([over.signal, handBack]);
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  try {
    const ended = await program.ended;
    if (over.signal.aborted) return say(`${id} ${String(over.signal.reason)}`);
    say(`${id} ${await tell(lease, ended, { outputs, handBack, signal: over.signal })}`);
  } catch (error) {
    // What cannot be told lapses, and another worker takes it.
    say(`${id} was lost: ${(error as Error).message}`);
  } finally {
    pulse.stop();
    await rm(outputs, { recursive: true, force: true });
  }
}

interface Telling {
  outputs: string;
  handBack: AbortSignal;
  signal: AbortSignal;
}

/** Tells the hub how the program ended, and answers it in words. */
async function tell(
  lease: ReturnType<typeof openLease>,
  { code, lastLine }: Ended,
  { outputs, handBack, signal }: Telling,
): Promise<string> {
  if (handBack.aborted) {
    await lease.fail("Its worker was stopped.", true);
    return "was handed back";
  }
  if (code !== 0) {
    const message = lastLine || `The program ended with ${code}.`;
    await lease.fail(message, code === TEMPORARY);
    return `failed: ${message}`;
  }
  await lease.complete(outputs, signal);
  return "is done";
}
