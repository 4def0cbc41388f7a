import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export interface HubOptions {
  /** Settings over the defaults; PORT 0 takes a free one. */
  env?: Record<string, string>;
  /** A folder of its own by default, removed when the hub stops. */
  dataDir?: string;
  /** By default the built server itself; for example `["npm", "start"]`. */
  command?: [string, ...string[]];
}

export interface RunningHub {
  url: string;
  /** Of the demo account; empty unless this start made one. */
  key: string;
  demo: { email: string; password: string };
  dataDir: string;
  child: ChildProcess;
  /** What it printed up to now. */
  output(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
  /** Runs an operator's command on this hub. */
  cli(...values: string[]): Promise<Finished>;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const root = path.resolve(import.meta.dirname, "..");
const PATIENCE_MS = 60_000;

/** Starts the built hub as a process of its own and waits until it is ready. Throws with its output when it ends instead. */
export async function startHub({ env = {}, dataDir, command }: HubOptions = {}): Promise<RunningHub> {
  const folder = dataDir ?? (await makeDataDir());
  // A root's Postgres runs as another user, who must pass.
  await chmod(folder, 0o711);
  const settings = settingsOf({ HUB_DATA_DIR: folder, ...env });
  const [file, ...values] = command ?? [process.execPath, "dist/main.js"];
  const child = spawn(file, values, { cwd: root, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));

  const url = await ready(child, ended, () => output);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const code = await ended;
    if (!dataDir && signal === "SIGTERM") await rm(folder, { recursive: true, force: true });
    return code;
  };
  const printed = (name: string) => new RegExp(`^ +${name} +(\\S+)$`, "m").exec(output)?.[1] ?? "";
  return {
    url,
    key: /service_sk_\w+/.exec(output)?.[0] ?? "",
    demo: { email: printed("e-mail"), password: printed("password") },
    dataDir: folder,
    child,
    output: () => output,
    stop: () => end("SIGTERM"),
    kill9: async () => void (await end("SIGKILL")),
    cli: (...args) => runCli(args, { ...env, HUB_DATA_DIR: folder }),
  };
}

/** Runs `npm run hub -- …` to its end. */
export function runCli(values: string[], env: Record<string, string>): Promise<Finished> {
  return runToEnd(["scripts/hub.mjs", ...values], env);
}

/** Runs a program of the project by Node to its end, whatever that is. */
export function runToEnd(values: string[], env: Record<string, string>): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      values,
      { cwd: root, env: settingsOf(env), timeout: PATIENCE_MS },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** A folder that the user `postgres` may pass. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-data-"));
  await chmod(folder, 0o711);
  return folder;
}

// Nothing of the caller's own settings, and nothing of its test runner's.
function settingsOf(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: "0", LOG_LEVEL: "warn", ...env } as unknown as NodeJS.ProcessEnv;
}

function ready(child: ChildProcess, ended: Promise<number | null>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the hub ${reason}:\n${output()}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail("was not ready in time");
    }, PATIENCE_MS);
    const look = () => {
      const url = /ready at (\S+)/.exec(output())?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on("data", look);
    child.once("error", (error) => fail(error.message));
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
