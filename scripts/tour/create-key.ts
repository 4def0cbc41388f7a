import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const hubCommand = path.resolve(import.meta.dirname, "..", "hub.mjs");
const EMAIL = "tour@example.org";

async function runHubCommand(...values: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [hubCommand, ...values, "--json"]);
  return JSON.parse(stdout);
}

/** Creates an API key of the tour's account, which it creates or credits, by the operator's commands beside the running hub. */
export async function createTourKey(): Promise<string> {
  const password = crypto.randomUUID();
  // The account exists from the second tour on.
  await runHubCommand("account", "create", "--email", EMAIL, "--password", password).catch(() => undefined);
  await runHubCommand("credit", "grant", "--email", EMAIL, "--amount", "1", "--note", "For the tour");
  return ((await runHubCommand("key", "create", "--email", EMAIL, "--name", "tour")) as { key: string }).key;
}
