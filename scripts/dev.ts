import "./load-env.mjs";
import { spawn } from "node:child_process";
import { ensureBuilt } from "./build/ensure-built.mjs";

await ensureBuilt(["client"]);
// Next reloads pages; tsx restarts the process when the server's code changes.
const child = spawn(
  process.execPath,
  ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", "server/main.ts", "--dev"],
  { stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => process.exit(code ?? 1));
