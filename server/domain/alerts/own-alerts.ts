import type { Actor, Ctx } from "../../context";
import { bool, int4, notNull } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { getMailer } from "../../lib/mail";
import type { AlertsHub } from "./hub";

/** Returns whether the person of the session gets the account's alerts by e-mail, and whether the hub can send them. */
export async function getOwnAlerts({ hub, account, actor }: Ctx<AlertsHub>) {
  const [own] = await selectOwn(hub.db, account.id, getPersonId(actor));
  return { ...own!, sends_mail: getMailer(hub.env).send !== null };
}

const selectOwn = statement({
  params: [int4, int4],
  row: { is_verified: notNull(bool), is_recipient: bool },
  text: `
    SELECT p.email_verified_at IS NOT NULL AS is_verified,
           EXISTS (SELECT FROM alert_recipient r WHERE r.account_id = $1 AND r.person_id = p.id) AS is_recipient
    FROM person p WHERE p.id = $2`,
});

/** Lets the person of the session get the account's alerts by e-mail, or ends it. */
export async function chooseOwnAlerts({ hub, account, actor }: Ctx<AlertsHub>, isRecipient: boolean): Promise<void> {
  const change = isRecipient ? insertRecipient : deleteRecipient;
  await change(hub.db, account.id, getPersonId(actor));
}

function getPersonId(actor: Actor): number {
  if (actor.kind !== "user" || !actor.person) throw new AppError("unauthorized", "Sign in to continue.");
  return actor.person.id;
}

const insertRecipient = statement({
  params: [int4, int4],
  row: {},
  text: `
    INSERT INTO alert_recipient (account_id, person_id)
    SELECT account_id, person_id FROM membership WHERE account_id = $1 AND person_id = $2 FOR KEY SHARE
    ON CONFLICT DO NOTHING`,
});

const deleteRecipient = statement({
  params: [int4, int4],
  row: {},
  text: "DELETE FROM alert_recipient WHERE account_id = $1 AND person_id = $2",
});
