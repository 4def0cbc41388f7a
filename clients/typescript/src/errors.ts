import type { Generation, ErrorCode, Problem } from "./types.js";

/** Anything that this client throws. */
export class HubError extends Error {
  override name = "HubError";
}

/** The hub could not be reached, or its response was cut off. */
export class ConnectionError extends HubError {
  override name = "ConnectionError";
}

/** A wait exceeded its `timeoutMs`. The work continues; `generation` is its last known state, null for a batch. */
export class WaitTimeoutError extends HubError {
  override name = "WaitTimeoutError";
  constructor(
    message: string,
    readonly generation: Generation | null = null,
  ) {
    super(message);
  }
}

/** A generation ended as `failed` or `canceled`. */
export class GenerationFailedError extends HubError {
  override name = "GenerationFailedError";
  constructor(readonly generation: Generation) {
    super(generation.error?.message ?? `The generation was ${generation.status}`);
  }
  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.generation.error?.retryable ?? false;
  }
}

/** A webhook that the hub did not sign with this secret. */
export class WebhookVerificationError extends HubError {
  override name = "WebhookVerificationError";
}

export interface ApiErrorDetails {
  status: number;
  problem: Partial<Problem>;
  headers: Headers;
  /** The body as it came. */
  body: string;
}

/** The hub answered with an error. `code` says which: https://…/docs/hub/errors lists them. */
export class ApiError extends HubError {
  override name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  /** Messages by the place of the error, such as `input.prompt`. */
  readonly errors: Record<string, string[]>;
  readonly problem: Partial<Problem>;
  /** The id of the request in the hub's logs. */
  readonly requestId: string | null;
  /** How long the hub asks to wait before a retry. */
  readonly retryAfterMs: number | null;
  /** What the hub says about a repetition; null if it says nothing. */
  readonly shouldRetry: boolean | null;
  readonly body: string;

  constructor({ status, problem, headers, body }: ApiErrorDetails) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.code = problem.code ?? "unknown";
    this.errors = problem.errors ?? {};
    this.requestId = headers.get("x-request-id");
    this.retryAfterMs = parseRetryAfter(headers);
    const shouldRetry = headers.get("x-should-retry");
    this.shouldRetry = shouldRetry === null ? null : shouldRetry === "true";
    this.body = body;
  }
}

/** 400: the request is invalid; `errors` names each place. */
export class InvalidInputError extends ApiError {
  override name = "InvalidInputError";
}

/** 401: the API key is missing, wrong, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}

/** 402: the balance or the key's spend limit does not cover the estimate. */
export class InsufficientCreditsError extends ApiError {
  override name = "InsufficientCreditsError";
  /** What the request needs and what is available, in EUR. */
  get required(): string | null {
    return this.problem.required ?? null;
  }
  get available(): string | null {
    return this.problem.available ?? null;
  }
}

/** 404: this account does not have such an object. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: the idempotency key belongs to another request, or the object's state does not allow this. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 429: too many requests; `retryAfterMs` says when to go on. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
}

const classes: Record<number, new (details: ApiErrorDetails) => ApiError> = {
  400: InvalidInputError,
  401: UnauthorizedError,
  402: InsufficientCreditsError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
};

export const createApiError = (details: ApiErrorDetails): ApiError =>
  new (classes[details.status] ?? ApiError)(details);

/** Returns the wait that `Retry-After` asks for, in seconds or as a date; null without one. */
function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
