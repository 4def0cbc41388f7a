import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../server/lib/with-timeout";

export interface Job {
  lease: { id: string; fence: number; expires_at: string };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/** The hub rejected the request, and would reject it again. */
export class RejectedError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface HubRequest {
  method?: string;
  body: unknown;
  mediaType?: string;
  /** The request is retried while this returns true; always by default. */
  shouldRetry?: () => boolean;
  signal?: AbortSignal;
}

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Creates a function that sends requests to the hub, and retries them while it is down. Rejects with RejectedError. */
export function createHubClient(url: string, token: string, log: (line: string) => void) {
  async function sendOnce(path: string, request: HubRequest) {
    const { method = "POST", body, mediaType = "application/json", signal } = request;
    const exchange = async (limit?: AbortSignal) => {
      const response = await fetch(`${url}/api/v1/worker/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": mediaType },
        body: body instanceof Blob ? body : JSON.stringify(body),
        signal: limit,
      });
      return { response, text: await response.text() };
    };
    // A large output has no time limit.
    const isFile = body instanceof Blob;
    const { response, text } = await (isFile ? exchange(signal) : withTimeout(REQUEST_TIMEOUT_MS, signal, exchange));
    const result = text === "" ? null : (JSON.parse(text) as { detail?: string });
    if (response.ok) return result;
    if (response.status === 429 || response.status >= 500) throw new Error(`The hub responded with ${response.status}`);
    throw new RejectedError(response.status, result?.detail ?? response.statusText);
  }

  return async function sendRequest<T>(path: string, request: HubRequest): Promise<T | null> {
    for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return (await sendOnce(path, request)) as T | null;
      } catch (error) {
        if (error instanceof RejectedError || request.signal?.aborted || request.shouldRetry?.() === false) throw error;
        log(`${(error as Error).message}; retrying`);
        // The delay is random, so that workers do not all return at the same moment.
        await sleep(delayMs * (0.5 + Math.random()), undefined, { signal: request.signal });
      }
    }
  };
}

export type HubClient = ReturnType<typeof createHubClient>;
