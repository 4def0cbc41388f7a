import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../../server/root";

const run = promisify(execFile);
const hubCommand = path.join(root, "scripts", "hub.mjs");

/** Runs an operator's command while the hub is running, and returns its JSON. */
export async function runHubCommand<T>(...values: string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [hubCommand, ...values, "--json"]);
  return JSON.parse(stdout) as T;
}
