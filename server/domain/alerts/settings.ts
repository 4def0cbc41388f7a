import type { z } from "zod";
import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { array, bool, bytea, int4, int8, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { getMailer } from "../../lib/mail";
import { ceilToNano, toEurosOrNull } from "../../lib/money";
import type { AlertsHub } from "./hub";
import type { AlertInput } from "./input";
import { decryptSlackUrl, encryptSlackUrl } from "./slack-url";

/** Returns the alert settings of the account, with only the host of the Slack URL, and all members. */
export async function getAlertSettings({ hub, account }: Ctx<AlertsHub>) {
  const [[setting], members] = await Promise.all([
    selectSetting(hub.db, account.id),
    selectMembers(hub.db, account.id),
  ]);
  const encrypted = setting?.slack_url ?? null;
  return {
    low_amount: toEurosOrNull(setting?.low_amount ?? null),
    slack_host: encrypted && describeUrl(decryptSlackUrl(hub, account.id, encrypted)),
    sends_mail: getMailer(hub.env).send !== null,
    members,
  };
}

const describeUrl = (url: string | null): string => (url === null ? "unreadable" : new URL(url).host);

/** Returns the setting of the account `$1`; no row if it has changed nothing. */
export const selectSetting = statement({
  params: [int4],
  row: { low_amount: nullable(int8), slack_url: nullable(bytea) },
  text: "SELECT low_amount, slack_url FROM alert_setting WHERE account_id = $1",
});

const selectMembers = statement({
  params: [int4],
  row: { id: int4, email: text, is_verified: bool, is_recipient: bool },
  text: `
    SELECT p.id, p.email, p.email_verified_at IS NOT NULL AS is_verified, r.person_id IS NOT NULL AS is_recipient
    FROM membership m JOIN person p ON p.id = m.person_id
    LEFT JOIN alert_recipient r ON r.account_id = m.account_id AND r.person_id = m.person_id
    WHERE m.account_id = $1 ORDER BY p.email LIMIT 1000`,
});

/** Changes the alert settings of the account. Throws a 400 for an amount or URL that is invalid. */
export async function changeAlertSettings(
  { hub, account }: Ctx<AlertsHub>,
  { low_amount, slack_url, recipients }: z.output<typeof AlertInput>,
): Promise<void> {
  const url = typeof slack_url === "string" ? await encryptSlackUrl(hub, account.id, slack_url) : slack_url;
  const now = hub.now();
  await hub.db.transaction(async (tx) => {
    if (low_amount !== undefined) await setLowAmount(tx, account.id, low_amount, now);
    if (url !== undefined) await setSlackUrl(tx, account.id, url, now);
    if (recipients !== undefined) await setRecipients(tx, account.id, recipients);
  });
}

async function setLowAmount(tx: Queryable, accountId: number, euros: number | null, now: Date): Promise<void> {
  await upsertLowAmount(tx, accountId, euros === null ? null : ceilToNano(euros), now);
  // The balance can cross the new threshold again, so the alert is cleared.
  await clearLow(tx, accountId, now);
}

// The new `changed_at` makes the next search for alerts include this account.
const upsertLowAmount = statement({
  params: [int4, nullable(int8), timestamptz],
  row: {},
  text: `
    INSERT INTO alert_setting (account_id, low_amount, changed_at) VALUES ($1, $2, $3)
    ON CONFLICT (account_id) DO UPDATE SET low_amount = excluded.low_amount, changed_at = excluded.changed_at`,
});

const clearLow = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    UPDATE alert SET is_raised = false, changed_at = $2 WHERE account_id = $1 AND event = 'balance.low' AND is_raised`,
});

const setSlackUrl = statement({
  params: [int4, nullable(bytea), timestamptz],
  row: {},
  text: `
    INSERT INTO alert_setting (account_id, slack_url, changed_at) VALUES ($1, $2, $3)
    ON CONFLICT (account_id) DO UPDATE SET slack_url = excluded.slack_url`,
});

/** Removes the Slack URL of the account `$1`, and what was to be sent to it. */
export const forgetSlackUrl = statement({
  params: [int4],
  row: {},
  text: `
    WITH unsent AS (DELETE FROM alert_message WHERE account_id = $1 AND person_id IS NULL)
    UPDATE alert_setting SET slack_url = NULL WHERE account_id = $1`,
});

// The members are locked, so that none of them is removed before the insert.
const setRecipients = statement({
  params: [int4, array(int4)],
  row: {},
  text: `
    WITH removed AS (DELETE FROM alert_recipient WHERE account_id = $1 AND NOT person_id = ANY ($2::integer[]))
    INSERT INTO alert_recipient (account_id, person_id)
    SELECT account_id, person_id FROM membership WHERE account_id = $1 AND person_id = ANY ($2::integer[])
    FOR KEY SHARE
    ON CONFLICT DO NOTHING`,
});
