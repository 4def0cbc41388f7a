import { type ErrorCode, errorTable } from "./error-table";

export { type ErrorCode, errorTable };

/** Members that a problem body may carry beside the standard ones. */
export interface ProblemExtras {
  /** Messages by the location of the issue: `input.prompt`, `limit`, `Idempotency-Key`. */
  errors?: Record<string, string[]>;
  /** JSON Pointers of inputs that no route can express. */
  unrepresentable?: string[];
  missing?: { sha256: string; kind: string | null }[];
  /** EUR. */
  required?: number;
  available?: number;
  affordable_max_tokens?: number;
  generation_id?: string;
  /** Whether the person has to prove who they are and try again; of the console alone. */
  needsProof?: boolean;
}

/** An error that the caller may read. Anything else that is thrown becomes a 500 without details. */
export class AppError extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: ErrorCode,
    detail?: string,
    readonly extras: ProblemExtras = {},
    readonly headers: Record<string, string> = {},
    /** Other than the table's only where a provider's own status is kept. */
    readonly status: number = errorTable[code].status,
  ) {
    super(detail ?? errorTable[code].title);
  }
}

export const isAppError = (error: unknown): error is AppError => error instanceof AppError;

/** Returns a 400 that names one place and its remedy. */
export function invalidInput(place: string, message: string): AppError {
  return new AppError("invalid_input", `${place}: ${message}`, { errors: { [place]: [message] } });
}
