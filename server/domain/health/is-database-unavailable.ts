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
  /connection terminated|timeout exceeded when trying to connect|cannot use a pool after|client has encountered a connection error/i;

/** Returns whether an error means that Postgres is unavailable, as opposed to a failed statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (
    CONNECTION_CODES.has(code) ||
    SQLSTATE_PATTERN.test(code) ||
    PRISMA_PATTERN.test(code) ||
    MESSAGE_PATTERN.test(error.message)
  )
    return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
