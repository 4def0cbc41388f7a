import type { Hub } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";

const TIMEOUT_MS = 2_000;

/**
 * Resolves when the process does not stop, and the database, the file storage and the job engine respond within two seconds
 * each; else throws a 503.
 */
export async function checkReady(hub: Hub): Promise<void> {
  if (hub.isStopping) throw notReady("The hub is stopping.");
  await rejectIfLate(selectOne(hub.db), "The database does not respond.");
  await rejectIfLate(hub.storage.check(), "The file storage does not respond.");
  await rejectIfLate(hub.jobEngine.check(), "The job engine does not respond.");
}

async function rejectIfLate(check: Promise<unknown>, message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((_, reject) => (timer = setTimeout(reject, TIMEOUT_MS)));
  try {
    await Promise.race([check, timeout]);
  } catch (error) {
    // Recognized by name: the class exists twice, because Next bundles a second module graph into the process.
    const isForOperator = error instanceof Error && error.name === "OperatorError";
    throw notReady(isForOperator ? error.message : message);
  } finally {
    clearTimeout(timer);
  }
}

const notReady = (message: string) => new AppError("service_unavailable", message, {}, { "Retry-After": "2" });

const selectOne = statement({ params: [], row: { one: int4 }, text: "SELECT 1 AS one" });
