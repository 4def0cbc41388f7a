import { type ChatChunk, type Completion, NATIVE } from "../../providers/chat-call";
import type { AnsweredChat, BilledUsage } from "../dialects";
import { buildOutput } from "./build-output";
import { beginResponse, describeEnd, type Echo, hideItem, hideReasoning, toResponseUsage } from "./build-response";
import type { OutputEvent } from "./item-events";
import type { Json } from "./json";
import { createNativeOutput, type NativeOutput, renameOutput } from "./native-output";
import { createOutput, type Output } from "./output";
import type { ToolNames } from "./tool-names";

export interface AnswerOptions {
  echo: Echo;
  names: ToolNames;
  includesReasoning: boolean;
  now: () => Date;
  /** Encrypts reasoning, for a client that sends it back; null if nobody will. */
  seal: ((text: string) => string) | null;
}

/** The response of one chat while it is made: by a sender, by a transcript, or by both from the same chunks. */
export interface Answer {
  /** Begins the output of the chat. */
  begin(chat: AnsweredChat): Json;
  /** Returns the events of a chunk, as the client may see them. */
  read(chunk: ChatChunk): OutputEvent[];
  /** Ends the output and returns the events that end it. */
  end(finishReason: string): OutputEvent[];
  /** Returns the provider's own response so far; null if it has sent a chat. */
  native(): Json | null;
  /** Returns whether a chat has answered; false until that is known. */
  isTranslated(): boolean;
  /** Returns the items so far, as the client may see them. */
  items(): Json[];
  /** Returns the whole response as the client may see it; later calls return the same one. */
  build(completion: Completion, chat: AnsweredChat, usage: BilledUsage): Json;
  /** The whole response, with the ciphertexts that the client may not see. */
  whole(): Json | null;
}

export function createAnswer({ echo, names, includesReasoning, now, seal }: AnswerOptions): Answer {
  let outputs: { output: Output; native: NativeOutput } | null = null;
  let isNative = false;
  let isTranslated = false;
  let whole: Json | null = null;
  const hide = (event: OutputEvent): OutputEvent =>
    includesReasoning || !event.item ? event : { ...event, item: hideItem(event.item as Json) };
  const native = () => (isNative ? outputs!.native.response() : null);
  const items = () => (native()?.output as Json[] | undefined) ?? outputs?.output.items() ?? [];
  const buildWhole = (completion: Completion, chat: AnsweredChat, usage: BilledUsage): Json => {
    const begun = beginResponse(echo, chat);
    const completed_at = Math.floor(now().getTime() / 1000);
    const answered = completion[NATIVE] ?? native();
    if (answered) return mergeNative(begun, { ...renameOutput(answered, chat.id), completed_at }, usage);
    isTranslated = true;
    const [choice] = completion.choices;
    const end = describeEnd(choice!.finish_reason);
    outputs?.output.end(end.status);
    const output =
      outputs?.output.items() ?? buildOutput(choice!.message, end.status, { responseId: chat.id, names, seal });
    const service_tier = completion.service_tier ?? begun.service_tier;
    return Object.assign(begun, end, { completed_at, output, service_tier, usage: toResponseUsage(usage) });
  };
  return {
    begin(chat) {
      const { id } = chat;
      outputs ??= { output: createOutput({ responseId: id, names, seal }), native: createNativeOutput(id) };
      return beginResponse(echo, chat);
    },
    read(chunk) {
      isNative ||= chunk[NATIVE] !== undefined;
      isTranslated = !isNative;
      return (isNative ? outputs!.native : outputs!.output).read(chunk).map(hide);
    },
    end: (finishReason) => (isNative ? [] : outputs!.output.end(describeEnd(finishReason).status).map(hide)),
    native,
    isTranslated: () => isTranslated,
    items: () => (includesReasoning ? items() : items().map(hideItem)),
    build(completion, chat, usage) {
      whole ??= buildWhole(completion, chat, usage);
      return includesReasoning ? whole : hideReasoning(whole);
    },
    whole: () => whole,
  };
}

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
