const operatorErrors = new Set(["OperatorError", "EnvError", "CatalogueError", "AppError"]);

/** What the terminal shows of an error: its sentence when somebody can act on it, all of it when it is our fault. */
export function describeFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return operatorErrors.has(error.name) ? error.message : (error.stack ?? error.message);
}
