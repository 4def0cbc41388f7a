import { type SentValue, transformer } from "@/server/trpc/transformer";
import { CallError, readCallError } from "./send-calls";
import { readText } from "./use-event-stream";

interface StreamedError {
  error?: { message: string; data: CallError["data"] };
}

/**
 * Calls a procedure that answers with server-sent events of JSON, and yields the events that arrive together. Throws a
 * `CallError`, also for one that the hub sends in the stream and for a stream that breaks; and the signal's reason.
 */
export async function* streamCall<Event>(path: string, input: unknown, signal: AbortSignal): AsyncGenerator<Event[]> {
  let rest = "";
  try {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const body = JSON.stringify(transformer.serialize(input));
    const response = await fetch(`/api/trpc/${path}`, { method: "POST", headers, body, signal });
    if (!response.ok) throw readCallError((await response.json()) as { error: SentValue });
    for await (const text of readText(response)) {
      const events = (rest + text).split("\n\n");
      rest = events.pop()!;
      const parsed = events.flatMap(parseEvent<Event & StreamedError>);
      const failed = parsed.find(({ error }) => error)?.error;
      if (failed) throw new CallError(failed.message, failed.data);
      yield parsed;
    }
  } catch (error) {
    if (signal.aborted || error instanceof CallError) throw error;
    throw new CallError((error as Error).message, null, { cause: error });
  }
}

/** Returns the data of an event; nothing for a comment, and for the mark of the end. */
function parseEvent<Event>(text: string): Event[] {
  // A line ends with \n alone: JSON may have U+2028 and U+2029, which `.` and `$` take for line ends.
  const data = /(?:^|\n)data: ([^\n]*)/.exec(text)?.[1];
  return data === undefined || data === "[DONE]" ? [] : [JSON.parse(data) as Event];
}
