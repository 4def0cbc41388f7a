import path from "node:path";
import { pathToFileURL } from "node:url";
import type * as composition from "./compose-hub";
import type { Hub } from "./context";
import { readEnv } from "./env";
import { OperatorError } from "./lib/operator-error";

const GLOBAL = Symbol.for("generation-hub");
const processGlobal = globalThis as { [GLOBAL]?: Promise<Hub> };

/** Makes a hub the one that Next's side of this process uses. */
export function shareHub(hub: Hub): void {
  processGlobal[GLOBAL] = Promise.resolve(hub);
}

/**
 * Returns the hub of this process, for Next's side: the one that the server shares or, under a plain `next start`, one that
 * the first call creates from the environment. After a failure the next call tries again.
 */
export function getHub(): Promise<Hub> {
  processGlobal[GLOBAL] ??= composeFromEnvironment().catch((error: unknown) => {
    delete processGlobal[GLOBAL];
    throw error;
  });
  return processGlobal[GLOBAL];
}

async function composeFromEnvironment(): Promise<Hub> {
  const env = readEnv();
  if (!env.DATABASE_URL) {
    throw new OperatorError("DATABASE_URL is not set: only `npm start` brings its own Postgres.");
  }
  // The server is built beside the pages; a second copy of it within them would take a tenth of their build.
  const file = pathToFileURL(path.resolve("dist/compose-hub.js")).href;
  const { composeHub } = (await import(/* turbopackIgnore: true */ file)) as typeof composition;
  return (await composeHub(env, env.DATABASE_URL)).hub;
}
