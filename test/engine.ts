import { afterAll } from "vitest";
import { createInngest } from "../inngest/client";
import { createEmbeddedEngine } from "../inngest/embedded/engine";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createFunctions } from "../inngest/functions";
import { createPublisher } from "../inngest/publisher";
import type { TestHub } from "./hub";

export interface TestEngine {
  /** Moves the hub's clock on and lets the engine see it at once. */
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Runs the hub's jobs on the embedded engine by the hub's own clock, until the suite ends. */
export async function runEngine(hub: TestHub, slots = 256): Promise<TestEngine> {
  const { env, db, log, now, databaseUrl: listenUrl } = hub;
  const inngest = createInngest({ env, fetch: embeddedFetch(db, now) });
  const publisher = createPublisher(inngest, log);
  hub.publish = (event) => publisher.publish(event);
  const functions = createFunctions(inngest, hub);
  const engine = createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots });
  await engine.start();
  let running = true;
  const stop = async () => {
    if (!running) return;
    running = false;
    await publisher.flush();
    await engine.stop(1_000);
  };
  afterAll(stop);
  return {
    async advance(ms) {
      hub.clock.advance(ms);
      await db.query("SELECT pg_notify('engine', '')");
    },
    stop,
  };
}
