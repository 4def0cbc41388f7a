import { fork } from "node:child_process";
import path from "node:path";

export interface Child {
  stop(): Promise<void>;
}

/** Runs a file of this folder as a process of its own, and waits until it says that it is ready. */
export async function startChild(file: string, settings: Record<string, string>): Promise<Child> {
  const child = fork(path.join(import.meta.dirname, file), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production", ...settings },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => child.once("message", resolve)),
    ended.then(() => Promise.reject(new Error(`${file} ended`))),
  ]);
  return {
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
