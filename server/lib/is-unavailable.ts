/** Thrown when the file storage is full or unreachable; the reason is in `cause`. The message may be shown to customers. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}

export const isStorageUnavailable = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable;

const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
// SQLSTATE 08: connection lost; 57P: shutdown or startup; 53100: disk full; 53300: too many connections.
const SQLSTATE_PATTERN = /^(08...|57P0[1-5]|53100|53300)$/;
const PRISMA_PATTERN = /^P(1001|1002|1008|1017|2024)$/;
// The driver `pg` gives these errors no code.
const MESSAGE_PATTERN =
  /connection terminated|client was closed|query read timeout|timeout exceeded when trying to connect|cannot use a pool after|client has encountered a connection error/i;

/** Returns whether an error means that Postgres is unavailable, as opposed to a failed statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (
    CONNECTION_CODES.has(code) ||
    SQLSTATE_PATTERN.test(code) ||
    SQLSTATE_PATTERN.test(getSqlStateOfPrisma(error)) ||
    PRISMA_PATTERN.test(code) ||
    MESSAGE_PATTERN.test(error.message)
  )
    return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}

/**
 * Returns the SQLSTATE behind an error of the Prisma client, which has one code for most errors of Postgres; otherwise
 * an empty text.
 */
function getSqlStateOfPrisma(error: Error & { meta?: { driverAdapterError?: unknown } }): string {
  const { driverAdapterError } = error.meta ?? {};
  const { originalCode = "" } = ((driverAdapterError as Error)?.cause ?? {}) as { originalCode?: string };
  return originalCode;
}
