import type { Ctx } from "../../context";
import type { JsonText } from "../../lib/json/codec";
import { markJoinable, sealAnswer } from "../generations/replay";
import type { ChatHub, OpenChat } from "./hub";
import type { ClientRequest } from "./request";
import { trackWrite } from "./pending-writes";

/** Returns this process's open chats with the same API key and the same request. */
export const findOpenChats = (ctx: Ctx<ChatHub>, { digest }: ClientRequest): OpenChat[] => [
  ...(ctx.hub.services.openChats.get(scopeOf(ctx, digest)) ?? []),
];

const scopeOf = ({ account, actor }: Ctx<ChatHub>, digest: Buffer) =>
  `${account.id} ${actor.kind === "key" ? actor.id : ""} ${digest.toString("base64")}`;

/** Callbacks by which a chat reports its progress while its client's connection is watched. */
export interface Connection {
  /** The chat's generation was inserted. */
  start(id: string): void;
  /** The chat is about to be settled. Returns whether the client has left, so that the answer must be stored. */
  beforeSettle(): Promise<boolean>;
  /** The hub itself breaks off the stream. Records that, so that a repeated request is not charged again. */
  breakOff(): Promise<void>;
  /** Returns an answer as it is stored for a repeat; undefined if it is not. */
  toStored(id: string, answer: JsonText): JsonText | undefined;
  /** The chat has ended with this answer; null when it failed or was never inserted. */
  end(answer: JsonText | null): void;
}

const unwatched: Connection = {
  start: () => undefined,
  beforeSettle: async () => false,
  breakOff: async () => undefined,
  toStored: (_id, answer) => answer,
  end: () => undefined,
};

/**
 * Watches a chat's client and lets a retry join the chat if the client disconnects without its answer. A disconnect
 * during settlement is recorded after it, together with the answer.
 */
export function watchConnection(ctx: Ctx<ChatHub>, request: ClientRequest | null): Connection {
  if (!request) return unwatched;
  const { hub } = ctx;
  const chat: OpenChat = { left: false };
  const close = addOpenChat(hub, scopeOf(ctx, request.digest), chat);
  let state: "preparing" | "running" | "settling" | "ended" = "preparing";
  let id: string | undefined;
  let answer: JsonText | null = null;
  let mark: Promise<void> | undefined;

  // Answers for clients that do not mark their retries are encrypted, because they may be stored without ever being fetched.
  const toStored = (chatId: string, text: JsonText) => (request.isMarked ? text : sealAnswer(hub, chatId, text));
  const update = () => {
    if (!chat.left || mark || state === "preparing" || state === "settling") return;
    if (id === undefined) return close();
    const stored = answer === null ? null : (toStored(id, answer) ?? null);
    mark = trackWrite(hub, markJoinable(hub, id, request, stored)).finally(close);
  };
  void request.delivered.then((delivered) => {
    if (delivered) return close();
    chat.left = true;
    update();
  });
  return {
    start(generationId) {
      id = generationId;
      state = "running";
      update();
    },
    async beforeSettle() {
      state = "settling";
      await mark;
      return mark !== undefined;
    },
    async breakOff() {
      if (!request.isMarked && id !== undefined) await trackWrite(hub, markJoinable(hub, id, request, null));
    },
    toStored,
    end(finalAnswer) {
      answer = finalAnswer;
      state = "ended";
      update();
    },
  };
}

function addOpenChat(hub: ChatHub, scope: string, chat: OpenChat): () => void {
  const all = hub.services.openChats;
  const chats = all.get(scope) ?? new Set();
  all.set(scope, chats.add(chat));
  return () => {
    chats.delete(chat);
    if (chats.size === 0 && all.get(scope) === chats) all.delete(scope);
  };
}
