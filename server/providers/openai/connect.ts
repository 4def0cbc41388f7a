import { Pool } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import { memoizePer } from "../../lib/memoize-per";

export interface Connection {
  pool: Pool;
  /** Of the address under which the provider's operations stand. */
  path: string;
  headers: Record<string, string>;
}

const CONNECT_MS = 5_000;
/** How long an answer may pause once it has begun. */
const PAUSE_MS = 30_000;
const MAX_CONNECTIONS = 1_024;

/**
 * Kept-alive connections to a provider, for as long as its settings stand in the catalogue. The address is the
 * operator's own, so it may be a private one. The time of the whole call is limited by the caller's signal.
 */
export const getConnection = memoizePer(({ baseUrl, apiKey }: ProviderSettings): Connection => {
  const { origin, pathname } = new URL(baseUrl!);
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: PAUSE_MS,
  });
  return {
    pool,
    path: pathname.replace(/\/$/, ""),
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": "generation-hub",
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
  };
});
