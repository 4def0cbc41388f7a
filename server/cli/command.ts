import { userInfo } from "node:os";
import { InvalidArgumentError } from "commander";
import type { loadBooks } from "../catalogue/books/load-books";
import type { loadCatalogue } from "../catalogue/load";
import type { Hub } from "../domain/hub";
import type { Operator } from "../domain/operator-actions";
import { type Env, readEnv } from "../env";
import { composeHub } from "../compose-hub";
import { hasFourDigitYear } from "../lib/iso-time";
import { type Nano, parseDecimal } from "../lib/money";
import { openDataDir } from "../process/data-dir";
import { openDatabase } from "../process/database";

// Most commands do not need the models, and an invalid catalogue must not prevent the command that replaces it.
const loadNothing: typeof loadCatalogue = async () => new Map();
const loadNoBooks: typeof loadBooks = async () => new Map();

/**
 * Calls `work` with a hub on the same database as the server, which may be running or not, and closes it afterwards.
 */
export async function withHub<T>(work: (hub: Hub) => Promise<T>, load = loadNothing): Promise<T> {
  const settings = readEnv();
  const env: Env = { ...settings, HUB_DATA_DIR: await openDataDir(settings.HUB_DATA_DIR) };
  const database = await openDatabase(env, "guest");
  try {
    const composition = await composeHub(env, database.url, load, loadNoBooks);
    try {
      return await work(composition.hub);
    } finally {
      await composition.close();
    }
  } finally {
    await database.leave();
  }
}

/** Returns who runs the command, for the audit log. */
export const cliOperator = (): Operator => ({ personId: null, name: readUserName(), address: null, requestId: null });

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that the system does not know.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

export interface OutputOptions {
  json?: boolean;
}

/** Prints the result of a command to stdout: as text, or with --json as one JSON document. */
export function printResult({ json }: OutputOptions, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

/** Returns a time from the command line. */
export function readTime(text: string): Date {
  const time = new Date(text);
  if (!hasFourDigitYear(time)) throw new InvalidArgumentError("It must be a time in ISO 8601.");
  return time;
}

/** Returns an amount in EUR from the command line, as exact nano-euros. */
export function readAmount(text: string): Nano {
  try {
    return parseDecimal(text);
  } catch {
    throw new InvalidArgumentError("It must be an amount in EUR with at most nine decimal places, such as 12.5.");
  }
}
