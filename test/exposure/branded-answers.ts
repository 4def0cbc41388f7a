import { completionFor } from "../chat/completion";
import { respondWith, type Responder } from "../chat/upstream";
import { textChunk, usageOf } from "../openai/stream-upstream";

/** Members that servers add to answers, and headers. */
const brand = { provider: "canary", model: "canary-model-2026", x_canary: { canary: true } };
const headers = { "x-canary": "canary", "openai-organization": "canary" };
const costs = { cost_details: { upstream_inference_cost: 0.000321 }, is_canary: true };
const choice = { native_finish_reason: "canary" };

const message = { type: "message", role: "assistant", content: [{ type: "text", text: "hello" }] };
const anthropicMessage = {
  ...message,
  ...brand,
  id: "msg_canary",
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4, ...costs },
};
const response = {
  ...brand,
  id: "resp_canary",
  object: "response",
  status: "completed",
  output: [{ id: "msg_canary", ...message, status: "completed", content: [{ type: "output_text", text: "hello" }] }],
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7, ...costs },
};

type StreamedEvent = { type?: string } & Record<string, unknown>;

const sendEvents: (events: StreamedEvent[]) => Responder = (events) => (reply) => {
  reply.writeHead(200, { "content-type": "text/event-stream", ...headers });
  const lines = events.map(
    (event) => `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
  );
  reply.end(`${lines.join("")}${events[0]!.type ? "" : "data: [DONE]\n\n"}`);
};

const chunk = (content: string, finish: string | null) => {
  const { choices, ...rest } = textChunk(content, finish);
  return { ...rest, ...brand, choices: choices.map((one) => ({ ...one, ...choice })) };
};

const streams = {
  messages: sendEvents([
    { type: "message_start", message: { ...anthropicMessage, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: anthropicMessage.usage },
    { type: "message_stop" },
  ]),
  responses: sendEvents([
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.completed", response },
  ]),
  chat: sendEvents([
    chunk("hello", null),
    chunk("", "stop"),
    { ...chunk("", null), choices: [], usage: { ...usageOf(3, 4), ...costs } },
  ]),
};

/** Answers a chat, a message or a response, streamed or not, with members and headers that name the provider. */
export const brandedAnswer: Responder = (reply, request) => {
  const dialect = /\/(messages|responses)$/.exec(request.path)?.[1] as "messages" | "responses" | undefined;
  if (request.body.stream === true) return streams[dialect ?? "chat"](reply, request);
  if (dialect) return respondWith(200, dialect === "messages" ? anthropicMessage : response, headers)(reply, request);
  const { choices, usage, ...rest } = completionFor(request.body);
  const details = { prompt_tokens_details: { cached_tokens: 1, canary: 1 } };
  const known = { choices: choices.map((one) => ({ ...one, ...choice })), usage: { ...usage, ...costs, ...details } };
  respondWith(200, { ...rest, ...brand, ...known }, headers)(reply, request);
};
