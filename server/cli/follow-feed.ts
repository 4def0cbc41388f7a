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
  /** Address of the hub. */
  hub: string;
  key: string;
  say: (line: string) => void;
  signal?: AbortSignal;
}

const PAUSE_MS = 1_000;

/** The account's events from now on, by the hub's public API. OperatorError when the hub refuses for good. */
export async function* followFeed(source: Source): AsyncGenerator<Envelope> {
  let after = (await ask(source, "?after=latest")).next_after;
  for (;;) {
    const feed = await ask(source, after === null ? "" : `?after=${after}`);
    yield* feed.data;
    after = feed.next_after;
    if (!feed.has_more) await sleep(PAUSE_MS, undefined, { signal: source.signal });
  }
}

/** One page; waits for a hub that is away or wants to be asked later. */
async function ask({ hub, key, say, signal }: Source, query: string): Promise<Feed> {
  for (let silent = false; ; silent = true) {
    const response = await fetch(`${hub}/api/v1/hub/events${query}`, {
      headers: { authorization: `Bearer ${key}` },
      signal,
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (!silent) say(`${hub} cannot be reached (${reason(error)}); trying again.`);
      return null;
    });
    if (response?.ok) return (await response.json()) as Feed;
    if (response && response.status !== 429 && response.status < 500) throw await refusal(response, hub);
    await sleep(Number(response?.headers.get("retry-after") ?? 1) * 1_000, undefined, { signal });
  }
}

async function refusal(response: Response, hub: string): Promise<OperatorError> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return new OperatorError(`${hub} answers ${response.status}: ${detail ?? "is it a Generation Hub?"}`);
}

const reason = (error: unknown) => {
  const { cause, message } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? message;
};
