interface Choice {
  index?: number;
  message?: { content?: unknown };
  delta?: { content?: unknown };
  finish_reason?: string | null;
}

interface Chat extends Record<string, unknown> {
  choices?: Choice[];
}

/** Returns the answer of a chat as the completion of a prompt, both as JSON text. */
export const toCompletion = (text: string): string => JSON.stringify(translate(JSON.parse(text) as Chat));

function translate({ choices = [], ...chat }: Chat): Record<string, unknown> {
  return { ...chat, object: "text_completion", choices: choices.map(translateChoice) };
}

const translateChoice = ({ index = 0, message, delta, finish_reason = null }: Choice) => ({
  text: toText((message ?? delta)?.content),
  index,
  logprobs: null,
  finish_reason,
});

const toText = (content: unknown) => (typeof content === "string" ? content : "");

const END = "\n\n";
const DATA = /^data: (\{.*\})$/m;

/** Returns the events of a streamed chat as those of a completion; events without a chunk stay unchanged. */
export function toCompletionStream(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(END);
      rest = parts.pop()!;
      const text = parts.map((event) => translateEvent(event)).join("");
      if (text !== "") controller.enqueue(encoder.encode(text));
    },
    flush(controller) {
      if (rest !== "") controller.enqueue(encoder.encode(rest));
    },
  });
  return events.pipeThrough(transform);
}

function translateEvent(event: string): string {
  const json = event.startsWith("event: error") ? undefined : DATA.exec(event)?.[1];
  if (json === undefined) return event + END;
  const chunk = JSON.parse(json) as Chat;
  // The first chunk of a chat only names the role.
  const isEmpty = chunk.choices?.every(({ delta, finish_reason }) => !delta?.content && !finish_reason) && !chunk.usage;
  return isEmpty ? "" : `data: ${JSON.stringify(translate(chunk))}${END}`;
}
