import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Inngest } from "inngest";
import { eraseRuns } from "../inngest/embedded/erase-runs";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createPublisher } from "../inngest/publisher";
import { createServerConnection, type ServerConnection } from "../inngest/server/connection";
import { loadBooks } from "./catalogue/books/load-books";
import { loadCatalogue } from "./catalogue/load";
import { openDb } from "./db/client";
import { readExposure } from "./domain/exposure";
import { createHub, type Hub } from "./domain/hub";
import { openEndUserKey } from "./domain/labels";
import type { Env } from "./env";
import { BODY_LIMITS, createByteBudget } from "./lib/byte-budget";
import { readOrCreateFile } from "./lib/read-or-create-file";
import { createLog } from "./lib/log";
import { createJsonCodec } from "./lib/json/codec";
import { createLongWork } from "./lib/long-work";
import { createHubMetrics } from "./lib/metrics/hub-metrics";
import { createSafeFetch } from "./lib/safe-fetch";
import { openTracing } from "./lib/tracing/open-tracing";
import type { Tracing } from "./lib/tracing/tracing";
import { providers } from "./providers/registry";
import { openPaymentProviders } from "./payments/registry";
import { measureStorage } from "./storage/measure-storage";
import { openStorage } from "./storage/open-storage";
import { openTombstones } from "./storage/open-tombstones";

export interface Composition {
  hub: Hub;
  /** Returns the client with which the job functions are created and events are sent. */
  getInngest: () => Promise<Inngest>;
  /** Absent if the embedded engine runs the jobs. */
  server?: ServerConnection;
  /** Sends the published events, then closes the database. */
  close(): Promise<void>;
}

/** Creates the hub of a process from its settings. The database must be migrated. */
export async function composeHub(
  env: Env,
  databaseUrl: string,
  load = loadCatalogue,
  loadPriceBooks = loadBooks,
): Promise<Composition> {
  let tracing: Tracing | null = null;
  const log = createLog(env, () => tracing?.traceId());
  tracing = await openTracing(env, log);
  const metrics = createHubMetrics();
  const now = () => new Date();
  const db = openDb(databaseUrl, env.DATABASE_POOL_SIZE);
  try {
    const server = env.inngest ? createServerConnection(env.inngest, log) : undefined;
    // The connection to a server logs an error once; the SDK would log it on every attempt.
    const connection = server ? { fetch: server.fetch } : { log, fetch: embeddedFetch(db, now) };
    // Most commands publish nothing, and the SDK is a seventh of what they would load.
    const loadInngest = async () => (await import("../inngest/client")).createInngest({ env, ...connection });
    let loading: Promise<Inngest> | undefined;
    const getInngest = () => (loading ??= loadInngest());
    const send: Inngest["send"] = async (events) => (await getInngest()).send(events);
    const publisher = createPublisher({ send }, log, server ? "debug" : "warn");
    const fetch = createSafeFetch({ allowHosts: env.OUTBOUND_ALLOW_HOSTS });
    const longWork = createLongWork();
    const secret = env.HUB_SECRET ?? (await readOrCreateFile(path.join(env.HUB_DATA_DIR, "secret"), createSecret));
    const previousSecret = env.HUB_SECRET_PREVIOUS;
    const hub: Hub = createHub({
      env,
      exposure: await readExposure({ db }, env),
      secret,
      previousSecret,
      endUserKey: await openEndUserKey({ db, log, secret, previousSecret }),
      log,
      metrics,
      tracing,
      now,
      db,
      storage: measureStorage(await openStorage(env), metrics, tracing),
      tombstones: await openTombstones(env),
      fetch,
      catalogue: await load({ db, env, log, now }),
      books: await loadPriceBooks(db),
      providers,
      payments: await openPaymentProviders(env),
      presence: new Map(),
      isStopping: false,
      bodyBudget: createByteBudget(BODY_LIMITS.known),
      anonymousBodyBudget: createByteBudget(BODY_LIMITS.anonymous),
      json: createJsonCodec(longWork),
      longWork,
      chats: new Map(),
      // The embedded engine lives in the database, where its runs stay when a server takes over.
      jobEngine: {
        check: server ? () => server.check() : async () => void (await db.query("SELECT 1")),
        eraseRuns,
      },
      publish: (event) => publisher.publish(event),
    });
    return {
      hub,
      getInngest,
      server,
      async close() {
        await publisher.flush();
        await db.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    await db.close();
    await tracing?.close();
    throw error;
  }
}

const createSecret = () => randomBytes(32).toString("hex");
