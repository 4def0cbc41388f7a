import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Child, waitForResponse } from "./child";

const PACKAGE = "@portkey-ai/gateway@1.15.2";

/** Installs Portkey's gateway into a folder of its own, starts it, and returns its URL. */
export async function startPortkey(port: number, upstream: string): Promise<Child & { url: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-portkey-"));
  const install = ["install", "--no-audit", "--no-fund", "--silent", "--prefix", folder, PACKAGE];
  execFileSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  const main = path.join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const env = { ...process.env, NODE_ENV: "production" as const, TRUSTED_CUSTOM_HOSTS: new URL(upstream).hostname };
  const child = spawn(process.execPath, [main, `--port=${port}`, "--headless"], { stdio: "ignore", env });
  const url = `http://127.0.0.1:${port}`;
  await waitForResponse(url);
  return {
    url: `${url}/v1/chat/completions`,
    async stop() {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const portkeyHeaders = (upstream: string) => ({
  "x-portkey-provider": "openai",
  "x-portkey-custom-host": upstream,
});
