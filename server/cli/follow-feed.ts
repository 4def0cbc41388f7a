import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../lib/operator-error";

export interface Envelope {
  id: string;
  event: string;
  data: { id: string; status: string };
}

interface Source {
  /** URL of the hub. */
  hub: string;
  key: string;
  print: (line: string) => void;
  signal?: AbortSignal;
}

const RETRY_INTERVAL_MS = 1_000;
/** The hub sends a comment every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

/** Yields new events of the account from its public stream. Throws OperatorError if the hub rejects the request. */
export async function* followFeed(source: Source): AsyncGenerator<Envelope> {
  let lastId: string | undefined;
  for (let isReported = false; ; await sleep(RETRY_INTERVAL_MS, undefined, { signal: source.signal })) {
    const silence = new AbortController();
    const signal = AbortSignal.any([silence.signal, ...(source.signal ? [source.signal] : [])]);
    const timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
    try {
      for await (const { id, event, data } of readEvents(await openStream(source, lastId, signal))) {
        timer.refresh();
        isReported = false;
        lastId = id ?? lastId;
        if (event === "webhook") yield JSON.parse(data) as Envelope;
      }
    } catch (error) {
      source.signal?.throwIfAborted();
      if (error instanceof OperatorError) throw error;
      if (!isReported && !silence.signal.aborted)
        source.print(`${source.hub} is unreachable (${describeError(error)}); retrying.`);
      isReported = true;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Opens the stream; retries while the hub is overloaded or rate limiting. */
async function openStream({ hub, key }: Source, lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  for (;;) {
    const response = await fetch(`${hub}/api/v1/hub/events/stream`, {
      headers: { authorization: `Bearer ${key}`, ...(lastId !== undefined && { "last-event-id": lastId }) },
      signal,
    });
    if (response.ok) return response;
    if (response.status !== 429 && response.status < 500) throw await toOperatorError(response, hub);
    await response.body?.cancel();
    await sleep(Number(response.headers.get("retry-after") ?? 1) * 1_000, undefined, { signal });
  }
}

interface ServerSentEvent {
  id?: string;
  event?: string;
  data: string;
}

/** Yields the blocks of a stream of server-sent events, also those that have only an id or a comment. */
async function* readEvents({ body }: Response): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) yield { data: "", ...Object.fromEntries(block.split("\n").map(readField)) };
  }
}

const readField = (line: string): [string, string] => {
  const end = line.indexOf(": ");
  return [line.slice(0, end), line.slice(end + 2)];
};

async function toOperatorError(response: Response, hub: string): Promise<OperatorError> {
  const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
  return new OperatorError(`${hub} returned ${response.status}: ${detail ?? "is it a Generation Hub?"}`);
}

const describeError = (error: unknown) => {
  const { cause, message } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? message;
};
