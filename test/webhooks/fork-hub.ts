import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Where it lives: its database and its folder, and the key of what is sealed in them. */
interface Place {
  databaseUrl: string;
  folder: string;
  secret: string;
}

/** Contents, in base64, that a child stores for an account one after the other; it kills itself before it tells of the last. */
export interface Uploads {
  account: number;
  contents: string[];
}

export interface ChildHub {
  /** Moves its clock on. */
  advance(ms: number): void;
  /** Lets it store these contents; resolves when it has died of it. */
  uploadAndDie(uploads: Uploads): Promise<void>;
  /** The most memory that it ever had, in bytes. */
  peakMemory(): number;
  kill9(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** Starts a process that runs the hub's jobs, with a clock that is so many milliseconds ahead. */
export async function forkHub(place: Place, settings: Record<string, string>, ahead = 0): Promise<ChildHub> {
  const child = fork(path.join(import.meta.dirname, "hub-child.ts"), [String(ahead)], {
    execArgv: ["--import", "tsx"],
    env: {
      // Not the test runner's own settings.
      PATH: process.env.PATH,
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "../authority/authority.cert.pem"),
      ...settings,
      DATABASE_URL: place.databaseUrl,
      HUB_SECRET: place.secret,
      HUB_DATA_DIR: place.folder,
      LOG_LEVEL: "warn",
      SANDBOX: "on",
    },
  });
  children.add(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => child.once("message", resolve)),
    ended.then(() => Promise.reject(new Error("the hub ended before it was ready"))),
  ]);
  return {
    advance: (ms) => void child.send(ms),
    peakMemory: () => Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) * 1024,
    async uploadAndDie(uploads) {
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
