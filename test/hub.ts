import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { eraseRuns } from "../inngest/embedded/erase-runs";
import type { HubEvent } from "../inngest/events";
import { loadBooks } from "../server/catalogue/books/load-books";
import { loadCatalogue } from "../server/catalogue/load";
import { createHub, type Hub } from "../server/domain/hub";
import { openEndUserKey } from "../server/domain/labels";
import { readEnv } from "../server/env";
import { BODY_LIMITS, createByteBudget } from "../server/lib/byte-budget";
import { createJsonCodec } from "../server/lib/json/codec";
import { createLongWork } from "../server/lib/long-work";
import { createHubMetrics } from "../server/lib/metrics/hub-metrics";
import { createLog } from "../server/lib/log";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { openTracing } from "../server/lib/tracing/open-tracing";
import { openPaymentProviders } from "../server/payments/registry";
import { providers } from "../server/providers/registry";
import { measureStorage } from "../server/storage/measure-storage";
import { openStorage } from "../server/storage/open-storage";
import { openTombstones } from "../server/storage/open-tombstones";
import { testDatabase } from "./database";

export interface TestHub extends Hub {
  /** The hub's clock, which follows the real one. */
  clock: {
    /** Moves it forward. */
    advance: (ms: number) => void;
    /** Stops it until the returned function is called, so that nothing refills while a slow test runs. */
    freeze: () => () => void;
  };
  /** Events for the job engine, oldest first. */
  published: HubEvent[];
  /** Connection string of its database. */
  databaseUrl: string;
  /** Its data directory. */
  folder: string;
}

/** Opens a real hub on a private database, a private folder and the sandbox, without a job engine. */
export async function testHub(settings: Record<string, string> = {}): Promise<TestHub> {
  const { db, url: databaseUrl } = await testDatabase();
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-files-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = { ...readEnv({ LOG_LEVEL: "silent", ...settings }), HUB_DATA_DIR: folder };
  const log = createLog(env);
  const metrics = createHubMetrics();
  const tracing = await openTracing(env, log);
  let ahead = 0;
  let frozenAt: number | null = null;
  const now = () => new Date((frozenAt ?? Date.now()) + ahead);
  const freeze = () => {
    const since = (frozenAt = Date.now());
    return () => {
      ahead -= Date.now() - since;
      frozenAt = null;
    };
  };
  const fetch = createSafeFetch({ allowHosts: env.OUTBOUND_ALLOW_HOSTS });
  const published: HubEvent[] = [];
  const secret = "a secret of at least thirty-two characters";
  return createHub<Omit<TestHub, "services">>({
    env,
    // Tests compare what the hub has stored with what it serves; exposure.test.ts has the other settings.
    exposure: env.EXPOSE_ATTEMPTS ?? "full",
    secret,
    endUserKey: await openEndUserKey({ db, log, secret }),
    log,
    metrics,
    tracing,
    now,
    db,
    storage: measureStorage(await openStorage(env), metrics, tracing),
    tombstones: await openTombstones(env),
    fetch,
    catalogue: await loadCatalogue({ db, env, log, now }, {}),
    books: await loadBooks(db),
    providers,
    payments: await openPaymentProviders(env),
    presence: new Map(),
    isStopping: false,
    bodyBudget: createByteBudget(BODY_LIMITS.known),
    anonymousBodyBudget: createByteBudget(BODY_LIMITS.anonymous),
    json: createJsonCodec(),
    longWork: createLongWork(),
    chats: new Map(),
    jobEngine: { check: () => Promise.resolve(), eraseRuns },
    publish: (event) => void published.push(event),
    clock: { advance: (ms) => void (ahead += ms), freeze },
    published,
    databaseUrl,
    folder,
  });
}
