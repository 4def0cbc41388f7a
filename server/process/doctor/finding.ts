/** What one check of `hub doctor` found. */
export interface Finding {
  /** What was checked, such as `database`. */
  check: string;
  status: "ok" | "warn" | "fail";
  message: string;
  /** What to do about it; null where nothing is wrong. */
  remedy: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message, remedy: null });
export const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: "warn",
  message,
  remedy,
});
export const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: "fail",
  message,
  remedy,
});

const TIMEOUT_MS = 20_000;

/** Runs a check. One that throws or takes too long counts as failed. */
export async function runCheck(
  check: string,
  remedy: string,
  work: () => Promise<Finding | Finding[]>,
  timeoutMs = TIMEOUT_MS,
): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response in ${timeoutMs / 1000} seconds`)), timeoutMs);
  });
  try {
    return [await Promise.race([work(), timeout])].flat();
  } catch (error) {
    return [fail(check, describeError(error), remedy)];
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the messages of an error and its causes on one line. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const { cause: inner } = error;
  const cause = inner instanceof Error && !error.message.includes(inner.message) ? ` (${inner.message})` : "";
  return `${error.message || code || error.name}${cause}`.replace(/\s*\n\s*/g, " ");
}
