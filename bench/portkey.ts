import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const VERSION = "1.15.2";

/** Installs Portkey's gateway into a folder of its own, starts it, and returns its URL. */
export async function startPortkey(port: number, upstream: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-portkey-"));
  const install = [
    "install",
    "--no-audit",
    "--no-fund",
    "--silent",
    "--prefix",
    folder,
    `@portkey-ai/gateway@${VERSION}`,
  ];
  execFileSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  const main = path.join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const env = { ...process.env, NODE_ENV: "production" as const, TRUSTED_CUSTOM_HOSTS: new URL(upstream).hostname };
  const child = spawn(process.execPath, [main, `--port=${port}`, "--headless"], { stdio: "ignore", env });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await fetch(url).catch(() => null)); tries += 1) {
    if (tries > 200) throw new Error("Portkey's gateway does not respond");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
