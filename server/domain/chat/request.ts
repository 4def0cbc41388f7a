import type { Model, Route } from "../../catalogue/model";
import type { SentJson } from "../../lib/json/sent-json";
import type { RouteReason } from "../generations/attempts";
import type { RepeatedRequest } from "../generations/replay";
import type { ChatDialect } from "../dialects";
import type { ChatFile } from "./find-files";
import type { Conversation } from "./sticky-routes";

/** The body of a chat; everything except `model` is the model's input. */
export interface ChatBody extends Record<string, unknown> {
  model: string;
}

/** A validated chat. */
export interface ChatRequest {
  model: Model;
  dialect: ChatDialect;
  input: Record<string, unknown> & { messages: unknown[] };
  /** The JSON as it was sent; null for a chat that the hub itself has composed. */
  sent: SentJson | null;
  /** Its files whose parts the provider gets in another form. */
  files: ChatFile[];
  /** At least one: first the one that last served the conversation, then the others by the model's routing. */
  routes: Route[];
  /** Why the first of them comes first. */
  reason: RouteReason;
  /** Null if there is only one route. */
  conversation: Conversation | null;
  /** Whether processing the whole body, with its files inlined, takes long enough to block other requests. */
  isLarge: boolean;
  /** Whether the route that was called last got the client's own request; false before the first call. */
  wasSentNative: boolean;
}

/** A client's request that its SDK may retry without an idempotency key. */
export interface ClientRequest extends RepeatedRequest {
  /** Whether it may repeat an earlier one: an SDK marks it as a retry, or the clients of its route mark none. */
  isRetry: boolean;
  /** Whether a stream that it repeats broke on the hub's side and was charged; known once earlier chats were looked for. */
  repeatsBroken?: boolean;
  /** Resolves when the socket closes: to true if the whole answer was written to it. */
  delivered: Promise<boolean>;
}
