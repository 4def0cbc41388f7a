import { asObject, isObject } from "../../lib/is-object";
import type { ChatChunk } from "../../providers/chat-call";
import type { AnsweredChat } from "../dialects";
import { reasoningOf, textOf, toToolId } from "./answer";
import type { MessagesEvent } from "./events";
import { OWN_SIGNATURE } from "./thinking";
import type { ToolNames } from "./tool-names";
import type { Json } from "./translation";

/** Translates the chunks of a chat to the blocks of a message, one after the other. */
interface ChunkTranslator {
  add(chunk: ChatChunk): MessagesEvent[];
  /** Returns the events of everything that had to wait. */
  end(): MessagesEvent[];
  hasTools(): boolean;
}

type Kind = "thinking" | "text" | "tool_use";

/** A tool call, whose pieces may arrive between those of other calls. */
interface Call {
  id: string;
  name: string;
  /** The input that was not sent yet. */
  waiting: string;
}

/** The same limit as in a transcript; no well-behaved server sends this many. */
const MAX_CALLS = 128;

/**
 * Creates the translator of one stream. A block ends before the next one starts: of several calls whose pieces alternate, the
 * first is sent as it comes, while the others and later text wait for the end, and later thinking is dropped.
 */
export function createChunkTranslator(chat: AnsweredChat, toolNames: ToolNames): ChunkTranslator {
  const calls = new Map<number, Call>();
  let index = -1;
  let open: Kind | null = null;
  let openCall: Call | null = null;
  let waitingText = "";

  const delta = (change: Json): MessagesEvent => ({ type: "content_block_delta", index, delta: change });
  const close = (): MessagesEvent[] => {
    if (open === null) return [];
    const signature = { type: "signature_delta", signature: OWN_SIGNATURE };
    const events = open === "thinking" ? [delta(signature)] : [];
    open = openCall = null;
    return [...events, { type: "content_block_stop", index }];
  };
  const start = (kind: Kind, block: Json): MessagesEvent[] => {
    const events = close();
    open = kind;
    index += 1;
    return [...events, { type: "content_block_start", index, content_block: { type: kind, ...block } }];
  };
  const addThinking = (thinking: string): MessagesEvent[] => [
    ...(open === "thinking" ? [] : start("thinking", { thinking: "", signature: "" })),
    delta({ type: "thinking_delta", thinking }),
  ];
  const addText = (text: string): MessagesEvent[] => [
    ...(open === "text" ? [] : start("text", { text: "" })),
    delta({ type: "text_delta", text }),
  ];
  const startCall = (call: Call): MessagesEvent[] => {
    const events = start("tool_use", { id: call.id, name: toolNames.restore(call.name), input: {} });
    openCall = call;
    return events;
  };
  const sendInput = (call: Call): MessagesEvent[] => {
    const partial_json = call.waiting;
    call.waiting = "";
    return partial_json === "" ? [] : [delta({ type: "input_json_delta", partial_json })];
  };
  const addCall = (piece: Json): MessagesEvent[] => {
    const key = Number.isSafeInteger(piece.index) ? Number(piece.index) : 0;
    const known = calls.get(key);
    if (!known && calls.size === MAX_CALLS) return [];
    const call = known ?? { id: toToolId(piece, chat, key), name: "", waiting: "" };
    calls.set(key, call);
    const { name, arguments: text } = asObject(piece.function);
    // Once the block has started, its name has been sent.
    if (openCall !== call) call.name += textOf(name);
    call.waiting += textOf(text);
    const isFirst = calls.size === 1 && openCall === null && call.name !== "";
    const events = isFirst ? startCall(call) : [];
    return openCall === call ? [...events, ...sendInput(call)] : events;
  };

  return {
    add({ choices }) {
      const message = choices.find((choice) => choice.index === 0)?.delta ?? {};
      const [thinking, text] = [reasoningOf(message), textOf(message.content) + textOf(message.refusal)];
      const pieces = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
      const events: MessagesEvent[] = [];
      // After the first call only calls are sent, because it cannot be known when its input is complete.
      if (calls.size > 0) waitingText += text;
      else {
        if (thinking !== "") events.push(...addThinking(thinking));
        if (text !== "") events.push(...addText(text));
      }
      return [...events, ...pieces.flatMap(addCall)];
    },
    end() {
      const events: MessagesEvent[] = [];
      const finished = openCall;
      events.push(...close());
      for (const call of calls.values())
        if (call !== finished) events.push(...startCall(call), ...sendInput(call), ...close());
      if (waitingText !== "") events.push(...addText(waitingText), ...close());
      return events;
    },
    hasTools: () => calls.size > 0,
  };
}
