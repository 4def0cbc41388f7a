import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleProgram } from "../test/bundle-program";

export interface Child {
  stop(): Promise<void>;
}

/** Bundles a file of this folder as the product is, runs it in a process of its own, and waits for its first message. */
export async function startChild(file: string, settings: Record<string, string>): Promise<Child> {
  const child = fork(await bundleProgram(path.join("bench", file)), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production", ...settings },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    nextMessage(child),
    ended.then(() => Promise.reject(new Error(`${file} exited before it was ready`))),
  ]);
  return {
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/** Runs a file of this folder from source in a process of its own. */
export const forkSource = (file: string, settings: Record<string, string> = {}): ChildProcess =>
  fork(path.join(import.meta.dirname, file), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...settings },
  });

export const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once("message", resolve));

/** Waits until something responds at a URL. */
export async function waitForResponse(url: string): Promise<void> {
  for (let tries = 0; !(await fetch(url).catch(() => null)); tries += 1) {
    if (tries > 200) throw new Error(`${url} does not respond`);
    await sleep(50);
  }
}
