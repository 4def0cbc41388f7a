import type { Hub } from "../../context";
import { AppError } from "../../errors";

const TIMEOUT_MS = 2_000;

/** Resolves when the database, the job engine and the storage of files answer within two seconds; else 503 `service_unavailable`. */
export async function checkReady(hub: Hub): Promise<void> {
  await inTime(hub.db.query("SELECT 1"), "The database does not answer.");
  await inTime(hub.storage.check(), "The storage of files does not answer.");
  await inTime(hub.jobEngine.check(), "The job engine does not answer.");
}

async function inTime(answer: Promise<unknown>, sentence: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, TIMEOUT_MS)));
  try {
    await Promise.race([answer, late]);
  } catch (error) {
    // Recognized by name: two module graphs share a process.
    const isForOperator = error instanceof Error && error.name === "OperatorError";
    throw new AppError("service_unavailable", isForOperator ? error.message : sentence, {}, { "Retry-After": "2" });
  } finally {
    clearTimeout(timer);
  }
}
