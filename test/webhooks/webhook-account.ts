import type { Ctx } from "../../server/context";
import type { Hub } from "../../server/domain/hub";
import { createAccount } from "../../server/domain/people/create-account";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { creditAccount } from "../../server/domain/ledger/credit";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { openOwnWebhook, type OwnWebhookRequest } from "../../server/domain/endpoints/own-webhook";
import { type EventName, generationEventNames } from "../../server/domain/events/event-names";
import { newId } from "../../server/lib/id";
import { queuedGeneration } from "../generation-fixture";
import type { TestHub } from "../hub";

/** An account with webhooks, whose generations change only by these calls, because no engine runs. */
export interface WebhookAccount {
  ctx: Ctx<Hub>;
  /** Creates a webhook, and returns its id and secret. */
  createWebhook(url: string, events?: readonly EventName[]): Promise<{ id: string; secret: string }>;
  /** Queues a generation without dispatching it, with a webhook of its own if given, and returns its id. */
  queueGeneration(input?: Record<string, unknown>, webhook?: OwnWebhookRequest): Promise<string>;
  markRunning(id: string): Promise<unknown>;
  succeed(id: string): Promise<unknown>;
  cancel(id: string): Promise<unknown>;
}

export async function newWebhookAccount(hub: TestHub): Promise<WebhookAccount> {
  const email = `${newId()}@example.org`;
  const id = await createAccount(hub, { email });
  await creditAccount(hub, id, { amount: 1_000_000_000_000n });
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx<Hub> = { hub, account, actor: { kind: "user" }, requestId: "test" };
  return {
    ctx,
    async createWebhook(url, events: readonly EventName[] = generationEventNames) {
      const { endpoint, secret } = await createEndpoint(ctx, { url, events: [...events] });
      return { id: endpoint.id, secret };
    },
    async queueGeneration(input = { prompt: "a tree" }, own) {
      const webhook = own && (await openOwnWebhook(ctx, own));
      const generation = { ...queuedGeneration(id, 1_000n), input, webhook, created_at: hub.now() };
      await insertWithHold(hub, generation);
      return generation.id;
    },
    markRunning: (generation) => markRunning(hub, { generationId: generation, runId: newId() }),
    succeed: (generation) => finishGeneration(hub, { id: generation, from: ["running"], to: "succeeded" }),
    cancel: (generation) => finishGeneration(hub, { id: generation, from: ["queued"], to: "canceled" }),
  };
}
