import type { Ctx } from "../../context";
import { findReplayedChat, type Idempotency, type ReplayedChat, takeOverPayment } from "../generations/replay";
import type { Generation } from "../generations/row";
import type { TokenPrice } from "../tokens";
import type { Connection } from "./connection";
import type { ChatHub } from "./hub";
import { joinEarlier } from "./join-earlier";
import type { ClientRequest } from "./request";

/**
 * Returns the earlier chat whose result answers this request: the one with its idempotency key, or the one that the client's
 * SDK retries. Returns null if there is none. Throws the 503 and 409 of `findReplayedChat`, and the error of a failed chat.
 */
export async function findEarlier(
  ctx: Ctx<ChatHub>,
  idempotency: Idempotency | null,
  client: ClientRequest | null = null,
  onGeneration: (id: string) => void = () => undefined,
): Promise<ReplayedChat | null> {
  if (idempotency) return findReplayedChat(ctx, idempotency);
  return client?.isRetry ? joinEarlier(ctx, client, onGeneration) : null;
}

/** Lowers the charge of a chat that has just begun by what was paid for a broken stream that it repeats. */
export async function takeOverBroken(
  ctx: Ctx<ChatHub>,
  generation: Generation,
  client: ClientRequest | null,
): Promise<void> {
  if (!client?.repeatsBroken || client.isMarked) return;
  const paid = await takeOverPayment(ctx, generation.id, client);
  if (paid > 0n) (generation.price as TokenPrice).already_paid = Number(paid);
}

/** Leaves the payment that a chat has taken over to the next repeat, because the chat is about to end without an answer. */
export async function leavePayment({ price }: Pick<Generation, "price">, connection: Connection): Promise<void> {
  if ((price as TokenPrice).already_paid !== undefined) await connection.breakOff();
}
