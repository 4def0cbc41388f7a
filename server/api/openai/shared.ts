import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../errors";

/** What the operations of OpenAI's API that make a generation have in common. */
export const shared = {
  method: "post",
  tag: "Generations",
  auth: "key",
  cost: "write",
  envelope: "openai",
  problems: [
    "insufficient_credits",
    "model_not_found",
    "file_expired",
    "no_route_available",
    "idempotency_conflict",
    "generation_in_progress",
    "provider_error",
  ] as ErrorCode[],
} as const;

export const ModelId = z.string().min(1).max(200);

/** Headers of the responses of operations that make a generation. */
export const generationHeaders = {
  "X-Generation-Id": "Id of the generation; `GET /api/v1/hub/generations/{id}` has its status and cost",
  "Idempotent-Replayed": "`true` if the response belongs to an earlier request with the same key",
};

/** The same, for paths that return a model's text. */
export const chatHeaders = {
  ...generationHeaders,
  "X-Hub-Generated": "`model`: a model wrote the text",
};

/** The same, for paths that translate requests and lower their limits. */
export const dialectHeaders = {
  ...chatHeaders,
  "X-Hub-Dropped": "Members and types of the request that the model did not get, separated by commas",
  "X-Hub-Max-Tokens":
    "The output limit, if the model, your balance or your key's tokens per minute cover less than the requested one",
};

interface AnsweredChat {
  replayed: boolean;
  /** The output limit to which the chat was clamped; null if it was not. */
  maxTokens: number | null;
  isStreamed?: boolean;
  /** The value of `X-Hub-Dropped`. */
  dropped?: string | null;
}

/** Returns the headers of the response to a chat, whose text a model wrote. */
export const describeChat = ({ replayed, maxTokens, isStreamed, dropped }: AnsweredChat): Record<string, string> => ({
  ...(isStreamed && STREAM_HEADERS),
  ...GENERATED_HEADER,
  ...(replayed && { "Idempotent-Replayed": "true" }),
  ...(dropped && { "X-Hub-Dropped": dropped }),
  ...(maxTokens !== null && { "X-Hub-Max-Tokens": String(maxTokens) }),
});

/** Says that a model wrote the text of a response, as marks in files do. */
const GENERATED_HEADER = { "X-Hub-Generated": "model" };

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Stops proxies such as nginx from buffering events.
  "X-Accel-Buffering": "no",
};
