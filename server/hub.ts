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
  // Loaded only here: pages are served by a hub that is composed already, and need none of what composing takes.
  const { composeHub } = await import("./compose-hub");
  return (await composeHub(env, env.DATABASE_URL)).hub;
}
