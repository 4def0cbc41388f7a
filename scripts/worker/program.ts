import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Report {
  progress?: number;
  checkpoint?: unknown;
  gpu_ms?: number;
}

export interface Ended {
  /** 0 for success; null when a signal ended it. */
  code: number | null;
  /** The last thing it wrote to stderr. */
  lastLine: string;
}

const KILL_AFTER_MS = 10_000;
const MAX_LINE = 500;

/** Starts a program for one job, with the job as JSON on stdin and reports as JSON lines on stdout. */
export function startProgram(command: string, job: unknown, outputs: string, onReport: (report: Report) => void) {
  // A group of its own, so that a signal reaches what a shell has started.
  const child = spawn(command, {
    shell: true,
    detached: true,
    env: { ...process.env, HUB_WORKER_TOKEN: undefined, HUB_OUTPUT_DIR: outputs },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let lastLine = "";
  child.stdin.on("error", () => undefined).end(`${JSON.stringify(job)}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const report = readReport(line);
    if (report) onReport(report);
    else process.stderr.write(`${line}\n`);
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    process.stderr.write(`${line}\n`);
    if (line.trim() !== "") lastLine = line.trim().slice(0, MAX_LINE);
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("error", (error) => resolve({ code: 127, lastLine: error.message }));
    child.once("close", (code) => resolve({ code, lastLine }));
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, name);
    } catch {
      // It has ended already.
    }
  };
  return {
    ended,
    /** Asks it to end, and ends it when it does not. */
    async stop() {
      signal("SIGTERM");
      const timer = setTimeout(() => signal("SIGKILL"), KILL_AFTER_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function readReport(line: string): Report | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
