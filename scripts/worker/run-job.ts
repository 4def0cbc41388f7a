import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startHeartbeats } from "./heartbeats";
import { type HubClient, type Job, RejectedError } from "./hub-client";
import { openLease } from "./lease";
import { type ProgramExit, startProgram } from "./program";

/** EX_TEMPFAIL of sysexits.h: the job may be retried. */
const EXIT_RETRYABLE = 75;

interface JobOptions {
  sendRequest: HubClient;
  command: string;
  log: (line: string) => void;
  /** Aborts when the job is to return to the queue. */
  returnSignal: AbortSignal;
}

/** Runs the program for one job, renews the lease meanwhile, and sends the outputs or the failure. */
export async function runJob({ sendRequest, command, log, returnSignal }: JobOptions, job: Job): Promise<void> {
  const title = `Job ${job.generation.id}`;
  const outputs = await mkdtemp(path.join(os.tmpdir(), "hub-job-"));
  const lease = openLease(sendRequest, job);
  const ended = new AbortController();
  const heartbeats = startHeartbeats(async () => {
    try {
      if (await lease.sendHeartbeat()) ended.abort("was canceled");
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof RejectedError && error.status === 400)) return ended.abort(`was lost: ${message}`);
      log(`${title} sent an invalid report: ${message}`);
      lease.clearReport();
      heartbeats.sendSoon();
    }
  });
  const program = startProgram(command, job.generation, outputs, (report) => {
    lease.addReport(report);
    heartbeats.sendSoon();
  });
  const stopProgram = () => void program.stop();
  const stopSignal = AbortSignal.any([ended.signal, returnSignal]);
  stopSignal.addEventListener("abort", stopProgram, { once: true });
  if (stopSignal.aborted) stopProgram();
  try {
    const exit = await program.exit;
    if (ended.signal.aborted) return log(`${title} ${String(ended.signal.reason)}`);
    log(`${title} ${await reportExit(lease, exit, { outputs, returnSignal, signal: ended.signal })}`);
  } catch (error) {
    // The lease expires, and another worker gets the job.
    log(`${title} was lost: ${(error as Error).message}`);
  } finally {
    heartbeats.stop();
    await rm(outputs, { recursive: true, force: true });
  }
}

interface ExitOptions {
  outputs: string;
  returnSignal: AbortSignal;
  signal: AbortSignal;
}

/** Reports the program's exit to the hub, and returns the outcome for the log. */
async function reportExit(
  lease: ReturnType<typeof openLease>,
  { code, lastLine }: ProgramExit,
  { outputs, returnSignal, signal }: ExitOptions,
): Promise<string> {
  if (returnSignal.aborted) {
    await lease.fail("The worker was stopped.", true);
    return "was returned to the queue";
  }
  if (code !== 0) {
    const message = lastLine || `The program exited with code ${code}.`;
    await lease.fail(message, code === EXIT_RETRYABLE);
    return `failed: ${message}`;
  }
  await lease.complete(outputs, signal);
  return "completed";
}
