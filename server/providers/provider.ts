import type { Route } from "../catalogue/model";
import type { JsonCodec } from "../lib/json/codec";
import type { SafeFetch } from "../lib/safe-fetch";

/** What a provider is asked to do. Its id is the idempotency key towards upstream. */
export interface Job {
  id: string;
  /** Counts from 1. */
  attempt: number;
  /** When this attempt was opened, just before its submit. */
  openedAt: Date;
  /** The customer's input, as the route expresses it (renamed). */
  input: Record<string, unknown>;
  route: Route;
}

/** What a provider may use of the hub, injected. */
export interface ProviderIo {
  fetch: SafeFetch;
  /** Bytes of a file parameter: one of the account's files, or an outside URL through the safe client. */
  read(url: string): Promise<Buffer>;
  /** An address under which upstream fetches it by itself while the job may run: a signed link for one of the account's files. */
  link(url: string): Promise<string>;
  now: () => Date;
  signal: AbortSignal;
}

export interface ProviderOutput {
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
}

/** The closed list of codes that a generation's `error` can have. */
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
  /** For the customer: no upstream secret, key or address. */
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

export type JobState =
  | { state: "succeeded"; outputs: ProviderOutput[]; upstreamStatus?: number; cost?: bigint }
  | {
      state: "failed";
      error: Failure;
      /** False only when upstream surely did no work: then, and only then, the next route may be tried. */
      started: boolean;
      upstreamStatus?: number;
    }
  /** Ask again in so many seconds, or sooner when upstream calls back. */
  | { state: "pending"; upstreamId: string; progress: number | null; pollAfterSeconds: number };

/** One chat, as the route expresses it. */
export interface ChatCall {
  /** Of the generation; the idempotency key towards upstream. */
  id: string;
  body: Record<string, unknown>;
  route: Route;
  /** Whether every look at the whole body is work that others would wait for. */
  isLarge: boolean;
  json: JsonCodec;
  /** Reserves memory for the next bytes of the answer; false when the hub holds too much already. */
  reserve: (bytes: number) => boolean;
}

/** An answer that has the shape of OpenAI's; members beyond it are handed on. */
export interface Completion extends Record<string, unknown> {
  choices: { index: number; message: Record<string, unknown>; finish_reason: string }[];
  /** As upstream wrote it: to be checked. */
  usage?: unknown;
}

export type ChatState =
  | {
      state: "succeeded";
      completion: Completion;
      upstreamStatus?: number;
      /** Whether every look at the whole answer is long work. */
      isLarge?: boolean;
    }
  | {
      state: "failed";
      error: Failure;
      /** False only when upstream surely did no work: then, and only then, the next route may be tried. */
      started: boolean;
      upstreamStatus?: number;
      /** Seconds after which upstream wants to be asked again. */
      retryAfter?: number;
    };

/**
 * One kind of upstream. A provider that answers at once never returns `pending`; one that is polled has `poll`;
 * one that calls back has `callback` beside it, which only hastens the next poll; workers pull, and have none of it.
 * One that serves text models has `chat`, which rejects with the signal's reason when that aborts.
 */
export interface Provider {
  /** How long one submit may take at most; a minute by default. A hub that dies meanwhile holds its claim for as long. */
  submitTimeoutMs?: number;
  submit?: (job: Job, io: ProviderIo) => Promise<JobState>;
  /**
   * Returns what became of a job whose submit was cut off, by the job's own id and attempt; it never submits. Where a
   * provider has none, or cannot tell, the attempt is lost: the same work is not bought twice.
   */
  recover?: (job: Job, io: ProviderIo) => Promise<JobState | "cannot-tell">;
  chat?: (call: ChatCall, signal: AbortSignal) => Promise<ChatState>;
  poll?(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState>;
  /** The job that this request reports on; throws AppError `unauthorized` when it is not signed by upstream. */
  callback?(request: Request, route: Route): Promise<{ upstreamId: string }>;
}
