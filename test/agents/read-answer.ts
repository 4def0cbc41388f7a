import { expect } from "vitest";

/** What an agent reads from the stream of one response. */
export interface Answer {
  text: string;
  calls: { id: string; name: string; input: string }[];
}

interface Event {
  event: string | null;
  data: Record<string, never>;
}

/** Reads a stream in the dialect of its path as the agents do, and fails where one of them would. */
export function readAnswer(path: string, stream: string): Answer {
  const events = stream.split("\n\n").flatMap((block) => parseEvent(block) ?? []);
  if (path.startsWith("/v1/messages")) return readMessage(events);
  return path.startsWith("/v1/responses") ? readResponse(events) : readChat(events);
}

/** Returns an event; null for a comment, the end of OpenAI's streams and the rest of the text. */
function parseEvent(block: string): Event | null {
  const event = /^event: (.*)$/m.exec(block)?.[1] ?? null;
  const data = /^data: (\{.*)$/m.exec(block)?.[1];
  return data === undefined ? null : { event, data: JSON.parse(data) as Event["data"] };
}

interface Block {
  type: string;
  text?: string;
  id: string;
  name: string;
  input: object;
}

interface MessageData {
  type: string;
  index: number;
  message: { id: string; content: unknown[]; usage: { input_tokens: number } };
  content_block: Block;
  delta: { type: string; text?: string; partial_json?: string; stop_reason?: string };
  usage: { output_tokens: number };
}

const DELTAS: Record<string, string[]> = {
  text: ["text_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
};

/** What has been read of a message. */
interface MessageState {
  answer: Answer;
  open: Block | null;
  blocks: number;
  reason?: string;
}

/** Claude Code discards a stream with a delta that does not fit its block, and one whose blocks overlap. */
const messageReaders: Record<string, (state: MessageState, data: MessageData) => void> = {
  message_start(_state, { message }) {
    expect(message).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: expect.any(Number) as number },
    });
  },
  content_block_start(state, { index, content_block: block }) {
    expect([state.open, index]).toEqual([null, state.blocks]);
    state.open = block;
    if (block.type === "tool_use") state.answer.calls.push({ id: block.id, name: block.name, input: "" });
  },
  content_block_delta({ answer, open }, { delta }) {
    expect(DELTAS[open!.type]).toContain(delta.type);
    answer.text += delta.text ?? "";
    if (open!.type === "tool_use") answer.calls.at(-1)!.input += delta.partial_json ?? "";
  },
  content_block_stop(state, { index }) {
    expect([state.open === null, index]).toEqual([false, state.blocks]);
    state.open = null;
    state.blocks += 1;
  },
  message_delta(state, { delta, usage }) {
    expect([state.open, usage.output_tokens > 0]).toEqual([null, true]);
    state.reason = delta.stop_reason;
  },
};

function readMessage(events: Event[]): Answer {
  const state: MessageState = { answer: { text: "", calls: [] }, open: null, blocks: 0 };
  expect([events[0]?.event, events.at(-1)?.event]).toEqual(["message_start", "message_stop"]);
  for (const { event, data } of events) {
    const message = data as unknown as MessageData;
    expect(message.type).toBe(event);
    messageReaders[message.type]?.(state, message);
  }
  expect(state.reason).toBe(state.answer.calls.length > 0 ? "tool_use" : "end_turn");
  return state.answer;
}

interface Item {
  id: string;
  type: string;
  call_id: string;
  namespace?: string;
  name: string;
  arguments?: string;
  input?: string;
  content?: { text: string }[];
}

interface ResponseData {
  type: string;
  sequence_number: number;
  item: Item;
  delta: string;
  response: { status: string; output: Item[]; usage: { output_tokens: number } };
}

/** Codex reads only whole items, and needs a last event; the SDKs read the deltas. */
function readResponse(events: Event[]): Answer {
  const all = events.map(({ event, data }) => {
    expect((data as unknown as ResponseData).type).toBe(event);
    return data as unknown as ResponseData;
  });
  expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, index) => index));
  expect([all[0]!.type, all.at(-1)!.type]).toEqual(["response.created", "response.completed"]);
  const items = all.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  const { status, output, usage } = all.at(-1)!.response;
  expect([status, output, usage.output_tokens > 0]).toEqual(["completed", items, true]);
  const deltas = (pattern: RegExp) => all.filter(({ type }) => pattern.test(type)).map(({ delta }) => delta).join(""); // prettier-ignore
  const text = items.flatMap(({ content }) => content?.map((part) => part.text) ?? []).join("");
  const calls = items.filter(({ type }) => /^(function|custom_tool)_call$/.test(type));
  const inputs = calls.map((call) => call.arguments ?? call.input!);
  expect([deltas(/output_text\.delta$/), deltas(/(arguments|input)\.delta$/)]).toEqual([text, inputs.join("")]);
  return { text, calls: calls.map(({ call_id, name }, index) => ({ id: call_id, name, input: inputs[index]! })) };
}

interface ChatData {
  choices: {
    delta: { content?: string | null; tool_calls?: { id?: string; function: { name?: string; arguments: string } }[] };
    finish_reason: string | null;
  }[];
}

function readChat(events: Event[]): Answer {
  const choices = events.flatMap(({ data }) => (data as unknown as ChatData).choices);
  const text = choices.map(({ delta }) => delta.content ?? "").join("");
  const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
  const input = pieces.map((piece) => piece.function.arguments).join("");
  const named = pieces.filter(({ id }) => id !== undefined);
  expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual([
    named.length > 0 ? "tool_calls" : "stop",
  ]);
  return { text, calls: named.map((piece) => ({ id: piece.id!, name: piece.function.name!, input })) };
}
