import { withDecimals } from "./decimals.js";
import { ConnectionError, createApiError } from "./errors.js";
import { type ErrorEnvelope, toProblem } from "./http.js";
import type { ChatChunk } from "./types.js";

/** The hub sends a comment every 15 seconds, so a connection that is silent for longer is lost. */
const MAX_SILENCE_MS = 60_000;
const END = "[DONE]";

interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Yields the chunks of a streamed chat. Throws ApiError for an error that the hub sends after the first chunk, and
 * ConnectionError if the stream ends early. Ending the iteration early closes the connection, so that the hub stops the
 * model and charges for what it has sent.
 */
export async function* readChatStream(
  response: Response,
  signal?: AbortSignal,
): AsyncGenerator<ChatChunk, void, undefined> {
  for await (const { name, data } of readEvents(response, signal)) {
    if (name === "error") throw toApiError(response, data);
    if (data === END) return;
    yield withDecimals(JSON.parse(data)) as ChatChunk;
  }
  throw new ConnectionError("The stream ended before the chat did");
}

async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await readInTime(reader, signal);
      if (done) return;
      // Only a line break ends a line here: a JSON text may contain any other separator.
      const events = (text + value).split(/\r?\n\r?\n/);
      text = events.pop()!;
      for (const event of events) {
        const parsed = parseEvent(event);
        if (parsed) yield parsed;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads the next text. Rejects with the signal's reason, or with ConnectionError when the connection is lost or silent. */
async function readInTime<T>(
  reader: ReadableStreamDefaultReader<T>,
  signal?: AbortSignal,
): Promise<ReadableStreamReadResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${MAX_SILENCE_MS} ms`)), MAX_SILENCE_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError(`The stream broke off: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Parses an event; null for a comment. */
function parseEvent(text: string): StreamEvent | null {
  const fields = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const valuesOf = (wanted: string) => fields.flatMap((field) => (field?.[1] === wanted ? [field[2]!] : []));
  const data = valuesOf("data").join("\n");
  return data === "" ? null : { name: valuesOf("event").at(-1) ?? "message", data };
}

function toApiError({ status, headers }: Response, text: string) {
  const { error } = withDecimals(JSON.parse(text)) as { error: ErrorEnvelope };
  return createApiError({ status, problem: toProblem(error), headers, body: text });
}
