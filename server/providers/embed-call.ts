import type { ChatCall, ChatState } from "./chat-call";

/** One request for vectors; `body` has the input and the options by upstream's names. */
export type EmbedCall = ChatCall;

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
