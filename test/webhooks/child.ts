import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll } from "vitest";
import { createInngest } from "../../inngest/client";
import { embeddedFetch } from "../../inngest/embedded/fetch";
import { createPublisher } from "../../inngest/publisher";
import { type TestHub, testHub } from "../hub";

/** A hub without an engine of its own, whose nudges reach the engine of a child on the same database. */
export async function nudgingHub(settings: Record<string, string>): Promise<TestHub> {
  const hub = await testHub(settings);
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  hub.publish = (event) => publisher.publish(event);
  return hub;
}

export interface ChildHub {
  /** Moves its clock on. */
  advance(ms: number): void;
  /** The most memory that it ever had, in bytes. */
  peakMemory(): number;
  kill9(): Promise<void>;
}

const children = new Set<ChildProcess>();
afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

/** Starts a process that runs the hub's jobs, with a clock that is so many milliseconds ahead. */
export async function startChild(hub: TestHub, settings: Record<string, string>, ahead = 0): Promise<ChildHub> {
  const child = fork(path.join(import.meta.dirname, "hub-child.ts"), [String(ahead)], {
    execArgv: ["--import", "tsx"],
    env: {
      // Not the test runner's own settings.
      PATH: process.env.PATH,
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      ...settings,
      DATABASE_URL: hub.databaseUrl,
      HUB_SECRET: hub.secret,
      HUB_DATA_DIR: hub.folder,
      LOG_LEVEL: "warn",
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
    async kill9() {
      child.kill("SIGKILL");
      await ended;
      children.delete(child);
    },
  };
}
