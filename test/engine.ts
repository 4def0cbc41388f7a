import { afterAll } from "vitest";
import { createInngest } from "../inngest/client";
import { createEmbeddedEngine, type Engine } from "../inngest/embedded/engine";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { ENGINE_CHANNEL } from "../inngest/embedded/engine-connection";
import { createFunctions } from "../inngest/functions";
import { createPublisher } from "../inngest/publisher";
import { type TestHub, testHub } from "./hub";

export interface RunningHub extends TestHub {
  /** Starts an engine, as a process of the product does. */
  startEngine(): Promise<Engine>;
}

/** Opens a test hub whose events go to the embedded engine; nothing runs before one is started. */
export async function hubWithEngine(settings: Record<string, string> = {}, slots = 8): Promise<RunningHub> {
  const hub = await testHub(settings);
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  hub.publish = (event) => publisher.publish(event);
  const { log, now, databaseUrl: listenUrl } = hub;
  // The engine sleeps until its next due job, so that a moved clock must wake it.
  const { advance } = hub.clock;
  hub.clock.advance = (ms) => {
    advance(ms);
    void hub.db.query("SELECT pg_notify($1, '')", [ENGINE_CHANNEL]);
  };
  let stop = () => Promise.resolve();
  afterAll(async () => {
    await stop();
    await publisher.flush();
  });
  return Object.assign(hub, {
    async startEngine() {
      const functions = createFunctions(inngest, hub);
      const onTick = (seconds: number) => hub.metrics.engineRound.observe({}, seconds);
      const engine = createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots, onTick });
      stop = () => engine.stop(5_000);
      await engine.start();
      return engine;
    },
  });
}

/** Opens a test hub whose jobs the embedded engine runs, as in the product. */
export async function runningHub(settings: Record<string, string> = {}, slots = 8): Promise<RunningHub> {
  const hub = await hubWithEngine(settings, slots);
  await hub.startEngine();
  return hub;
}
