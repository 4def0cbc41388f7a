import { asObject, isObject } from "../../lib/is-object";
import { type ChatChunk, NATIVE, type NativeEvent } from "../../providers/chat-call";
import type { AppError } from "../../errors";
import type { BilledUsage, ChunkSender, EventStream, StreamedAnswer } from "../dialects";
import { type ClientNames, describeStop, emptyMessage, stopSequenceOf, toMessageId } from "./answer";
import { formatEvents, type MessagesEvent } from "./events";
import { mergeEnding } from "./native-transcript";
import { createChunkTranslator } from "./translate-chunks";
import type { Json } from "./translation";
import { addCost, toMessagesUsage } from "./usage";

interface Options extends ClientNames {
  chat: StreamedAnswer;
  stream: EventStream;
  describeError: (error: AppError) => object;
  /** Called when the first chunk shows that the route did not speak Messages. */
  onTranslate: () => void;
}

/** How the events of one stream are made: from those of the provider, or from the chunks of a chat. */
interface EventSource {
  add(chunk: ChatChunk): MessagesEvent[] | Promise<MessagesEvent[]>;
  end(finishReason: string, usage: BilledUsage): MessagesEvent[];
}

/** Creates the sender of one stream. The event with the stop reason is held back until the cost is known. */
export function createSender(options: Options): ChunkSender {
  const { stream, describeError, onTranslate } = options;
  let source: EventSource | null = null;
  const translate = () => {
    onTranslate();
    return createTranslatedSource(options);
  };
  return {
    async send(chunk, signal) {
      source ??= chunk[NATIVE] ? createNativeSource(options) : translate();
      for (const event of await source.add(chunk)) await stream.send(event, signal, event.type);
    },
    finish(finishReason, usage) {
      source ??= translate();
      stream.end(formatEvents(source.end(finishReason, usage)));
    },
    fail: (error) => stream.end(formatEvents([{ ...describeError(error), type: "error" }])),
  };
}

/** The usage with which Anthropic starts a stream, beside the prompt. */
const NOTHING_YET = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };

function createTranslatedSource({ chat, toolNames, stops }: Options): EventSource {
  const translator = createChunkTranslator(chat, toolNames);
  let hasStarted = false;
  let stopSequence: string | null = null;
  const startWith = (usage: Json): MessagesEvent[] => {
    if (hasStarted) return [];
    hasStarted = true;
    return [{ type: "message_start", message: { ...emptyMessage(chat), usage } }, { type: "ping" }];
  };
  return {
    async add(chunk) {
      // Clients take the size of the prompt from the first event, to show it and to decide when to compact.
      const usage = hasStarted ? {} : { input_tokens: await chat.countPrompt(), ...NOTHING_YET };
      stopSequence ??= stopSequenceOf(chunk.choices[0], stops);
      return [...startWith(usage), ...translator.add(chunk)];
    },
    end(finishReason, billed) {
      const usage = toMessagesUsage(billed);
      const delta = describeStop(finishReason, translator.hasTools(), stopSequence);
      return [
        ...startWith({ ...usage, output_tokens: 1 }),
        ...translator.end(),
        { type: "message_delta", delta, usage },
        { type: "message_stop" },
      ];
    },
  };
}

function createNativeSource({ chat }: Options): EventSource {
  let ending: Json = {};
  let openIndex: unknown = null;
  let hasTools = false;
  const forward = ({ type, data }: NativeEvent): MessagesEvent[] => {
    const event: MessagesEvent = { ...data, type };
    if (type === "message_start" && isObject(data.message))
      return [{ ...event, message: { ...data.message, id: toMessageId(chat), model: chat.model } }];
    if (type === "content_block_start") {
      openIndex = data.index;
      hasTools ||= isObject(data.content_block) && data.content_block.type === "tool_use";
    }
    if (type === "content_block_stop") openIndex = null;
    if (type === "message_delta") ending = mergeEnding(ending, data);
    return type === "message_delta" || type === "message_stop" ? [] : [event];
  };
  return {
    add: (chunk) => (chunk[NATIVE] ? forward(chunk[NATIVE]) : []),
    end(finishReason, usage) {
      // The hub has ended the stream itself, e.g. because its cost has reached the hold.
      const isOpen = openIndex !== null;
      const { stop_reason } = asObject(ending.delta);
      const isEnded = typeof stop_reason === "string";
      return [
        ...(isOpen ? [{ type: "content_block_stop", index: openIndex }] : []),
        {
          ...ending,
          type: "message_delta",
          delta: isEnded ? ending.delta : describeStop(finishReason, hasTools),
          usage: addCost(ending.usage, usage),
        },
        { type: "message_stop" },
      ];
    },
  };
}
