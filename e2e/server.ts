import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { reservePort } from "../test/reserve-port";
import { copyDataDir, makeDataDir, readDemo } from "./data-dir";

export interface HubOptions {
  /** Settings that override the defaults. The default PORT is reserved, so that another start can pass the same one. */
  env?: Record<string, string>;
  /** By default a temporary copy of what a first start leaves (see data-dir.ts), removed when the hub stops. */
  dataDir?: string;
  /** The built server by default; for example `["npm", "start"]`. */
  command?: [string, ...string[]];
  /** Called with the process before it is ready. */
  onSpawn?: (child: ChildProcess) => void;
}

export interface RunningHub {
  url: string;
  /** The demo account's API key; empty unless this start created one, or the first start of a copied data folder. */
  key: string;
  demo: { email: string; password: string };
  dataDir: string;
  child: ChildProcess;
  /** Returns its output so far. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
  /** Runs a CLI command on this hub. */
  cli(...values: string[]): Promise<Finished>;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const root = path.resolve(import.meta.dirname, "..");
const TIMEOUT_MS = 60_000;

/** Starts the built hub as its own process and waits until it is ready. Throws with its output if it exits. */
export async function startHub({ env = {}, dataDir, command, onSpawn }: HubOptions = {}): Promise<RunningHub> {
  const folder = dataDir ?? (await (env.DATABASE_URL ? makeDataDir() : copyDataDir()));
  // Started by root, Postgres runs as another user, who must be able to traverse the folder.
  await chmod(folder, 0o711);
  const settings = settingsOf({ HUB_DATA_DIR: folder, PORT: String(await reservePort()), ...env });
  const [file, ...values] = command ?? [process.execPath, "dist/main.js"];
  const child = spawn(file, values, { cwd: root, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  onSpawn?.(child);
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
  const key = /service_sk_\w+/.exec(output)?.[0] ?? "";
  const account = { key, demo: { email: printed("e-mail"), password: printed("password") } };
  return {
    url,
    ...(key === "" ? ((await readDemo(folder)) ?? account) : account),
    dataDir: folder,
    child,
    output: () => output,
    stop: () => end("SIGTERM"),
    kill9: async () => void (await end("SIGKILL")),
    cli: (...args) => runCli(args, { ...env, HUB_DATA_DIR: folder }),
  };
}

/** Runs `npm run hub -- …` and returns its result. */
export function runCli(values: string[], env: Record<string, string>): Promise<Finished> {
  return runToEnd(["scripts/hub.mjs", ...values], env);
}

/** Runs a program of the project with Node and returns its result. */
export function runToEnd(values: string[], env: Record<string, string>): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      values,
      { cwd: root, env: settingsOf(env), timeout: TIMEOUT_MS },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

// Inherits no settings of the caller or its test runner.
function settingsOf(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  const defaults = { PORT: "0", LOG_LEVEL: "warn", EXPOSE_ATTEMPTS: "full" };
  return { PATH, HOME, ...defaults, ...env } as unknown as NodeJS.ProcessEnv;
}

function ready(child: ChildProcess, ended: Promise<number | null>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the hub ${reason}:\n${output()}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail("was not ready in time");
    }, TIMEOUT_MS);
    const checkReady = () => {
      const url = /(?:is ready|runs) at ([^\s,]+)/.exec(output())?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on("data", checkReady);
    child.once("error", (error) => fail(error.message));
    void ended.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
