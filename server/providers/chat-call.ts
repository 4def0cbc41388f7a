import type { Route } from "../catalogue/model";
import { isObject } from "../lib/is-object";
import type { JsonCodec } from "../lib/json/codec";
import type { Failure, FailureCause } from "./failure";

/** A format of chats: OpenAI's chat completions, Anthropic's Messages, or OpenAI's Responses. */
export type DialectName = "chat" | "messages" | "responses";

/** One chat request for a route. */
export interface ChatCall {
  /** The generation's id; the idempotency key of the upstream request. */
  id: string;
  /** The format of `body`: that of its client, if the route speaks it, otherwise OpenAI's chat completions. */
  dialect: DialectName;
  body: Record<string, unknown>;
  /** Headers of the client that the provider gets, such as `anthropic-beta`; only in a dialect other than `chat`. */
  headers?: Record<string, string>;
  /**
   * Returns the body's JSON, in which the customer's members are as they were sent; null or absent if the hub has made the body.
   */
  text?: (() => Uint8Array) | null;
  route: Route;
  /** Whether the body is so large that it must be processed outside the event loop. */
  isLarge: boolean;
  json: JsonCodec;
  /** Reserves memory for the next bytes of the response; returns false when the hub's limit is reached. */
  reserve: (bytes: number) => boolean;
  /** Headers that continue a trace at the provider; absent while traces are off. */
  traceHeaders?: Record<string, string>;
}

/** One prompt whose tokens a provider counts; `body` is the request for its answer. */
export type CountCall = Pick<ChatCall, "dialect" | "body" | "headers" | "route" | "isLarge" | "json">;

/**
 * The key under which a completion, or a chunk of one, holds what the provider sent in the call's dialect, if that is
 * not `chat`: the whole answer, or the event. JSON omits it.
 */
export const NATIVE = Symbol("native");

/** The key under which a choice holds the sequence at which its server stopped, if the server names it. JSON omits it. */
export const STOP_SEQUENCE = Symbol("stop sequence");

/**
 * The key under which a tool call of a request holds the signature that Gemini gave it, which only Google's endpoint
 * gets back. JSON omits it.
 */
export const THOUGHT_SIGNATURE = Symbol("thought signature");

/** Returns the signature of a tool call, or of a piece of one, from Google's endpoint; null if it has none. */
export function readThoughtSignature(call: unknown): string | null {
  const extra = isObject(call) ? call.extra_content : null;
  const google = isObject(extra) ? extra.google : null;
  const signature = isObject(google) ? google.thought_signature : null;
  return typeof signature === "string" && signature !== "" ? signature : null;
}

/** Returns the member of a tool call that contains its signature. */
export const toExtraContent = (thought_signature: string) => ({ google: { thought_signature } });

interface Choice {
  index: number;
  [STOP_SEQUENCE]?: string;
}

/** Returns the stop sequence of a choice as a member: vLLM and SGLang name it, each in its own way. */
export function readStopSequence({
  stop_reason,
  matched_stop,
}: Record<string, unknown>): Pick<Choice, typeof STOP_SEQUENCE> {
  const stop = stop_reason ?? matched_stop;
  return typeof stop === "string" ? { [STOP_SEQUENCE]: stop } : {};
}

/** An event of a stream in another dialect than `chat`. */
export interface NativeEvent {
  type: string;
  data: Record<string, unknown>;
}

/** A completion in OpenAI's format; unknown members are passed through. */
export interface Completion extends Record<string, unknown> {
  [NATIVE]?: Record<string, unknown>;
  choices: (Choice & { message: Record<string, unknown>; finish_reason: string })[];
  /** As sent by upstream, not validated. */
  usage?: unknown;
}

export type ChatState =
  | {
      state: "succeeded";
      completion: Completion;
      upstreamStatus?: number;
      /** Whether the completion is so large that it must be processed outside the event loop. */
      isLarge?: boolean;
    }
  | {
      state: "failed";
      error: Failure;
      /** False only if upstream certainly did no work; only then may the next route be tried. */
      started: boolean;
      /** By default what the status says. */
      cause?: FailureCause;
      upstreamStatus?: number;
      /** Seconds after which upstream accepts a retry. */
      retryAfter?: number;
      /** Whether upstream says that the prompt is longer than the model's context. */
      isPromptTooLong?: boolean;
    };

export type FailedChat = Extract<ChatState, { state: "failed" }>;

/** One event of a streamed completion in OpenAI's format; unknown members are passed through. */
export interface ChatChunk extends Record<string, unknown> {
  [NATIVE]?: NativeEvent;
  /** Empty in a chunk that has only usage. */
  choices: (Choice & { delta: Record<string, unknown>; finish_reason: string | null })[];
  /** As sent by upstream, not validated. */
  usage?: unknown;
}

/** An opened stream, whose first chunk has arrived, or the failure to open one. */
export type ChatStreamState =
  | {
      state: "streaming";
      /**
       * The chunks as they arrive, each read from upstream only when it is asked for. Throws ChatStreamBroken, or the
       * reason of the signal. A consumer that stops early ends the request.
       */
      chunks: AsyncGenerator<ChatChunk, void>;
      upstreamStatus?: number;
    }
  | FailedChat;

/** Thrown by a stream that broke off or that cannot be read. */
export class ChatStreamBroken extends Error {
  override readonly name = "ChatStreamBroken";
  constructor(readonly failed: FailedChat) {
    super(failed.error.message);
  }
}

/** One request for vectors; `body` has the input and the options by upstream's names. */
export type EmbedCall = Omit<ChatCall, "dialect">;

export type EmbedState =
  | {
      state: "succeeded";
      /** One for each input, in their order: numbers of four bytes, the lowest byte first. */
      vectors: Buffer[];
      /** As sent by upstream, not validated. */
      promptTokens?: unknown;
      upstreamStatus?: number;
    }
  | Extract<ChatState, { state: "failed" }>;

/** Returns a whole completion as one chunk of a stream, without the answer in another dialect. */
export const completionToChunk = ({ choices, ...rest }: Completion): ChatChunk => ({
  ...rest,
  [NATIVE]: undefined,
  choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: toDelta(message) })),
});

// Clients put the pieces of tool calls together by their index, which a message does not have, or which is 0 for all of them.
const toDelta = ({ tool_calls, ...message }: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(tool_calls)
    ? { ...message, tool_calls: tool_calls.map((call: object, index) => ({ ...call, index })) }
    : message;
