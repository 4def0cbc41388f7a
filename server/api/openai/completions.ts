import { z } from "@hono/zod-openapi";
import type { ChatBody } from "../../domain/chat";
import { invalidInput } from "../../errors";
import type { JsonCodec, JsonText } from "../../lib/json/codec";
import type { HandlerArgs, Operation } from "../operation";
import { OpenAiCompletion, OpenAiCompletionRequest } from "../schemas/openai";
import { chatOperation } from "./chat";
import { scopeKey } from "./route";
import { chatHeaders, ModelId } from "./shared";

/** OpenAI's default for this path. */
const DEFAULT_MAX_TOKENS = 16;

/** Parameters that a chat does not support, with the values that do not use them. */
const unsupported: Record<string, unknown[]> = {
  suffix: [null, ""],
  echo: [null, false],
  best_of: [null, 1],
  logprobs: [null, false],
  messages: [null],
};

export const completionOperation: Operation = {
  ...chatOperation,
  name: "createOpenAiCompletion",
  path: "/v1/completions",
  summary: "Create a completion",
  description:
    "Completes one prompt as a chat with one user message, for programs that use OpenAI's older path. Supports streaming.",
  body: z.looseObject({ model: ModelId, prompt: z.unknown() }),
  publishedBody: OpenAiCompletionRequest,
  responses: { 200: { description: "The completion", schema: OpenAiCompletion, headers: chatHeaders } },
  async handler(args) {
    const idempotency = scopeKey(args.idempotency, "completions");
    const result = await chatOperation.handler({ ...args, idempotency, body: toChat((args as Args).body) });
    if ("text" in result) return { ...result, text: await toCompletion(args.hub.json, result.text) };
    if ("content" in result)
      return { ...result, content: toCompletionStream(result.content as ReadableStream<Uint8Array>) };
    return result;
  },
};

type Args = HandlerArgs<"key", undefined, Record<string, unknown> & { model: string }>;

/** Returns the chat for a completion. Throws 400 for parameters that a chat does not support. */
function toChat({ prompt, max_tokens, ...body }: Args["body"]): ChatBody {
  for (const [name, values] of Object.entries(unsupported)) {
    const value = body[name] ?? null;
    if (!values.includes(value)) throw invalidInput(name, "is not supported: the hub runs completions as chats");
  }
  const rest = Object.entries(body).filter(([name]) => !Object.hasOwn(unsupported, name));
  return {
    ...(Object.fromEntries(rest) as ChatBody),
    max_tokens: max_tokens ?? DEFAULT_MAX_TOKENS,
    messages: [{ role: "user", content: readPrompt(prompt) }],
  };
}

function readPrompt(prompt: unknown): string {
  const texts: unknown[] = [prompt].flat();
  const [text] = texts;
  if (typeof text === "string" && text !== "" && texts.length === 1) return text;
  if (texts.length > 1 && texts.every((one) => typeof one === "string"))
    throw invalidInput("prompt", "must be one text: send a request for each");
  throw invalidInput("prompt", "must be a text, or a list of one; tokens are not supported");
}

interface Choice {
  index?: number;
  message?: { content?: unknown };
  delta?: { content?: unknown };
  finish_reason?: string | null;
}

interface Chat extends Record<string, unknown> {
  choices?: Choice[];
}

/** Returns the answer of a chat as the completion of a prompt. */
const toCompletion = async (json: JsonCodec, text: JsonText): Promise<JsonText> =>
  json.stringify(translate((await json.parseText(text)) as Chat), { isLarge: typeof text !== "string" });

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
// Only \n ends a line: JSON may contain U+2028 and U+2029, which `.` and `$` take for line ends.
const DATA = /(?:^|\n)data: (\{[^\n]*\})(?:\n|$)/;

/** Returns the events of a streamed chat as those of a completion; events without a chunk stay unchanged. */
function toCompletionStream(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
