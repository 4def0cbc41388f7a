import { composeHub } from "./compose-hub";
import type { Hub } from "./domain/hub";
import { readEnv } from "./env";
import { OperatorError } from "./lib/operator-error";

export { loadPageApi } from "./share-hub";

let hub: Promise<Hub> | undefined;

/**
 * Returns the hub of a plain `next start`, which the first call creates from the environment. After a failure the next call
 * tries again.
 */
export function getHub(): Promise<Hub> {
  hub ??= composeFromEnvironment().catch((error: unknown) => {
    hub = undefined;
    throw error;
  });
  return hub;
}

async function composeFromEnvironment(): Promise<Hub> {
  const env = readEnv();
  if (!env.DATABASE_URL) {
    throw new OperatorError("DATABASE_URL is not set: only `npm start` brings its own Postgres.");
  }
  return (await composeHub(env, env.DATABASE_URL)).hub;
}
