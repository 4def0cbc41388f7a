import { afterAll } from "vitest";
import { createInngest } from "../inngest/client";
import { createEmbeddedEngine } from "../inngest/embedded/engine";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { CHANNEL } from "../inngest/embedded/line";
import { createFunctions } from "../inngest/functions";
import { createPublisher } from "../inngest/publisher";
import { type TestHub, testHub } from "./hub";

/** A test hub whose jobs the embedded engine runs, as in the product. */
export async function runningHub(settings: Record<string, string> = {}): Promise<TestHub> {
  const hub = await testHub(settings);
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  hub.publish = (event) => publisher.publish(event);
  const { log, now, databaseUrl: listenUrl } = hub;
  const engine = createEmbeddedEngine({
    listenUrl,
    inngest,
    functions: createFunctions(inngest, hub),
    log,
    now,
    slots: 8,
  });
  await engine.start();
  // The engine sleeps until what it knows to be due; a moved clock must wake it.
  const { advance } = hub.clock;
  hub.clock.advance = (ms) => {
    advance(ms);
    void hub.db.query("SELECT pg_notify($1, '')", [CHANNEL]);
  };
  afterAll(async () => {
    await engine.stop(5_000);
    await publisher.flush();
  });
  return hub;
}
