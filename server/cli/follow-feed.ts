import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../lib/operator-error";

export interface Envelope {
  id: string;
  event: string;
  data: { id: string; status: string };
}

interface Feed {
  data: Envelope[];
  next_after: string | null;
  has_more: boolean;
}

interface Source {
  /** URL of the hub. */
  hub: string;
  key: string;
  print: (line: string) => void;
  signal?: AbortSignal;
}

const POLL_INTERVAL_MS = 1_000;

/** Yields new events of the account from the hub's public API. Throws OperatorError if the hub rejects the request. */
export async function* followFeed(source: Source): AsyncGenerator<Envelope> {
  let after = (await fetchPage(source, "?after=latest")).next_after;
  for (;;) {
    const feed = await fetchPage(source, after === null ? "" : `?after=${after}`);
    yield* feed.data;
    after = feed.next_after;
    if (!feed.has_more) await sleep(POLL_INTERVAL_MS, undefined, { signal: source.signal });
  }
}

/** Fetches one page; retries while the hub is unreachable, overloaded or rate limiting. */
async function fetchPage({ hub, key, print, signal }: Source, query: string): Promise<Feed> {
  for (let isReported = false; ; isReported = true) {
    const response = await fetch(`${hub}/api/v1/hub/events${query}`, {
      headers: { authorization: `Bearer ${key}` },
      signal,
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (!isReported) print(`${hub} is unreachable (${describeError(error)}); retrying.`);
      return null;
    });
    if (response?.ok) return (await response.json()) as Feed;
    if (response && response.status !== 429 && response.status < 500) throw await toOperatorError(response, hub);
    await sleep(Number(response?.headers.get("retry-after") ?? 1) * 1_000, undefined, { signal });
  }
}

async function toOperatorError(response: Response, hub: string): Promise<OperatorError> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return new OperatorError(`${hub} returned ${response.status}: ${detail ?? "is it a Generation Hub?"}`);
}

const describeError = (error: unknown) => {
  const { cause, message } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? message;
};
