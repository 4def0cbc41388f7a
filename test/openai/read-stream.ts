export interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: { role?: string; content?: string }; finish_reason: string | null }[];
  usage?: Record<string, unknown> | null;
  error?: { message: string; code: string; type: string };
}

export interface StreamReader {
  response: Response;
  /** Returns the next event without its field name; null at the end. */
  next(): Promise<string | null>;
  /** Returns the next event's JSON. */
  nextChunk(): Promise<Chunk>;
  /** Returns all further events. */
  rest(): Promise<string[]>;
  /** Returns the error of a response that is not a stream. */
  error(): Promise<Record<string, unknown>>;
  leave(): void;
}

interface Options {
  url: string;
  /** OpenAI's chats by default. */
  path?: string;
  key: string;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Sends a streamed chat and returns the response with a reader of its events. */
export async function openStream({
  url,
  path = "/v1/chat/completions",
  key,
  body,
  headers,
}: Options): Promise<StreamReader> {
  const client = new AbortController();
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "talk", stream: true, ...body }),
    signal: client.signal,
  });
  const isStream = response.headers.get("content-type")!.startsWith("text/event-stream");
  const reader = isStream ? response.body!.getReader() : null;
  const decoder = new TextDecoder();
  let buffered = "";
  const next = async (): Promise<string | null> => {
    for (;;) {
      const end = buffered.indexOf("\n\n");
      if (end !== -1) {
        const event = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        return event.replace(/^data: /, "");
      }
      const { done, value } = await reader!.read();
      if (done) return null;
      buffered += decoder.decode(value, { stream: true });
    }
  };
  return {
    response,
    next,
    nextChunk: async () => JSON.parse((await next())!) as Chunk,
    async rest() {
      const events: string[] = [];
      for (let event = await next(); event !== null; event = await next()) events.push(event);
      return events;
    },
    error: async () => ((await response.json()) as { error: Record<string, unknown> }).error,
    leave: () => client.abort(),
  };
}

/** Returns the chunks among events, without comments and the end. */
export const parseChunks = (events: string[]): Chunk[] =>
  events.filter((event) => event.startsWith("{")).map((event) => JSON.parse(event) as Chunk);

export const joinText = (chunks: Chunk[]): string =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? "")).join("");
