import { type ErrorCode, errorTable } from "./error-table";

export { type ErrorCode, errorTable };

/** Members of a problem body in addition to the standard ones. */
interface ProblemExtras {
  /** Messages by the location of the issue: `input.prompt`, `limit`, `Idempotency-Key`. */
  errors?: Record<string, string[]>;
  /** JSON Pointers of inputs that no route supports. */
  unrepresentable?: string[];
  missing?: { sha256: string; kind: string | null }[];
  /** EUR. */
  required?: number;
  available?: number;
  /** EUR: what the request would hold now. */
  estimated_cost?: number;
  affordable_max_tokens?: number;
  /** The budget that does not cover the request. */
  budget?: { id: string; name: string; resets_at: string | null };
  generation_id?: string;
  batch_id?: string;
  /** The code of OpenAI's API, for clients that decide by it. */
  openai_code?: string;
  /** The code of Anthropic's API, for clients that decide by it. */
  anthropic_code?: string;
  /** Whether the person must confirm their identity and try again; only in the console. */
  needsProof?: boolean;
}

/** An error whose message the caller may read. All other errors become a 500 without details. */
export class AppError extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: ErrorCode,
    detail?: string,
    readonly extras: ProblemExtras = {},
    readonly headers: Record<string, string> = {},
    /** Replaces the status of the table, e.g. with a provider's. */
    readonly status: number = errorTable[code].status,
  ) {
    super(detail ?? errorTable[code].title);
  }
}

export const isAppError = (error: unknown): error is AppError => error instanceof AppError;

const failedGenerations = new WeakMap<Error, string>();

/** Sets the generation that a request had made before this error, which its response may not name. Returns the error. */
export function withGeneration<E>(error: E, id: string): E {
  if (error instanceof Error) failedGenerations.set(error, id);
  return error;
}

/** Returns the generation that a request had made before this error; undefined if it made none. */
const findFailedGeneration = (error: unknown): string | undefined =>
  error instanceof Error ? failedGenerations.get(error) : undefined;

const repeatedGenerations = new WeakMap<Error, string>();

/** Sets the generation of an earlier request whose error this one repeats. Returns the error. */
export function withRepeatedGeneration<E extends Error>(error: E, id: string): E {
  repeatedGenerations.set(error, id);
  return error;
}

/**
 * Returns what the log of rejected requests contains of an error: its message, and the generation with whose content the message
 * is erased. An error that repeats one of an earlier request only names its generation, because the message may quote the input.
 */
export function describeRejection(thrown: unknown, message: string): { message: string; generationId?: string } {
  const repeated = thrown instanceof Error ? repeatedGenerations.get(thrown) : undefined;
  if (repeated !== undefined) return { message: `Generation ${repeated} has failed.` };
  return { message, generationId: findFailedGeneration(thrown) };
}

/** Replaces the message of an error whose generation was erased, because it may quote the input. */
export const ERASED_MESSAGE = "The message was erased.";

/** Returns a 400 that says what is wrong at one place of the request. */
export const invalidInput = (place: string, message: string): AppError =>
  new AppError("invalid_input", `${place}: ${message}`, { errors: { [place]: [message] } });

/** Returns the 409 for a change of an account that closes. */
export const accountClosingError = (): AppError =>
  new AppError("invalid_state", "This account is closing. Keep it in Settings to make changes.");

/** Returns the error of a chat that the sweep has ended before its response came. */
export const responseTooLate = (): AppError =>
  new AppError("provider_error", "The response came too late.", {}, { "Retry-After": "1" });

/** Returns the 413 for a file of more than `limit` bytes. */
export const fileTooLarge = (limit: number): AppError =>
  new AppError("payload_too_large", `The file may have at most ${limit.toLocaleString("en")} bytes.`);

/** Returns the 409 for an Idempotency-Key that was used with a different body. */
export const idempotencyConflict = (): AppError =>
  new AppError(
    "idempotency_conflict",
    "This Idempotency-Key was used with a different body. Use a new key.",
    {},
    { "x-should-retry": "false" },
  );
