import type { SentJson } from "../../lib/json/sent-json";
import type { AppError } from "../../errors";
import type { ChatChunk, Completion, DialectName } from "../../providers/chat-call";
import type { Content } from "../attachments";
import type { Generation } from "../generations/row";
import type { EventStream } from "./event-stream";

/** A client's request in its own dialect, for routes that speak it too. */
export interface NativeRequest {
  body: Record<string, unknown>;
  /** The JSON as it was sent; null when the hub has changed the body. */
  sent: SentJson | null;
  /** Headers that the provider gets. */
  headers: Record<string, string>;
  /** The parts of the body that the translated chat lacks. Their bytes count towards the prompt. */
  untranslated: unknown[];
  /** Members that the translated chat has only so that the hold covers them: no other route gets them. */
  pricedMembers?: readonly string[];
  /** Returns the body with the contents of the account's files in the places that name them, by URL, hash or id. */
  withFiles: (files: ReadonlyMap<string, Content>) => Record<string, unknown>;
}

/** What a chat was charged: its usage in OpenAI's format, with its `cost` in EUR. */
export type BilledUsage = Record<string, unknown> & {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number;
};

/** The members of a chat's generation that its answer shows. */
export type AnsweredChat = Pick<Generation, "id" | "model" | "created_at">;

/** A chat whose answer is streamed. */
export interface StreamedAnswer extends AnsweredChat {
  /** Whether the client asked for usage in a separate chunk; only in OpenAI's format. */
  includeUsage: boolean;
  /** Estimates the tokens of the prompt. */
  countPrompt: () => Promise<number>;
}

/** Sends the chunks of a provider to the client, under the hub's id and model. */
export interface ChunkSender {
  send(chunk: ChatChunk, signal: AbortSignal): Promise<void>;
  /** Sends what was held back until the cost was known, and the end. */
  finish(finishReason: string, usage: BilledUsage): Promise<void> | void;
  /** Ends the stream with an error. */
  fail(error: AppError): void;
}

/** The answer that the chunks of a stream make together, up to a maximum length. */
export interface Transcript {
  add(chunk: ChatChunk): void;
  /** Returns the answer so far, with NATIVE if its chunks have that. `finishReason` is `length` for a text that was cut. */
  toCompletion(finishReason: string): Completion;
}

/** How one chat speaks with its client: made for each request. */
export interface ChatDialect {
  name: DialectName;
  /** Null if no route gets the client's request as it is. */
  native: NativeRequest | null;
  /** Whether only routes that speak the dialect can serve the request, because it cannot be translated. */
  needsNative?: boolean;
  /** What the client calls the conversation, if it does so outside `prompt_cache_key`; its requests prefer one route. */
  conversation?: string | null;
  /** Whether an output limit is lowered to a share of what the balance covers, instead of a 402. */
  clampsOutput: boolean;
  /** Whether the client forbids storing its request and its answer. */
  storesNothing?: boolean;
  createSender(chat: StreamedAnswer, stream: EventStream): ChunkSender;
  createTranscript(): Transcript;
  /** Returns the response body of a chat that has ended. */
  buildAnswer(completion: Completion, chat: AnsweredChat, usage: BilledUsage): Record<string, unknown>;
  /** Sends an answer that was stored, or built, as a stream. */
  replay(answer: Record<string, unknown>, chat: { id: string }, stream: EventStream): void;
  /** Stores what later requests refer to, before the client gets the answer; absent if there is nothing. */
  store?(answer: Record<string, unknown>, chat: AnsweredChat): Promise<void>;
}
