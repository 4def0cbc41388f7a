import type { AppError } from "../../errors";
import { type ChatChunk, type Completion, completionToChunk, NATIVE } from "../../providers/chat-call";
import {
  type AnsweredChat,
  type BilledUsage,
  type ChatDialect,
  type ChunkSender,
  createTranscript,
  type EventStream,
  type NativeRequest,
  type Transcript,
  writeEvent,
} from "../chat";
import { beginResponse, describeEnd, type Echo, hideItem, hideReasoning, toResponseUsage } from "./build-response";
import { describeError } from "./describe-error";
import { eventsOfItems, type OutputEvent } from "./item-events";
import type { Json } from "./json";
import { createNativeOutput, type NativeOutput, renameOutput } from "./native-output";
import { createOutput, type Output } from "./output";
import type { ToolNames } from "./tool-names";

interface Options {
  native: NativeRequest | null;
  /** Whether the request has what a chat has no place for. */
  needsNative: boolean;
  /** Whether the client forbids that anything is stored. */
  storesNothing: boolean;
  echo: Echo;
  names: ToolNames;
  includesReasoning: boolean;
  now: () => Date;
  seal: ((text: string) => string) | null;
  /** Stores a response with its reasoning; null if it is not stored. */
  store: ((response: Json, chat: AnsweredChat) => Promise<void>) | null;
}

/** Returns how one chat speaks Responses with its client. */
export function createResponsesDialect(options: Options): ChatDialect {
  const { native, echo, includesReasoning, now } = options;
  let outputs: { chat: AnsweredChat; output: Output; native: NativeOutput } | null = null;
  /** The response with the ciphertexts that the client may not get. */
  let whole: Json | null = null;
  const open = (chat: AnsweredChat) =>
    (outputs ??= {
      chat,
      output: createOutput({ responseId: chat.id, names: options.names, seal: options.seal }),
      native: createNativeOutput(chat.id),
    });
  const show = (response: Json) => (includesReasoning ? response : hideReasoning(response));
  const readEvents = (chunk: ChatChunk): OutputEvent[] =>
    chunk[NATIVE] ? outputs!.native.read(chunk) : outputs!.output.read(chunk);
  const build = (completion: Completion, chat: AnsweredChat, usage: BilledUsage): Json => {
    const begun = beginResponse(echo, chat);
    const ended = { completed_at: Math.floor(now().getTime() / 1000) };
    const answered = completion[NATIVE];
    if (answered) return mergeNative(begun, { ...answered, ...ended }, usage);
    const { output } = open(chat);
    // A chat that was not streamed is read here at once.
    if (!whole && output.items().length === 0) output.read(completionToChunk(completion));
    const end = describeEnd(completion.choices[0]!.finish_reason);
    output.end(end.status);
    const tier = completion.service_tier ?? begun.service_tier;
    return { ...begun, ...ended, ...end, output: output.items(), service_tier: tier, usage: toResponseUsage(usage) };
  };

  return {
    name: "responses",
    native,
    needsNative: options.needsNative,
    storesNothing: options.storesNothing,
    clampsOutput: true,
    createSender(chat, stream) {
      const { output, native: nativeOutput } = open(chat);
      const begun = beginResponse(echo, chat);
      const sender = createEventSender(stream, begun);
      const finishWhole = (finishReason: string, usage: BilledUsage, isNative: boolean) => {
        const completion = isNative
          ? toNativeCompletion(finishReason, nativeOutput.response())
          : { choices: [{ index: 0, message: {}, finish_reason: finishReason }] };
        return show((whole = build(completion, chat, usage)));
      };
      let isNative = false;
      const hide = (event: OutputEvent): OutputEvent =>
        includesReasoning || !event.item ? event : { ...event, item: hideItem(event.item as Json) };
      return {
        send(chunk, signal) {
          isNative ||= chunk[NATIVE] !== undefined;
          return sender.send(readEvents(chunk).map(hide), signal);
        },
        finish(finishReason, usage) {
          const { status } = describeEnd(finishReason);
          const closing = isNative ? [] : output.end(status).map(hide);
          const response = finishWhole(finishReason, usage, isNative);
          sender.end([...closing, endOf(response)]);
        },
        fail(error) {
          sender.fail(error, isNative ? (nativeOutput.response().output as Json[]) : output.items());
        },
      } satisfies ChunkSender;
    },
    createTranscript(): Transcript {
      const chat = createTranscript();
      let isNative = false;
      return {
        add(chunk) {
          chat.add(chunk);
          isNative ||= chunk[NATIVE] !== undefined;
          if (outputs) readEvents(chunk);
        },
        toCompletion(finishReason) {
          const completion = chat.toCompletion(finishReason);
          const choices = completion.choices.map((choice) => ({ ...choice, finish_reason: finishReason }));
          const answered = isNative && outputs ? { [NATIVE]: outputs.native.response() } : {};
          return { ...completion, ...answered, choices };
        },
      };
    },
    buildAnswer(completion, chat, usage) {
      const answered = completion[NATIVE];
      const named = answered ? { ...completion, [NATIVE]: renameOutput(answered, chat.id) } : completion;
      return show((whole = build(named, chat, usage)));
    },
    replay: (answer, chat, stream) => sendWhole(answer, stream),
    ...(options.store && { store: (answer, chat) => options.store!(whole ?? answer, chat) }),
  };
}

