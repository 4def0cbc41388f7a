import { bytea, int4, int8Number, json, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { getMailer } from "../../lib/mail";
import type { AlertName } from "../events";
import { type AlertData, describeAlert } from "./describe-alert";
import type { AlertsHub } from "./hub";
import { type OperatorMessage, sendToOperators } from "./operator-messages";
import { postToSlack } from "./post-to-slack";
import { decryptSlackUrl } from "./slack-url";

/** Messages per round; they are sent concurrently. */
const MAX_CLAIMED = 20;
const MAX_ROUNDS = 10;
/** Longer than a message takes to be sent, so that one whose process was killed is sent again. */
const LEASE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** How long after each failed attempt the next one is made. */
const RETRY_MINUTES = [1, 5, 30, 120, 720];

/**
 * Sends the messages of alerts that are due, and returns how many were sent. A process that is killed after it has sent a
 * message and before it has deleted it sends it again, as an e-mail with the same Message-ID.
 */
export async function sendMessages(hub: AlertsHub): Promise<number> {
  let sent = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const now = hub.now();
    const claimed = await claimMessages(hub.db, now, new Date(now.getTime() + LEASE_MS), MAX_CLAIMED);
    const results = await Promise.all(claimed.map((message) => trySend(hub, message)));
    sent += results.filter(Boolean).length;
    if (claimed.length < MAX_CLAIMED) break;
  }
  return sent;
}

const messageColumns = {
  id: uuid,
  /** Null for a message to operators, as is the event. */
  account_id: nullable(int4),
  event: nullable(textOf<AlertName>()),
  data: json<AlertData | OperatorMessage>(),
  attempts: int4,
  /** Null for a Slack URL. */
  email: nullable(text),
  slack_url: nullable(bytea),
};
type Message = RowOf<typeof messageColumns>;

async function trySend(hub: AlertsHub, message: Message): Promise<boolean> {
  try {
    await send(hub, message);
    await deleteMessage(hub.db, message.id);
    return true;
  } catch (error) {
    hub.log.warn({ err: error, account: message.account_id, event: message.event }, "alert not sent");
    const minutes = RETRY_MINUTES[message.attempts - 1];
    if (minutes === undefined) await deleteMessage(hub.db, message.id);
    else await postponeMessage(hub.db, message.id, new Date(hub.now().getTime() + minutes * MINUTE_MS));
    return false;
  }
}

/** Sends a message; does nothing if its recipient or URL was removed meanwhile. */
async function send(hub: AlertsHub, message: Message): Promise<void> {
  const { id, account_id, email, slack_url } = message;
  const messageId = `<alert-${id}@${new URL(hub.env.BASE_URL).hostname}>`;
  if (account_id === null) return sendToOperators(hub, email, message.data as OperatorMessage, messageId);
  const { subject, text } = describeAlert(hub.env, message.event!, message.data as AlertData);
  if (email !== null) return getMailer(hub.env).send?.({ to: email, subject, text, messageId });
  const url = slack_url && decryptSlackUrl(hub, account_id, slack_url);
  if (url) await postToSlack(hub.fetch, url, `${subject}\n${text}`);
}

// A recipient who was removed meanwhile, or whose membership ended, gets nothing any more.
const claimMessages = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: messageColumns,
  text: `
    WITH due AS MATERIALIZED (
      SELECT id FROM alert_message WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    claimed AS (
      UPDATE alert_message m SET next_attempt_at = $2, attempts = m.attempts + 1 FROM due WHERE m.id = due.id
      RETURNING m.id, m.account_id, m.person_id, m.event, m.data, m.attempts, m.email
    )
    SELECT claimed.id, claimed.account_id, claimed.event, claimed.data, claimed.attempts,
           coalesce(p.email, claimed.email) AS email,
           CASE WHEN claimed.person_id IS NULL THEN s.slack_url END AS slack_url
    FROM claimed
    LEFT JOIN alert_recipient r ON r.account_id = claimed.account_id AND r.person_id = claimed.person_id
    LEFT JOIN person p ON p.id = r.person_id
    LEFT JOIN alert_setting s ON s.account_id = claimed.account_id`,
});

const deleteMessage = statement({ params: [uuid], row: {}, text: "DELETE FROM alert_message WHERE id = $1" });

const postponeMessage = statement({
  params: [uuid, timestamptz],
  row: {},
  text: "UPDATE alert_message SET next_attempt_at = $2 WHERE id = $1",
});
