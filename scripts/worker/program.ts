import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Report {
  progress?: number;
  checkpoint?: unknown;
  gpu_ms?: number;
  log?: unknown;
  preview?: unknown;
}

export interface ProgramExit {
  /** 0 for success; null if a signal killed the program. */
  code: number | null;
  /** The last line that the program wrote to stderr. */
  lastLine: string;
}

const KILL_AFTER_MS = 10_000;
const MAX_LINE_LENGTH = 500;

/** Starts the program of one job, with the job as JSON on its stdin. Each JSON line on its stdout is a report. */
export function startProgram(command: string, job: unknown, outputs: string, onReport: (report: Report) => void) {
  // Detached into its own process group, so that a signal also reaches what the shell has started.
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
    if (line.trim() !== "") lastLine = line.trim().slice(0, MAX_LINE_LENGTH);
  });
  const exit = new Promise<ProgramExit>((resolve) => {
    child.once("error", (error) => resolve({ code: 127, lastLine: error.message }));
    child.once("close", (code) => resolve({ code, lastLine }));
  });
  const sendSignal = (name: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, name);
    } catch {
      // The program has already exited.
    }
  };
  return {
    exit,
    /** Sends SIGTERM, and SIGKILL if the program is still running after ten seconds. */
    async stop() {
      sendSignal("SIGTERM");
      const timer = setTimeout(() => sendSignal("SIGKILL"), KILL_AFTER_MS);
      await exit;
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
