import type { Hub } from "../../context";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../lib/concurrency-limit";
import { memoizePer } from "../../lib/memoize-per";

/**
 * Statements that move money take turns in a process, on the connection `db.money`. Most of what one costs does not
 * depend on how many it serves, so few of many are worth more than many of few; and two of them would only wait for each
 * other's accounts. The next one is sent while one runs, so that Postgres need not wait for it.
 */
export const ledgerWriteLimiter = memoizePer<Hub, ConcurrencyLimit>(() => createConcurrencyLimit(2));
