const CONNECTION = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
// SQLSTATE 08: connection; 57P: the server goes or comes; 53100: its disk is full; 53300: no connection is left.
const SQLSTATE = /^(08...|57P0[1-5]|53100|53300)$/;
const PRISMA = /^P(1001|1002|1008|1017|2024)$/;
// pg tells these by their words alone.
const WORDS =
  /connection terminated|timeout exceeded when trying to connect|cannot use a pool after|client has encountered a connection error/i;

/** Whether a statement failed because Postgres cannot be reached, and not because of the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (CONNECTION.has(code) || SQLSTATE.test(code) || PRISMA.test(code) || WORDS.test(error.message)) return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}
