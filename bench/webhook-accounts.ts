import { createInngest } from "../inngest/client";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createPublisher } from "../inngest/publisher";
import type { Ctx, Hub } from "../server/context";
import { insertWithHold } from "../server/domain/generations/insert-with-hold";
import { finishGeneration } from "../server/domain/generations/finish";
import { createEndpoint } from "../server/domain/webhooks/create";
import { draft } from "../test/draft";
import { deriveHub } from "../test/derive-hub";
import { makeCustomers } from "./accounts";

export interface Teller {
  /** Makes one event for each of the account's webhooks. */
  tell(): Promise<void>;
}

/** A hub that tells the engine of another process what is due. */
export function dispatching(hub: Hub): Hub {
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  return deriveHub(hub, { publish: (event) => publisher.publish(event) });
}

/** An account with webhooks at these addresses. */
export async function makeTeller(hub: Hub, name: string, urls: string[]): Promise<Teller> {
  const [customer] = await makeCustomers(hub, name, 1);
  const { id } = customer!;
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx = { hub, account, actor: { kind: "user" }, requestId: "bench" };
  for (const url of urls) await createEndpoint(ctx, { url, events: ["generation.completed"] });
  return {
    async tell() {
      const generation = { ...draft(id, 1_000n), created_at: hub.now() };
      await insertWithHold(hub, generation);
      await finishGeneration(hub, { id: generation.id, from: ["queued"], to: "canceled" });
    },
  };
}
