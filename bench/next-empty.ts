import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { waitForResponse } from "./child";

const app = path.join(import.meta.dirname, "empty-next");
const next = createRequire(import.meta.url).resolve("next/dist/bin/next");

/** Builds and starts a Next app with one empty route handler, and returns its URL. */
export async function startEmptyNext(port: number): Promise<{ url: string; stop: () => void }> {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  execFileSync(process.execPath, [next, "build", app], { stdio: ["ignore", "ignore", "inherit"], env });
  const child = spawn(process.execPath, [next, "start", app, "-p", String(port)], { stdio: "ignore", env });
  const url = `http://127.0.0.1:${port}/empty`;
  await waitForResponse(url);
  return { url, stop: () => void child.kill() };
}
