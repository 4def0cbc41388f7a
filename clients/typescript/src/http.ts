import { withDecimals } from "./decimals.js";
import { ApiError, ConnectionError, createApiError } from "./errors.js";
import type { Problem } from "./types.js";

/** A subset of fetch, so that any implementation fits. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface HubOptions {
  /** The address of the hub, such as "https://hub.example.com". */
  baseUrl: string;
  /** `service_sk_…`. Keep it on your server: whoever has it spends your balance. */
  apiKey: string;
  /** How often a request is repeated after a temporary failure. 3 by default. */
  maxRetries?: number;
  /** The longest wait that `Retry-After` may ask for; a longer one is thrown. 60 seconds by default. */
  maxRetryDelayMs?: number;
  /** How long one attempt of a request may take, of a stream until it begins. 60 seconds by default, 10 minutes for chats. */
  timeoutMs?: number;
  fetch?: Fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Makes retries safe. A random one by default, so that this call is charged once however often it is sent. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

export interface HubRequest extends RequestOptions {
  method: string;
  path: string;
  body?: BodyInit;
  timeoutMs?: number;
  /** False for a request that would do its work twice. */
  isRepeatable?: boolean;
  /** Waits while an earlier request with the same idempotency key runs, instead of throwing. */
  waitsInProgress?: boolean;
  /** Reads the whole response, so that one that is cut off is repeated as well. */
  isBuffered?: boolean;
}

export interface Http {
  send(request: HubRequest): Promise<Response>;
  sendJson<T>(request: HubRequest): Promise<T>;
}

const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 500;
const MAX_BACKOFF_MS = 8_000;
const IN_PROGRESS = "generation_in_progress";
const IN_PROGRESS_DELAY_MS = 1_000;

/** Creates a sender of requests, which adds the key, retries, and throws errors. */
export function createHttp(options: HubOptions): Http {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError("baseUrl must be an http(s) URL");
  if (!options.apiKey) throw new TypeError("apiKey is missing");
  const maxRetries = options.maxRetries ?? 3;
  const maxDelayMs = options.maxRetryDelayMs ?? 60_000;
  // A method of `window` must not be called on another object.
  const fetchOnce: Fetch = options.fetch ?? ((url, init) => fetch(url, init));

  async function sendOnce(request: HubRequest): Promise<Response | ConnectionError> {
    const { method, body, signal } = request;
    const headers = createHeaders(request, options.apiKey);
    const timeout = startTimeout(request.timeoutMs ?? options.timeoutMs ?? 60_000);
    try {
      const response = await fetchOnce(`${baseUrl}${request.path}`, {
        method,
        headers,
        body,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      });
      if (request.isBuffered && response.ok) {
        const { status, headers: received } = response;
        const content = await response.arrayBuffer();
        return new Response(content.byteLength > 0 ? content : null, { status, headers: received });
      }
      // A stream takes as long as its chat does, so only the time until it begins is limited.
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) timeout.clear();
      return response;
    } catch (cause) {
      signal?.throwIfAborted();
      return new ConnectionError(`${method} ${request.path}: ${describeCause(cause)}`, { cause });
    }
  }

  /** Returns how long to wait before the request is sent again, or null if the error is final. */
  function nextDelayMs(request: HubRequest, error: ApiError | ConnectionError, retry: number): number | null {
    const wait = error instanceof ApiError ? error.retryAfterMs : null;
    const isFinal = retry >= maxRetries || request.isRepeatable === false || !isTransient(error);
    return isFinal || (wait ?? 0) > maxDelayMs ? null : (wait ?? backoffMs(retry));
  }

  async function send(request: HubRequest): Promise<Response> {
    for (let retry = 0; ;) {
      const result = await sendOnce(request);
      // `instanceof Response` would fail where a server library has replaced that global class.
      if (!(result instanceof ConnectionError) && result.ok) return result;
      const error = result instanceof ConnectionError ? result : await readError(result);
      if (request.waitsInProgress && isInProgress(error)) {
        // The work goes on, so these waits are not failed attempts.
        await delay(Math.min(error.retryAfterMs ?? IN_PROGRESS_DELAY_MS, maxDelayMs), request.signal);
        continue;
      }
      const delayMs = nextDelayMs(request, error, retry);
      if (delayMs === null) throw error;
      await delay(delayMs, request.signal);
      retry += 1;
    }
  }

  return {
    send,
    async sendJson<T>(request: HubRequest): Promise<T> {
      const response = await send({ ...request, isBuffered: true });
      return withDecimals(response.status === 204 ? null : await response.json()) as T;
    },
  };
}

function createHeaders({ headers: given, body, idempotencyKey }: HubRequest, apiKey: string): Headers {
  const headers = new Headers(given);
  headers.set("Authorization", `Bearer ${apiKey}`);
  if (typeof body === "string" && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  return headers;
}

/** Returns a signal that aborts after a time, unless it is cleared. */
function startTimeout(ms: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException(`no response within ${ms} ms`, "TimeoutError"));
  const timer = setTimeout(abort, ms);
  // In Node a timer keeps a program running that has nothing else to do.
  if (typeof timer === "object") (timer as { unref?: () => void }).unref?.();
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

const isInProgress = (error: Error): error is ApiError => error instanceof ApiError && error.code === IN_PROGRESS;

const isTransient = (error: ApiError | ConnectionError): boolean =>
  error instanceof ConnectionError ||
  (RETRIED_STATUSES.has(error.status) && error.code !== IN_PROGRESS && error.shouldRetry !== false);

const backoffMs = (retry: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** retry, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}

/** Reads a problem, or an error in OpenAI's format, with which chats respond. */
async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  let problem: Partial<Problem> = {};
  try {
    const body = withDecimals(JSON.parse(text)) as Partial<Problem> & { error?: ErrorEnvelope };
    problem = body.code === undefined && body.error ? { ...body, ...toProblem(body.error) } : body;
  } catch {
    // A proxy answered; its page says nothing more than the status.
  }
  return createApiError({ status: response.status, problem, headers: response.headers, body: text });
}

/** An error in OpenAI's format. The other members of a problem, such as `errors` and `required`, are in its `metadata`. */
export interface ErrorEnvelope {
  message?: string;
  code?: Problem["code"];
  metadata?: Partial<Problem>;
}

/** Returns an error in OpenAI's format as a problem. */
export const toProblem = ({ message, ...error }: ErrorEnvelope): Partial<Problem> => ({
  ...error.metadata,
  ...error,
  detail: message,
});

/** Resolves after a time, or rejects with the signal's reason when it aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
