import type { RequestListener } from "node:http";
import type { Inngest } from "inngest";
import { createEmbeddedEngine } from "../../inngest/embedded/engine";
import { createFunctions } from "../../inngest/functions";
import { registerFunctions, serveFunctions } from "../../inngest/server/serve-functions";
import { endOrphanedChats } from "../domain/generations/run";
import { drainChats } from "../domain/chat";
import { bindIdentities } from "../domain/identities";
import { createListener } from "../api/listener";
import { observeRequest } from "../api/request-context";
import type { Membership } from "../db/embedded/membership";
import type { Hub } from "../domain/hub";
import type { Env } from "../env";
import { type Composition, composeHub } from "../compose-hub";
import { shareHub } from "../share-hub";
import { announceStart } from "./announce-start";
import { createDemo, type Demo } from "./demo";
import { logLibraryOutput } from "../lib/log";
import { startExportRunner } from "./export-runner";
import { createMetricsHandler, openMetrics } from "./metrics";
import { followJobs, followRouting } from "./notifications";
import type { HttpServer } from "./http";
import { startRecoverySweep } from "./recovery-sweep";
import { retryAfterCrash } from "./retry-after-crash";
import { startSandboxWorker } from "./sandbox-worker";
import { startWaitDispatch } from "./wait-dispatch";
import { startWarmUp } from "./warm-up";
import { watchClock } from "./watch-clock";
import { type RunningHub, runStopHooks, type ShutdownHooks } from "./lifecycle";
import { openPages } from "./pages";
import { createRequestListener } from "./request-listener";

interface Options {
  env: Env;
  http: HttpServer;
  database: Promise<Membership>;
  /** Pages are compiled again when their sources change. */
  dev: boolean;
  /** Whether no other process of this hub serves yet. */
  isFirst: boolean;
  /** When the process started, by `performance.now()`. */
  startedAt: number;
}

// Steps mostly wait for other systems: a few slow accounts and hanging webhook receivers must leave room. Drawing in
// this process has its own limit.
const ENGINE_SLOTS = 256;

/** Starts all parts of a hub and serves; retries if the database crashes meanwhile. Adds functions that stop them to `hooks`. */
export async function runHub(options: Options, hooks: ShutdownHooks): Promise<RunningHub> {
  // Next's code loads while Postgres starts. If that fails, openPages reports it.
  import("next").catch(() => undefined);
  const database = await options.database;
  return retryAfterCrash(database, async () => {
    const parts: ShutdownHooks = { stop: [], kill: [] };
    try {
      const running = await startParts({ ...options, database }, parts);
      hooks.stop.push(...parts.stop);
      return running;
    } catch (error) {
      await runStopHooks(parts, 0);
      throw error;
    }
  });
}

async function startParts(
  { env, http, dev, isFirst, startedAt, database }: Omit<Options, "database"> & { database: Membership },
  hooks: ShutdownHooks,
): Promise<RunningHub> {
  const composition = await composeHub(env, database.url);
  hooks.stop.push(() => composition.close());
  const { hub } = composition;
  if (env.AUTH_OIDC_ISSUER) await bindIdentities(hub.db, env.AUTH_OIDC_ISSUER);
  shareHub(hub);
  if (!dev) logLibraryOutput(hub.log);
  hooks.stop.push(() => hub.services.rejectionLog.flush());
  hooks.stop.push(() => hub.services.shareViews.flush());
  // Including those whose clients have hung up, which the HTTP server no longer tracks.
  hooks.stop.push((gracePeriodMs) => drainChats(hub, gracePeriodMs));
  hooks.stop.push(followRouting(hub, database.url), followJobs(hub, database.url));
  const inngest = await composition.getInngest();
  if (!env.inngest) await startEngine(hub, inngest, database.url, hooks);
  hooks.stop.push(startRecoverySweep(hub), startWaitDispatch(hub), startExportRunner(hub), watchClock(hub));
  if (env.SANDBOX_WORKER === "on") hooks.stop.push(startSandboxWorker(hub));
  const pages = await openPages(http.server, env.PORT, { dev, secrets: hub });
  hooks.stop.push(() => pages.close());

  const demo = env.embedded && isFirst ? await prepareEmbedded(hub) : null;
  if (env.METRICS_PORT) hooks.stop.push((await openMetrics(hub, env.METRICS_PORT)).close);
  const metrics = env.METRICS_TOKEN ? createMetricsHandler(hub, env.METRICS_TOKEN) : undefined;
  const servePage: RequestListener = (request, response) => {
    observeRequest(hub, response, "console");
    pages.handle(request, response);
  };
  await http.serve(createRequestListener({ api: createListener(hub), pages: servePage, metrics }, env));
  registerWithServer(composition, inngest, hooks);
  // Finds what a crash left behind at once, not only at the next full minute.
  hub.publish({ name: "hub/sweep", data: {} });
  if (isFirst) hooks.stop.push(announceStart(hub, { startedAt, demo }));
  if (!dev) hooks.stop.push(startWarmUp(pages.handle, hub));
  return {
    lost: database.lost,
    prepareStop() {
      hub.isStopping = true;
      hub.services.jobWaiters.close();
      hub.services.endWaiters.close();
      hub.services.openStreams.close();
    },
  };
}

/** Does what only the first process on an embedded cluster may do. Returns the demo account if it created one. */
async function prepareEmbedded(hub: Hub): Promise<Demo | null> {
  // No other process serves yet, so running chats belong to a killed process.
  await endOrphanedChats(hub);
  return createDemo(hub);
}

async function startEngine(hub: Hub, inngest: Inngest, listenUrl: string, hooks: ShutdownHooks): Promise<void> {
  const functions = createFunctions(inngest, hub);
  const { log, now, metrics } = hub;
  const onTick = (seconds: number) => metrics.engineRound.observe({}, seconds);
  const engine = createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots: ENGINE_SLOTS, onTick });
  hooks.stop.push((gracePeriodMs) => engine.stop(gracePeriodMs));
  await engine.start();
}

/** Registers the functions with the Inngest server, which calls them as soon as this process listens. */
function registerWithServer({ hub, server }: Composition, inngest: Inngest, hooks: ShutdownHooks): void {
  if (!server) return;
  const { BASE_URL } = hub.env;
  const handler = serveFunctions(inngest, createFunctions(inngest, hub), BASE_URL);
  const register = () => {
    // A server that was down may have lost the events that it received.
    hub.publish({ name: "hub/sweep", data: {} });
    return registerFunctions(handler, BASE_URL);
  };
  hooks.stop.push(server.keepRegistered(register));
}
