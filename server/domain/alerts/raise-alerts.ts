import type { Queryable } from "../../db/client";
import { int4, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { getMailer } from "../../lib/mail";
import { dispatchDeliveries, type PendingDelivery } from "../events";
import { type AlertChange, applyChange } from "./alert-change";
import { findAccountChanges, findWebhookChanges } from "./find-changes";
import type { AlertsHub } from "./hub";

/** Changes commit later than their timestamps say, and the clocks of processes differ. */
const MARGIN_MS = 2 * 60_000;
/** Accounts per transaction. */
const BATCH_SIZE = 200;

/**
 * Looks for alerts in what has changed since the last search, and raises or clears them. An alert, its events and its messages
 * are committed together, so each crossing raises one alert, and none is lost. Returns how many accounts it examined.
 */
export async function raiseAlerts(hub: AlertsHub): Promise<number> {
  const now = hub.now();
  const [search] = await selectSearch(hub.db);
  // The clock may have been set back.
  const until = Math.min(search!.searched_until?.getTime() ?? Infinity, now.getTime());
  const since = new Date(until - MARGIN_MS);
  const accounts = (await selectActive(hub.db, since)).map(({ id }) => id);
  for (let start = 0; start < accounts.length; start += BATCH_SIZE) {
    const ids = accounts.slice(start, start + BATCH_SIZE);
    await raise(hub, (tx) => findAccountChanges(tx, hub, { ids, since, now }), now);
  }
  await raise(hub, (tx) => findWebhookChanges(tx, since, now), now);
  // Last, so that a search that is killed is repeated.
  await updateSearch(hub.db, now);
  return accounts.length;
}

async function raise(hub: AlertsHub, find: (tx: Queryable) => Promise<AlertChange[]>, now: Date): Promise<void> {
  const sendsMail = getMailer(hub.env).send !== null;
  const deliveries = await hub.db.transaction(async (tx) => {
    await lockSearch(tx);
    const pending: PendingDelivery[] = [];
    // Events lock their accounts, in one order.
    const changes = (await find(tx)).sort((one, other) => one.accountId - other.accountId);
    for (const change of changes) pending.push(...(await applyChange(tx, change, { now, sendsMail })));
    return pending;
  });
  dispatchDeliveries(hub, deliveries);
}

const selectSearch = statement({
  params: [],
  row: { searched_until: nullable(timestamptz) },
  text: "SELECT searched_until FROM alert_search",
});

/** Lets one process search at a time, so that none raises an alert that another has found to be over. */
const lockSearch = statement({ params: [], row: {}, text: "SELECT FROM alert_search FOR UPDATE" });

const updateSearch = statement({
  params: [timestamptz],
  row: {},
  text: "UPDATE alert_search SET searched_until = $1",
});

const selectActive = statement({
  params: [timestamptz],
  row: { id: int4 },
  text: `
    SELECT account_id AS id FROM ledger_entry WHERE created_at >= $1
    UNION SELECT account_id FROM rejected_request WHERE created_at >= $1 AND code = 'insufficient_credits'
    UNION SELECT account_id FROM alert_setting WHERE changed_at >= $1
    ORDER BY 1`,
});
