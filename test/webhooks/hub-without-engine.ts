import { createInngest } from "../../inngest/client";
import { embeddedFetch } from "../../inngest/embedded/fetch";
import { createPublisher } from "../../inngest/publisher";
import { type TestHub, testHub } from "../hub";

/** Opens a hub without an engine of its own, whose events reach the engine of a child process on the same database. */
export async function hubWithoutEngine(settings: Record<string, string>): Promise<TestHub> {
  const hub = await testHub(settings);
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  hub.publish = (event) => publisher.publish(event);
  return hub;
}
