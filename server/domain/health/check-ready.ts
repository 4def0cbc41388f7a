import type { Hub } from "../../context";
import { AppError } from "../../errors";

const PATIENCE_MS = 2_000;

/** Resolves when the database, the job engine and the storage of files answer within two seconds; else 503 `service_unavailable`. */
export async function checkReady(hub: Hub): Promise<void> {
  await inTime(hub.db.query("SELECT 1"), "The database does not answer.");
  await inTime(hub.storage.check(), "The storage of files does not answer.");
  // The embedded engine lives in the database; a real one has an address of its own.
  const engine = hub.env.INNGEST_BASE_URL;
  if (engine) await inTime(fetch(new URL("/health", engine)), "The job engine does not answer.");
}

async function inTime(answer: Promise<unknown>, fault: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, PATIENCE_MS)));
  try {
    await Promise.race([answer, late]);
  } catch {
    throw new AppError("service_unavailable", fault, {}, { "Retry-After": "2" });
  } finally {
    clearTimeout(timer);
  }
}
