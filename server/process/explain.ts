const operatorErrors = new Set(["OperatorError", "EnvError", "CatalogueError", "AppError"]);

/** Returns what the terminal shows of an error: its message when the operator can act on it, else its stack. */
export function describeFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return operatorErrors.has(error.name) ? error.message : (error.stack ?? error.message);
}
