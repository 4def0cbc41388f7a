import { Pool } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import { memoizePer } from "../../lib/memoize-per";
import { createConnector } from "./never-sent";

export interface Connection {
  pool: Pool;
  origin: string;
  /** Path prefix of the provider's endpoints, without a trailing slash. */
  path: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum time between two chunks of a response body. */
const BODY_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 1_024;

/**
 * Returns the keep-alive connection pool of a provider, one per settings object of the catalogue. The URL comes from the
 * operator, so it may be a private address. The caller's signal limits the duration of the whole request.
 */
export const getConnection = memoizePer(({ baseUrl }: ProviderSettings): Connection => {
  const { origin, pathname } = new URL(baseUrl!);
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: createConnector(CONNECT_TIMEOUT_MS),
    headersTimeout: 0,
    bodyTimeout: BODY_TIMEOUT_MS,
  });
  return { pool, origin, path: pathname.replace(/\/$/, "") };
});
