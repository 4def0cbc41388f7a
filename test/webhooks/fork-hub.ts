import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { bundleProgram } from "../bundle-program";

/** The database and folder of a hub, and the secret with which they are encrypted. */
interface HubLocation {
  databaseUrl: string;
  folder: string;
  secret: string;
}

/**
 * Files, in base64, that a child stores one after another; it kills itself after storing the last one, before it queues
 * the generations that wait for it.
 */
export interface Uploads {
  account: number;
  contents: string[];
}

export interface ChildHub {
  /** Moves the child's clock forward. */
  advance(ms: number): void;
  /** Lets the child store these files, and resolves when it has killed itself. */
  storeAndDie(uploads: Uploads): Promise<void>;
  /** Returns the child's peak memory in bytes. */
  peakMemory(): number;
  kill9(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** Starts a process that runs the hub's jobs, with a clock that is `ahead` milliseconds ahead. */
export async function forkHub(location: HubLocation, settings: Record<string, string>, ahead = 0): Promise<ChildHub> {
  const child = fork(await bundleProgram("test/webhooks/hub-child.ts"), [String(ahead)], {
    execArgv: [],
    env: {
      // Leaves out the test runner's settings.
      PATH: process.env.PATH,
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "../authority/authority.cert.pem"),
      ...settings,
      DATABASE_URL: location.databaseUrl,
      HUB_SECRET: location.secret,
      HUB_DATA_DIR: location.folder,
      LOG_LEVEL: "warn",
      SANDBOX: "on",
    },
  });
  children.add(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => child.once("message", resolve)),
    ended.then(() => Promise.reject(new Error("the hub exited before it was ready"))),
  ]);
  return {
    advance: (ms) => void child.send(ms),
    peakMemory: () => Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) * 1024,
    async storeAndDie(uploads) {
      child.send(uploads);
      await ended;
      children.delete(child);
    },
    async kill9() {
      child.kill("SIGKILL");
      await ended;
      children.delete(child);
    },
  };
}
