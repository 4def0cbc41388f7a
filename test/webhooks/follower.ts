import type { Ctx } from "../../server/context";
import { createAccount } from "../../server/domain/accounts/account";
import { insertWithHold } from "../../server/domain/generations/insert-with-hold";
import { markRunning } from "../../server/domain/generations/mark-running";
import { finishGeneration } from "../../server/domain/generations/finish";
import { creditAccount } from "../../server/domain/ledger/credit";
import { createEndpoint } from "../../server/domain/webhooks/create";
import { type EventName, eventNames } from "../../server/domain/events/event-names";
import { newId } from "../../server/lib/id";
import { draft } from "../draft";
import type { TestHub } from "../hub";

/** An account that acts by itself: what its events are told of, without an engine that runs its generations. */
export interface Follower {
  ctx: Ctx;
  /** Registers an address; answers the id and the secret. */
  register(url: string, events?: readonly EventName[]): Promise<{ id: string; secret: string }>;
  /** A queued generation that no engine was told of. */
  queue(input?: Record<string, unknown>): Promise<string>;
  begin(id: string): Promise<unknown>;
  succeed(id: string): Promise<unknown>;
  cancel(id: string): Promise<unknown>;
}

export async function newFollower(hub: TestHub): Promise<Follower> {
  const email = `${newId()}@example.org`;
  const id = await createAccount(hub, { email });
  await creditAccount(hub, id, { amount: 1_000_000_000_000n });
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx = { hub, account, actor: { kind: "user" }, requestId: "test" };
  return {
    ctx,
    async register(url, events = eventNames) {
      const { endpoint, secret } = await createEndpoint(ctx, { url, events: [...events] });
      return { id: endpoint.id, secret };
    },
    async queue(input = { prompt: "a tree" }) {
      const generation = { ...draft(id, 1_000n), input, created_at: hub.now() };
      await insertWithHold(hub, generation);
      return generation.id;
    },
    begin: (generation) => markRunning(hub, { generationId: generation, runId: newId() }),
    succeed: (generation) => finishGeneration(hub, { id: generation, from: ["running"], to: "succeeded" }),
    cancel: (generation) => finishGeneration(hub, { id: generation, from: ["queued"], to: "canceled" }),
  };
}
