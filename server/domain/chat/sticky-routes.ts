import { createHmac, randomBytes } from "node:crypto";
import type { Route } from "../../catalogue/model";
import type { Ctx } from "../../context";

const MAX_CONVERSATIONS = 10_000;
const MAX_TEXT_LENGTH = 16 * 1024;
/** The system message and the first user message, which every later request of a conversation repeats. */
const FIRST_MESSAGES = 2;

/**
 * Remembers which route served the newest conversations, because a provider's cache of a prompt, and its encrypted reasoning,
 * belong to one route. Each process has its own memory: a conversation whose requests reach several processes settles on a
 * route in each.
 */
export interface StickyRoutes {
  /** Returns the routes with the one that last served the conversation moved to the front. */
  order(conversation: Conversation, routes: Route[]): Route[];
  remember(conversation: Conversation, routeId: string): void;
}

export function createStickyRoutes(): StickyRoutes {
  const routes = new Map<string, string>();
  return {
    order({ digest, isContinued }, all) {
      const last = isContinued ? routes.get(digest) : undefined;
      const preferred = all.find(({ id }) => id === last);
      return preferred ? [preferred, ...all.filter((route) => route !== preferred)] : all;
    },
    remember({ digest }, routeId) {
      // A Map keeps the order of insertion, so the first is the one that was used longest ago.
      routes.delete(digest);
      routes.set(digest, routeId);
      if (routes.size > MAX_CONVERSATIONS) routes.delete(routes.keys().next().value!);
    },
  };
}

/** Differs in every process, so that nobody can compute the digest of another account's conversation. */
const SECRET = randomBytes(32);

/** A conversation of an account and key. */
export interface Conversation {
  digest: string;
  /** Whether an earlier request may belong to it. */
  isContinued: boolean;
}

/**
 * Returns the conversation of a chat: by the name that the client gives it, else by its first messages. Without a name a chat
 * without an answer begins one.
 */
export function findConversation(
  { account, actor }: Pick<Ctx<object>, "account" | "actor">,
  name: string | null,
  { messages, prompt_cache_key: key }: { messages: unknown[]; prompt_cache_key?: unknown },
): Conversation {
  const named = typeof key === "string" && key !== "" ? key : name;
  const hash = createHmac("sha256", SECRET).update(`${account.id} ${actor.kind === "key" ? actor.id : ""}\0`);
  if (named !== null) return { digest: hash.update(`named ${named}`).digest("base64"), isContinued: true };
  for (const message of messages.slice(0, FIRST_MESSAGES)) hash.update(`\0${textOf(message)}`);
  return { digest: hash.digest("base64"), isContinued: messages.some(isAnswer) };
}

const isAnswer = (message: unknown): boolean => (message as { role?: unknown }).role === "assistant";

/** Returns the beginning of a message's text. */
function textOf(message: unknown): string {
  const { role, content } = message as { role?: unknown; content?: unknown };
  const parts = Array.isArray(content) ? content : [{ text: content }];
  let text = String(role);
  for (const part of parts) {
    if (text.length > MAX_TEXT_LENGTH) break;
    const { text: piece } = (part ?? {}) as { text?: unknown };
    if (typeof piece === "string") text += `\0${piece.slice(0, MAX_TEXT_LENGTH)}`;
  }
  return text;
}
