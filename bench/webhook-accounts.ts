import { createInngest } from "../inngest/client";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createPublisher } from "../inngest/publisher";
import type { Ctx, Hub } from "../server/context";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { finishGeneration } from "../server/domain/generations/end/finish";
import { createEndpoint } from "../server/domain/endpoints/create";
import { queuedGeneration } from "../test/generation-fixture";
import { deriveHub } from "../test/derive-hub";
import { createCustomers } from "./accounts";

export interface EventSource {
  /** Creates one event for each of the account's webhooks. */
  emitEvents(): Promise<void>;
}

/** Returns a hub that publishes its events to the engine of another process. */
export function publishToEngine(hub: Hub): Hub {
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  return deriveHub(hub, { publish: (event) => publisher.publish(event) });
}

/** Creates an account with webhooks at these URLs. */
export async function createEventSource(hub: Hub, name: string, urls: string[]): Promise<EventSource> {
  const [customer] = await createCustomers(hub, name, 1);
  const { id } = customer!;
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx = { hub, account, actor: { kind: "user" }, requestId: "bench" };
  for (const url of urls) await createEndpoint(ctx, { url, events: ["generation.completed"] });
  return {
    async emitEvents() {
      const generation = { ...queuedGeneration(id, 1_000n), created_at: hub.now() };
      await insertWithHold(hub, generation);
      await finishGeneration(hub, { id: generation.id, from: ["queued"], to: "canceled" });
    },
  };
}
