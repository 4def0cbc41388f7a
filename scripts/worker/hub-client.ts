import { setTimeout as sleep } from "node:timers/promises";

export interface Job {
  lease: { id: string; fence: number; expires_at: string };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/** The hub has given a final answer that is no success. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Ask {
  method?: string;
  body: unknown;
  type?: string;
  /** Tried again until then; for ever by default. */
  until?: () => boolean;
  signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const PATIENCE_MS = 60_000;

/** Asks the hub, and again with growing pauses while it is away: it may be restarting. Rejects with Refused. */
export function createHubClient(url: string, token: string, say: (line: string) => void) {
  async function once(path: string, { method = "POST", body, type = "application/json", signal }: Ask) {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${url}/api/v1/worker/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body: body instanceof Blob ? body : JSON.stringify(body),
      signal: body instanceof Blob ? signal : AbortSignal.any(signal ? [signal, limit] : [limit]),
    });
    const text = await response.text();
    const answer = text === "" ? null : (JSON.parse(text) as { detail?: string });
    if (response.ok) return answer;
    if (response.status === 429 || response.status >= 500) throw new Error(`the hub answered ${response.status}`);
    throw new Refused(response.status, answer?.detail ?? response.statusText);
  }

  return async function ask<T>(path: string, request: Ask): Promise<T | null> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return (await once(path, request)) as T | null;
      } catch (error) {
        if (error instanceof Refused || request.signal?.aborted || request.until?.() === false) throw error;
        say(`${(error as Error).message}; trying again`);
        // Not all workers in the same moment.
        await sleep(pause * (0.5 + Math.random()), undefined, { signal: request.signal });
      }
    }
  };
}

export type HubClient = ReturnType<typeof createHubClient>;
