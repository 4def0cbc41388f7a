import { createEmbeddedEngine } from "../../inngest/embedded/engine";
import { createFunctions } from "../../inngest/functions";
import { registerFunctions, serveFunctions } from "../../inngest/server/serve-functions";
import { endOrphanedChats } from "../domain/generations/chat-lease";
import { createListener } from "../api/listener";
import type { Env } from "../env";
import { drainChats } from "../domain/chat/in-flight";
import { type Composition, composeHub, shareHub } from "../hub";
import { openDataDir } from "./data-dir";
import { openDatabase } from "./database";
import { createDemo } from "./demo";
import { logLibraryOutput } from "../lib/log";
import { followRouting, followWorkers } from "./notifications";
import { startupBanner } from "./startup-banner";
import type { HttpServer } from "./http";
import { startRecoverySweep } from "./recovery-sweep";
import { startSandboxWorker } from "./sandbox-worker";
import { startWaitDispatch } from "./wait-dispatch";
import type { RunningHub, ShutdownHooks } from "./lifecycle";
import { openPages } from "./pages";
import { createRequestListener } from "./request-listener";

interface Options {
  env: Env;
  http: HttpServer;
  /** Pages are made anew as their sources change. */
  dev: boolean;
  /** When the process began, by `performance.now()`. */
  startedAt: number;
}

// Steps mostly wait for others: a few slow accounts and hanging webhook receivers must leave room. What draws in
// process has a limit of its own.
const ENGINE_SLOTS = 256;

/** Starts all that a hub is, and serves. What was started by the time of a failure stands in `hooks`. */
export async function runHub({ env, http, dev, startedAt }: Options, hooks: ShutdownHooks): Promise<RunningHub> {
  await openDataDir(env.HUB_DATA_DIR);
  const database = await openDatabase(env, "server");
  hooks.stop.push(() => database.leave());
  hooks.kill.push(() => database.kill());
  const composition = await composeHub(env, database.url);
  hooks.stop.push(() => composition.close());
  const { hub } = composition;
  shareHub(hub);
  if (!dev) logLibraryOutput(hub.log);
  hooks.stop.push(() => hub.services.rejectionLog.flush());
  // Also those whose clients have hung up, of whom the HTTP server knows nothing any more.
  hooks.stop.push((gracePeriodMs) => drainChats(hub, gracePeriodMs));
  hooks.stop.push(followRouting(hub, database.url), followWorkers(hub, database.url));
  if (!env.inngest) await startEngine(composition, database.url, hooks);
  hooks.stop.push(startRecoverySweep(hub), startWaitDispatch(hub));
  if (env.SANDBOX_WORKER === "on") hooks.stop.push(startSandboxWorker(hub));
  const pages = await openPages(http.server, env.PORT, dev);
  hooks.stop.push(() => pages.close());

  const demo = env.embedded ? await createDemo(hub) : null;
  // Whoever holds the place of the embedded cluster's server is alone: chats that run are a killed process's.
  if (env.embedded) await endOrphanedChats(hub);
  http.serve(createRequestListener({ api: createListener(hub), pages: pages.handle }, env));
  registerWithServer(composition, hooks);
  // What a crash left behind is found now, and not at the next full minute.
  hub.publish({ name: "hub/sweep", data: {} });
  process.stdout.write(startupBanner(hub, performance.now() - startedAt, demo));
  return {
    lost: database.lost,
    endWaits: () => hub.services.jobWaiters.close(),
  };
}

async function startEngine({ hub, inngest }: Composition, listenUrl: string, hooks: ShutdownHooks): Promise<void> {
  const functions = createFunctions(inngest, hub);
  const { log, now } = hub;
  const engine = createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots: ENGINE_SLOTS });
  hooks.stop.push((gracePeriodMs) => engine.stop(gracePeriodMs));
  await engine.start();
}

/** Registers the functions with the Inngest server, which calls them as soon as this process listens. */
function registerWithServer({ hub, inngest, server }: Composition, hooks: ShutdownHooks): void {
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
