import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { HubEvent } from "../inngest/events";
import { loadCatalogue } from "../server/catalogue/load";
import type { Hub } from "../server/context";
import { createHub } from "../server/domain/services";
import { readEnv } from "../server/env";
import { BODY_LIMITS, createByteBudget } from "../server/lib/byte-budget";
import { createJsonCodec } from "../server/lib/json/codec";
import { createLongWork } from "../server/lib/long-work";
import { createLog } from "../server/lib/log";
import { createRateLimits } from "../server/lib/rate-limits";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { providers } from "../server/providers/registry";
import { openDiskStorage } from "../server/storage/disk";
import { testDatabase } from "./database";

export interface TestHub extends Hub {
  /** Moves the hub's clock on; it runs with the real one otherwise. */
  clock: { advance: (ms: number) => void };
  /** What would have gone to the job engine, oldest first. */
  published: HubEvent[];
  /** Connection string of its database. */
  databaseUrl: string;
  /** Its data directory. */
  folder: string;
}

/** A real hub on a private database, a private folder and the sandbox, without a job engine. */
export async function testHub(settings: Record<string, string> = {}): Promise<TestHub> {
  const { db, url: databaseUrl } = await testDatabase();
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-files-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = readEnv({ LOG_LEVEL: "silent", ...settings });
  const log = createLog(env);
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const published: HubEvent[] = [];
  return createHub<Omit<TestHub, "services">>({
    env,
    secret: "a secret of at least thirty-two characters",
    log,
    now,
    db,
    storage: await openDiskStorage(path.join(folder, "files")),
    fetch: createSafeFetch({ allowHosts: env.OUTBOUND_ALLOW_HOSTS }),
    catalogue: await loadCatalogue({ db, env, log, now }, {}),
    providers,
    presence: new Map(),
    bodyBudget: createByteBudget(BODY_LIMITS),
    json: createJsonCodec(),
    longWork: createLongWork(),
    rateLimits: createRateLimits(env),
    chats: new Map(),
    jobEngine: { check: () => Promise.resolve() },
    publish: (event) => void published.push(event),
    clock: { advance: (ms) => void (ahead += ms) },
    published,
    databaseUrl,
    folder,
  });
}
