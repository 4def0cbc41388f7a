import { spawn } from "node:child_process";

/** Runs a program until it exits. If `quiet`, prints its output only when it fails. */
export async function runProgram(command, values, { env = {}, quiet = false } = {}) {
  const child = spawn(command, values, {
    env: { ...process.env, ...env },
    stdio: ["ignore", quiet ? "pipe" : 2, quiet ? "pipe" : 2],
  });
  const printed = [];
  child.stdout?.on("data", (chunk) => printed.push(chunk));
  child.stderr?.on("data", (chunk) => printed.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (status, signal) => resolve(status ?? signal));
  });
  if (code === 0) return;
  process.stderr.write(Buffer.concat(printed));
  throw new Error(`${[command, ...values].join(" ")} failed (${code})`);
}
