import type { Ctx, Hub } from "../../context";
import { memoizePer } from "../../lib/memoize-per";
import type { ClientRequest } from "./client-request";
import { markJoinable } from "./joinable";
import { trackWrite } from "./pending-writes";

/** A chat whose client may still leave without its answer. */
export interface OpenChat {
  left: boolean;
}

const openChatsOf = memoizePer<Hub, Map<string, Set<OpenChat>>>(() => new Map());

/** The open chats of this process by the same key, of the same request. */
export const findOpenChats = (ctx: Ctx, { digest }: ClientRequest): OpenChat[] => [
  ...(openChatsOf(ctx.hub).get(scopeOf(ctx, digest)) ?? []),
];

const scopeOf = ({ account, actor }: Ctx, digest: Buffer) =>
  `${account.id} ${actor.kind === "key" ? actor.id : ""} ${digest.toString("base64")}`;

/** What a chat says of its record while its client is watched. */
export interface Connection {
  /** It is accepted. */
  start(id: string): void;
  /** Its record is about to be settled. Returns whether the client has left, so that its answer must be kept. */
  beforeSettle(): Promise<boolean>;
  /** It has ended, with this answer; null when it failed or was never accepted. */
  end(answer: string | null): void;
}

const unwatched: Connection = { start: () => undefined, beforeSettle: async () => false, end: () => undefined };

/**
 * Watches the client of a chat, and lets a retry join the record when it leaves without its answer, whenever that is. A
 * leave while the record is being settled is written down after that, with the answer.
 */
export function watchConnection(ctx: Ctx, request: ClientRequest | null): Connection {
  if (!request) return unwatched;
  const { hub } = ctx;
  const chat: OpenChat = { left: false };
  const close = addOpenChat(hub, scopeOf(ctx, request.digest), chat);
  let state: "preparing" | "running" | "settling" | "ended" = "preparing";
  let id: string | undefined;
  let answer: string | null = null;
  let mark: Promise<void> | undefined;

  const update = () => {
    if (!chat.left || mark || state === "preparing" || state === "settling") return;
    if (id === undefined) return close();
    mark = trackWrite(hub, markJoinable(hub, id, request.digest, answer)).finally(close);
  };
  void request.delivered.then((delivered) => {
    if (delivered) return close();
    chat.left = true;
    update();
  });
  return {
    start(started) {
      id = started;
      state = "running";
      update();
    },
    async beforeSettle() {
      state = "settling";
      await mark;
      return mark !== undefined;
    },
    end(given) {
      answer = given;
      state = "ended";
      update();
    },
  };
}

function addOpenChat(hub: Hub, scope: string, chat: OpenChat): () => void {
  const all = openChatsOf(hub);
  const chats = all.get(scope) ?? new Set();
  all.set(scope, chats.add(chat));
  return () => {
    chats.delete(chat);
    if (chats.size === 0 && all.get(scope) === chats) all.delete(scope);
  };
}
