/** An error that the operator can fix. Its message is the one sentence that the terminal shows, without a stack. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

const operatorErrors = new Set(["OperatorError", "EnvError", "CatalogueError", "AppError", "PaymentUnavailable"]);

/** Returns what the terminal shows of an error: its message when the operator can act on it, else its stack. */
export function describeFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return operatorErrors.has(error.name) ? error.message : (error.stack ?? error.message);
}
