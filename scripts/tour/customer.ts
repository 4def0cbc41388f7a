import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const hubCommand = path.resolve(import.meta.dirname, "..", "hub.mjs");
const EMAIL = "tour@example.org";

async function hub(...values: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [hubCommand, ...values, "--json"]);
  return JSON.parse(stdout);
}

/** Creates an account for the tour with the operator's commands and returns its API key. */
export async function makeCustomer(): Promise<string> {
  const password = crypto.randomUUID();
  // From the second tour on the account is there.
  await hub("account", "create", "--email", EMAIL, "--password", password).catch(() => undefined);
  await hub("credit", "grant", "--email", EMAIL, "--amount", "1", "--note", "For the tour");
  return ((await hub("key", "create", "--email", EMAIL, "--name", "tour")) as { key: string }).key;
}
