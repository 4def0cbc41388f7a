import type { Hub } from "../../context";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../lib/concurrency-limit";
import { memoizePer } from "../../lib/memoize-per";

/**
 * Limits the concurrent ledger writes of a process, which run on `db.ledgerConnection`. A statement's cost hardly
 * depends on its number of rows, so fewer and larger batches are cheaper, and concurrent ones would only wait for each
 * other's account locks. The limit is two, so that Postgres has the next statement as soon as one ends.
 */
export const ledgerWriteLimiter = memoizePer<Hub, ConcurrencyLimit>(() => createConcurrencyLimit(2));