const toNativeCompletion = (finish_reason: string, response: Json): Completion => ({
  choices: [{ index: 0, message: {}, finish_reason }],
  [NATIVE]: response,
});

/** Members of a provider's response that are the hub's own. */
const OWN = [
  "id",
  "model",
  "created_at",
  "previous_response_id",
  "store",
  "background",
  "instructions",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "tools",
  "tool_choice",
  "max_output_tokens",
];

const mergeNative = (begun: Json, answered: Json, usage: BilledUsage): Json => ({
  ...begun,
  ...answered,
  ...Object.fromEntries(OWN.map((name) => [name, begun[name]])),
  usage: { ...(answered.usage as Json | undefined), ...toResponseUsage(usage) },
});

const endOf = (response: Json): OutputEvent => ({
  type: response.status === "completed" ? "response.completed" : "response.incomplete",
  response,
});

/** Numbers events without gaps and sends them, after those that begin the response. */
function createEventSender(stream: EventStream, begun: Json) {
  let next = 0;
  const number = (event: OutputEvent) => ({ ...event, sequence_number: next++ });
  const beginnings = (): OutputEvent[] =>
    next > 0
      ? []
      : [
          { type: "response.created", response: begun },
          { type: "response.in_progress", response: begun },
        ];
  return {
    async send(events: OutputEvent[], signal: AbortSignal): Promise<void> {
      for (const event of [...beginnings(), ...events]) await stream.send(number(event), signal, event.type);
    },
    end(events: OutputEvent[]): void {
      stream.end([...beginnings(), ...events].map((event) => formatEvent(number(event))).join(""));
    },
    fail(error: AppError, output: Json[]): void {
      const described = describeError(error);
      const failed = { ...begun, status: "failed", error: described, output };
      const last =
        next > 0 ? { type: "response.failed", response: failed } : { ...described, type: "error", param: null };
      stream.end(formatEvent(number(last)));
    },
  };
}

const formatEvent = (event: OutputEvent): string => writeEvent(event, event.type);

/** Returns the events of a whole response, numbered from 0. */
export function listEvents(response: Json): OutputEvent[] {
  const begun = { ...response, status: "in_progress", completed_at: null, output: [], usage: null };
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...eventsOfItems(response.output as Json[]),
    endOf(response),
  ].map((event, number) => ({ ...event, sequence_number: number }));
}

/** Sends a response that is already whole as a stream. */
const sendWhole = (response: Json, stream: EventStream): void =>
  stream.end(listEvents(response).map(formatEvent).join(""));
