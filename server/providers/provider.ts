import type { Route } from "../catalogue/model";
import type { JsonCodec } from "../lib/json/codec";
import type { SafeFetch } from "../lib/safe-fetch";

/** A job for a provider. Its id is the idempotency key of the upstream request. */
export interface Job {
  id: string;
  /** Counts from 1. */
  attempt: number;
  /** When this attempt was recorded, just before its submit. */
  openedAt: Date;
  /** The customer's input, with parameters renamed as the route says. */
  input: Record<string, unknown>;
  route: Route;
}

/** The capabilities of the hub that a provider may use. */
export interface ProviderIo {
  fetch: SafeFetch;
  /** Returns the bytes of a file parameter: one of the account's files, or an external URL through the safe client. */
  read(url: string): Promise<Buffer>;
  /** Returns a URL from which upstream can fetch a file parameter during the job: a signed link for the account's files. */
  link(url: string): Promise<string>;
  now: () => Date;
  signal: AbortSignal;
}

export interface ProviderOutput {
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
}

/** All codes that a generation's `error` can have. */
export const failureCodes = [
  "provider_error",
  "provider_refused",
  "invalid_output",
  "input_unavailable",
  "timeout",
  "supply_timeout",
  "internal_error",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export interface Failure {
  code: FailureCode;
  /** Shown to customers: contains no upstream secret, key or address. */
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

export type JobState =
  | { state: "succeeded"; outputs: ProviderOutput[]; upstreamStatus?: number; cost?: bigint }
  | {
      state: "failed";
      error: Failure;
      /** False only if upstream certainly did no work; only then may the next route be tried. */
      started: boolean;
      upstreamStatus?: number;
    }
  /** Poll again after `pollAfterSeconds`, or sooner when upstream calls back. */
  | { state: "pending"; upstreamId: string; progress: number | null; pollAfterSeconds: number };

/** One chat request for a route. */
export interface ChatCall {
  /** The generation's id; the idempotency key of the upstream request. */
  id: string;
  body: Record<string, unknown>;
  route: Route;
  /** Whether the body is so large that it must be processed outside the event loop. */
  isLarge: boolean;
  json: JsonCodec;
  /** Reserves memory for the next bytes of the response; returns false when the hub's limit is reached. */
  reserve: (bytes: number) => boolean;
}

/** A completion in OpenAI's format; unknown members are passed through. */
export interface Completion extends Record<string, unknown> {
  choices: { index: number; message: Record<string, unknown>; finish_reason: string }[];
  /** As sent by upstream, not validated. */
  usage?: unknown;
}

export type ChatState =
  | {
      state: "succeeded";
      completion: Completion;
      upstreamStatus?: number;
      /** Whether the completion is so large that it must be processed outside the event loop. */
      isLarge?: boolean;
    }
  | {
      state: "failed";
      error: Failure;
      /** False only if upstream certainly did no work; only then may the next route be tried. */
      started: boolean;
      upstreamStatus?: number;
      /** Seconds after which upstream accepts a retry. */
      retryAfter?: number;
    };

/**
 * One kind of upstream. A synchronous provider never returns `pending`; an asynchronous one has `poll`, and `callback` if
 * upstream calls back, which only triggers the next poll. A provider of text models has `chat`, which rejects with the
 * signal's reason when that aborts. Workers pull their jobs and are not providers in this sense.
 */
export interface Provider {
  /** Timeout of one submit; a minute by default. If the hub dies meanwhile, its claim lasts as long. */
  submitTimeoutMs?: number;
  submit?: (job: Job, io: ProviderIo) => Promise<JobState>;
  /**
   * Returns the state of a job whose submit was interrupted, found by the job's id and attempt; it never submits. Without
   * this method, or with "cannot-tell", the attempt is lost: the same work is never paid for twice.
   */
  recover?: (job: Job, io: ProviderIo) => Promise<JobState | "cannot-tell">;
  chat?: (call: ChatCall, signal: AbortSignal) => Promise<ChatState>;
  poll?(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState>;
  /** Returns the job that this request reports on. Throws AppError `unauthorized` when it is not signed by upstream. */
  callback?(request: Request, route: Route): Promise<{ upstreamId: string }>;
}
