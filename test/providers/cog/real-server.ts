import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { reservePort } from "../../reserve-port";

const VERSION = "0.23.1";
const FOLDER = path.resolve("node_modules", ".cache", `cog-${VERSION}`);
const MAX_START_MS = 30_000;

/** Returns whether the tests use the real server: it is installed, or the environment asks for it. */
export const usesRealCog = (): boolean =>
  existsSync(FOLDER) || Boolean(process.env.HUB_TEST_COG) || Boolean(process.env.SOAK);

/**
 * Starts the server of the package `cog` with the model of `model/predict.py`, on loopback; installs it first if need be
 * (50 MB). Returns null with the reason when Python or the package cannot be had.
 */
export async function openRealCog(): Promise<{ url: string; close: () => Promise<void> } | { missing: string }> {
  try {
    await install();
  } catch (error) {
    return { missing: (error as Error).message.split("\n")[0]! };
  }
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const bin = path.join(FOLDER, "bin");
  const server = spawn(path.join(bin, "python"), ["-m", "cog.server.http", "--host", "127.0.0.1"], {
    cwd: path.join(import.meta.dirname, "model"),
    stdio: "ignore",
    env: {
      ...process.env,
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
      PYTHONDONTWRITEBYTECODE: "1",
      COG_PREDICT_TYPE_STUB: "predict.py:Predictor",
      PORT: String(port),
      COG_LOG_LEVEL: "error",
    },
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const close = async () => {
    server.kill("SIGTERM");
    await ended;
  };
  await waitUntilReady(url, server);
  return { url, close };
}

/** Installs into another folder first, so that a broken installation is not used. */
async function install(): Promise<void> {
  if (existsSync(FOLDER)) return;
  const run = promisify(execFile);
  const unfinished = `${FOLDER}.${process.pid}`;
  await mkdir(path.dirname(FOLDER), { recursive: true });
  await run("python3", ["-m", "venv", unfinished]);
  await run(path.join(unfinished, "bin", "python"), ["-m", "pip", "install", "--quiet", `cog==${VERSION}`]);
  await rename(unfinished, FOLDER).catch(() => rm(unfinished, { recursive: true }));
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (const start = Date.now(); Date.now() - start < MAX_START_MS && server.exitCode === null; await delay(50)) {
    const health = await fetch(`${url}/health-check`).catch(() => null);
    if (health && ((await health.json()) as { status: string }).status === "READY") return;
  }
  throw new Error("cog did not start");
}
