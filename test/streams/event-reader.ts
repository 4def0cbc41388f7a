import type { Host } from "../api/hosts";

/** The members of a generation, a log line or an envelope that the tests read. */
interface StreamedData {
  id: string;
  status: string;
  progress: number | null;
  completed_at: string | null;
  outputs: unknown[];
  stored_outputs?: unknown[];
  preview?: { url: string };
  /** The text of a log line. */
  line: string;
  /** The name of an envelope's event. */
  event: string;
  /** The generation of an envelope. */
  data: StreamedData;
}

export interface StreamedEvent {
  id: string;
  event: string;
  data: StreamedData;
}

interface Options {
  key: string;
  lastEventId?: string;
  signal?: AbortSignal;
  /** Called with each event as it arrives. */
  onEvent?: (event: StreamedEvent) => void;
}

/** Opens a stream and returns its status, what has arrived, and a promise of its end. */
export async function openStream(
  { url }: Pick<Host, "url">,
  path: string,
  { key, lastEventId, signal, onEvent }: Options,
) {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
    signal,
  });
  const events: StreamedEvent[] = [];
  const stream = { status: response.status, headers: response.headers, events, lastId: lastEventId ?? "", text: "" };
  const readBlock = (block: string) => {
    const fields = new Map(
      block.split("\n").map((line) => [line.split(": ", 1)[0]!, line.slice(line.indexOf(": ") + 2)]),
    );
    stream.lastId = fields.get("id") ?? stream.lastId;
    if (!fields.has("data")) return;
    const event = {
      id: stream.lastId,
      event: fields.get("event")!,
      data: JSON.parse(fields.get("data")!) as StreamedData,
    };
    events.push(event);
    onEvent?.(event);
  };
  const ended = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk, { stream: true });
      stream.text += text;
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) readBlock(block);
    }
  })();
  return Object.assign(stream, {
    ended: ended.then(
      () => "ended",
      (error: Error) => error.name,
    ),
  });
}
