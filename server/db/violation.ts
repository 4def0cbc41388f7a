/** Returns whether a statement failed because another row has the same unique value already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "23505";

/** Returns whether a statement failed because the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "53100";

/** Returns whether a statement failed because its outcome would break this constraint. */
export const isCheckViolation = (error: unknown, constraint: string): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "23514" &&
  "constraint" in error &&
  error.constraint === constraint;

/**
 * Returns whether a statement failed because Postgres rejects its data (SQLSTATE class 22), such as half of a surrogate
 * pair, or because they exceed a limit (class 54), such as JSON that is nested too deep.
 */
export const isDataError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && /^(22|54)/.test(String(error.code));

/** Returns whether a statement failed because its snapshot was too old, so that it must run again. */
export const isSnapshotStale = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "40001";

/** Returns whether a short statement failed because the limits of an account's keys, or who follows its events, changed. */
export const isAccountChanged = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "HB001";

/** Returns whether a statement failed because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "40P01";

/** Returns whether a statement failed because it would have waited too long for a lock, or for ever. */
export const isLocked = (error: unknown): boolean =>
  isDeadlock(error) || (error instanceof Error && "code" in error && error.code === "55P03");
