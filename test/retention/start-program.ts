import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundleProgram } from "../bundle-program";
import type { TestHub } from "../hub";

interface StartedProgram {
  child: ChildProcess;
  /** Resolves with the exit code and the signal. */
  exited: Promise<[number | null, string | null]>;
}

/** Starts a program of this folder on the hub's database and files, and waits until it has written something. */
export async function startProgram(hub: TestHub, file: string): Promise<StartedProgram> {
  const env = {
    ...process.env,
    DATABASE_URL: hub.databaseUrl,
    HUB_DATA_DIR: hub.folder,
    HUB_SECRET: hub.secret,
    BASE_URL: "http://localhost:3000",
    LOG_LEVEL: "error",
  };
  const program = await bundleProgram(`test/retention/${file}`);
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;
  await once(child.stdout, "data");
  return { child, exited };
}
