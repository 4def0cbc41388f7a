import type { InputMode, Route } from "../catalogue/model";
import type { JsonCodec } from "../lib/json/codec";
import type { Nano } from "../lib/money";
import type { SafeFetch } from "../lib/safe-fetch";

/** What a model takes and gives, in words such as `text`, `image` and `audio`. */
export interface Modalities {
  input: string[];
  output: string[];
}

/** A job for a provider: one attempt of a generation. */
export interface Job {
  /** The generation's id. */
  id: string;
  /** The attempt's UUID, for upstreams that let the hub choose the id of a job. */
  attemptId: string;
  /** Counts from 1. */
  attempt: number;
  /** When this attempt was recorded, just before its submit. */
  openedAt: Date;
  /** When the generation fails if it is still running. */
  deadlineAt: Date;
  /** The input that upstream gets: with the route's names, values and constants, and its file parameters prepared. */
  input: Record<string, unknown>;
  /** Upstream's name of the model or endpoint for this input; empty if the kind needs none. */
  upstreamModel: string;
  /** What the model takes and gives, for a kind with an endpoint for each. */
  modalities: Modalities;
  route: Route;
  /** The URL to which upstream may report; null while the hub cannot be reached from outside. */
  callbackUrl: string | null;
}

/** The capabilities of the hub that a provider may use. */
export interface ProviderIo {
  /** Calls addresses that an untrusted response gave. */
  fetch: SafeFetch;
  json: JsonCodec;
  /** Returns the bytes of a file parameter: one of the account's files, or an external URL through the safe client. */
  read(url: string): Promise<Buffer>;
  /** Returns the same with its media type, for providers that take files as such. */
  readFile(url: string): Promise<ProviderUpload>;
  /**
   * Waits until no other attempt has a response with inline outputs in memory. Call it before reading such a response;
   * the hub lets the next one in when the outputs are stored.
   */
  waitForInlineOutputs(): Promise<void>;
  now: () => Date;
  signal: AbortSignal;
}

export interface ProviderOutput {
  /** The media type that upstream named, if any: what the content shows takes precedence. */
  mediaType: string | null;
  /** Passes the content to `store`; again at each call. Throws ProviderError when the content cannot be had any more. */
  read: (store: (content: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>;
}

/** An output whose content is at hand, such as a worker's upload. */
export interface OutputContent {
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
}

/** All codes that a generation's `error` can have. */
export const failureCodes = [
  "provider_error",
  "provider_refused",
  "content_refused",
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

/**
 * Whether upstream began the work of a failed submit: `no` only if it certainly did not, `unknown` when the request was
 * sent and no response tells.
 */
export type Started = "no" | "yes" | "unknown";

/** What a failure says about its route: nothing (`job`), that its key, credit or model is wrong, that it is full, or down. */
export type FailureCause = "job" | "account" | "capacity" | "outage";

/** What upstream reports as used, for prices that depend on it. */
export interface ProviderUsage {
  /** Seconds of audio or video. */
  seconds?: number;
  /** Seconds of computing. */
  computeSeconds?: number;
  tokens?: { input: number; output: number };
}

export interface FailedJob {
  state: "failed";
  error: Failure;
  started: Started;
  cause: FailureCause;
  upstreamStatus?: number;
  /** Seconds after which upstream accepts a retry. */
  retryAfter?: number;
  /** USD in nano that upstream took although it failed. */
  costUsd?: Nano;
}

export type JobState =
  | {
      state: "succeeded";
      outputs: ProviderOutput[];
      usage?: ProviderUsage;
      /** USD in nano, if upstream tells; otherwise the route's price. */
      costUsd?: Nano;
      upstreamStatus?: number;
    }
  | FailedJob
  /** Poll again after `pollAfterSeconds`, or sooner when upstream calls back. */
  | {
      state: "pending";
      /** What `poll` needs to find the job: opaque text of at most 4 KiB, never shown. */
      upstreamId: string;
      progress: number | null;
      /** How many jobs are before it in upstream's queue. */
      queuePosition?: number;
      /** USD in nano that upstream takes for it, if it tells at once. */
      costUsd?: Nano;
      pollAfterSeconds: number;
    };

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
      /** By default what the status says. */
      cause?: FailureCause;
      upstreamStatus?: number;
      /** Seconds after which upstream accepts a retry. */
      retryAfter?: number;
    };

/** What a callback says. It only hastens the next poll, so the hub never believes its body for money. */
export interface CallbackReport {
  /** The job's id, for an attempt whose submit ended without one. */
  upstreamId?: string;
}

/** A callback as it came. */
export interface CallbackRequest {
  headers: Headers;
  body: Buffer;
}

/** The attempt that a callback is about. */
export interface CallbackTarget {
  attemptId: string;
  /** Null when the submit has not answered yet, or never did. */
  upstreamId: string | null;
  route: Route;
}

/** A file for a provider. */
export interface ProviderUpload {
  content: Buffer;
  /** What the content shows; `application/octet-stream` when it shows nothing. */
  mediaType: string;
  /** A name with the extension of the media type. */
  name: string;
}

/**
 * One kind of upstream. A synchronous provider never returns `pending`; an asynchronous one has `poll`. A provider of
 * text models has `chat`, which rejects with the signal's reason when that aborts. Workers pull their jobs and are not
 * providers in this sense. No method retries by itself.
 */
export interface Provider {
  /** Where the kind's own API is, unless the catalogue has another `base_url`; null if there is no such place. */
  defaultBaseUrl?: string;
  /** The ways in which it can get file parameters, the preferred one first; by default it reads them. */
  inputModes?: readonly InputMode[];
  /** How often a route without `retry_started` repeats work that had begun and failed; by default never. */
  retryStarted?: number;
  /** Timeout of one submit; a minute by default. If the hub dies meanwhile, its claim lasts as long. */
  submitTimeoutMs?: number;
  /** Throws InputUnavailable only before anything was sent. */
  submit?: (job: Job, io: ProviderIo) => Promise<JobState>;
  /**
   * Returns the state of a job whose submit was interrupted, found by the job's id and attempt; it never submits.
   * `never-arrived` only if the submit can neither have begun the work nor begin it later. Without this method, or with
   * `cannot-tell`, the hub waits for a callback and then counts the attempt as lost: no work is ever bought twice. A
   * failure with `started: "unknown"` says that waiting is in vain: the attempt is lost at once.
   */
  recover?: (job: Job, io: ProviderIo) => Promise<JobState | "never-arrived" | "cannot-tell">;
  poll?(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState>;
  /** Stops a job past its deadline, as far as upstream can. Its failure is only logged. */
  cancel?(job: Job, upstreamId: string, io: ProviderIo): Promise<void>;
  /**
   * Reads a callback, whose address was already verified. Throws AppError `unauthorized` when upstream signs its
   * callbacks and this one is not signed.
   */
  callback?(request: CallbackRequest, target: CallbackTarget, io: ProviderIo): Promise<CallbackReport>;
  /** Stores a file at the provider and returns its URL or name there. */
  upload?(file: ProviderUpload, route: Route, io: ProviderIo): Promise<string>;
  /** Returns why the key or the model of a route cannot be used, asked free of charge; null if they can. */
  check?(route: Route, io: ProviderIo): Promise<string | null>;
  chat?: (call: ChatCall, signal: AbortSignal) => Promise<ChatState>;
}
