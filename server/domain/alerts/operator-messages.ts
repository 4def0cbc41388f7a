import type { Queryable } from "../../db/client";
import { array, jsonText, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Env } from "../../env";
import { getMailer } from "../../lib/mail";
import { memoizePer } from "../../lib/memoize-per";
import { createServerFetch } from "../../lib/safe-fetch";
import type { AlertsHub } from "./hub";
import { postToSlack } from "./post-to-slack";

/** What operators get by e-mail, or as one text by their Slack URL. */
export interface OperatorMessage {
  subject: string;
  text: string;
}

/** Stores a message for each of the operators' addresses and for their Slack URL, in the caller's transaction. */
export async function insertOperatorMessages(
  { env, now }: Pick<AlertsHub, "env" | "now">,
  tx: Queryable,
  message: OperatorMessage,
): Promise<void> {
  const { ALERT_EMAILS, ALERT_SLACK_URL } = env;
  const recipients = [...new Set<string | null>([...ALERT_EMAILS, ...(ALERT_SLACK_URL ? [null] : [])])];
  await insertMessages(tx, recipients, JSON.stringify(message), now());
}

const insertMessages = statement({
  params: [array(nullable(text)), jsonText, timestamptz],
  row: {},
  text: `
    INSERT INTO alert_message (id, email, data, created_at, next_attempt_at)
    SELECT gen_random_uuid(), email, $2::json, $3, $3 FROM unnest($1::text[]) recipient (email)`,
});

/**
 * Sends a message to one of the operators' addresses, or to their Slack URL if the address is null. Does nothing if the
 * settings no longer name it.
 */
export async function sendToOperators(
  { env }: Pick<AlertsHub, "env">,
  email: string | null,
  { subject, text }: OperatorMessage,
  messageId?: string,
): Promise<void> {
  if (email === null && env.ALERT_SLACK_URL)
    await postToSlack(getFetch(env), env.ALERT_SLACK_URL, `${subject}\n${text}`);
  if (email !== null && env.ALERT_EMAILS.includes(email))
    await getMailer(env).send?.({ to: email, subject, text, messageId });
}

const getFetch = memoizePer(({ ALERT_SLACK_URL }: Env) => createServerFetch(ALERT_SLACK_URL!));
