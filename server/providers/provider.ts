import type { InputMode, Route } from "../catalogue/model";
import type { JsonCodec } from "../lib/json/codec";
import type { SafeFetch } from "../lib/safe-fetch";
import type { ChatCall, ChatState, ChatStreamState, CountCall, DialectName, EmbedCall, EmbedState } from "./chat-call";
import type { Job, JobState } from "./job";

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
   * Waits until this many more bytes of a response with inline outputs may be held in memory, as they arrive. The hub
   * releases them when the outputs are stored. Rejects with the signal's reason.
   */
  reserveMemory(bytes: number, signal: AbortSignal): Promise<void>;
  now: () => Date;
  signal: AbortSignal;
  /** Headers that continue a trace in the provider's API; absent while traces are off. */
  traceHeaders?: Record<string, string>;
}

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

/**
 * The response to a request to stop a job: `asked` if it may stop, which `poll` tells; `refused` if it continues; `stopped` if
 * it has certainly ended, without a result or a bill, and there is nothing to poll.
 */
export type CancelReply = "asked" | "refused" | "stopped";

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
 * text models has `chat` and `streamChat`, which reject with the signal's reason when that aborts. Workers pull their jobs
 * and are not providers in this sense. No method retries on its own.
 */
export interface Provider {
  /** Where the kind's own API is, unless the catalogue has another `base_url`; absent if there is no such place. */
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
   * `unknown`, the hub waits for a callback and then counts the attempt as lost: no work is ever bought twice. A
   * failure with `started: "unknown"` says that waiting is in vain: the attempt is lost at once.
   */
  recover?: (job: Job, io: ProviderIo) => Promise<JobState | "never-arrived" | "unknown">;
  poll?(job: Job, upstreamId: string, io: ProviderIo): Promise<JobState>;
  /**
   * Asks upstream to stop a job that its customer cancels or that is past its deadline; may be repeated. Throws ApiError when
   * the response is neither a refusal nor an acceptance.
   */
  cancel?(job: Job, upstreamId: string, io: ProviderIo): Promise<CancelReply>;
  /** Whether `cancel` also stops a submit that has not returned, by the attempt's id; by default it cannot. */
  cancelsSubmits?: boolean;
  /**
   * Reads a callback, whose address was already verified. Throws AppError `unauthorized` when upstream signs its
   * callbacks and this one is not signed.
   */
  callback?(request: CallbackRequest, target: CallbackTarget, io: ProviderIo): Promise<CallbackReport>;
  /** Stores a file at the provider and returns its URL or name there. */
  upload?(file: ProviderUpload, route: Route, io: ProviderIo): Promise<string>;
  /** Returns why the key or the model of a route cannot be used, asked free of charge; null if they can. */
  check?(route: Route, io: ProviderIo): Promise<string | null>;
  /** Returns whether a route takes chats in a dialect other than `chat`; by default none does. */
  speaks?: (route: Route, dialect: DialectName) => boolean;
  chat?: (call: ChatCall, signal: AbortSignal) => Promise<ChatState>;
  /**
   * Returns the tokens of a prompt, counted without a charge or an attempt; null if it cannot count them now, or if the signal
   * aborts.
   */
  countTokens?: (call: CountCall, signal: AbortSignal) => Promise<number | null>;
  /** Computes vectors; rejects as `chat` does. */
  embed?: (call: EmbedCall, signal: AbortSignal) => Promise<EmbedState>;
  streamChat?: (call: ChatCall, signal: AbortSignal) => Promise<ChatStreamState>;
}
