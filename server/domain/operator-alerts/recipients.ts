import { AppError } from "../../errors";
import { sendToOperators } from "../alerts";
import type { OperatorAlertsHub } from "./hub";

/** Returns the recipients of the operators' alerts from the settings: addresses, and only the host of the Slack URL. */
export const getAlertRecipients = ({ env }: Pick<OperatorAlertsHub, "env">) => ({
  emails: env.ALERT_EMAILS,
  slack_host: env.ALERT_SLACK_URL ? new URL(env.ALERT_SLACK_URL).host : null,
});

/**
 * Sends a test to each of the operators' addresses and their Slack URL. Throws a 409 if the settings name none, and a 400
 * that says which was not reached.
 */
export async function sendTestToOperators(hub: Pick<OperatorAlertsHub, "env">): Promise<void> {
  const { ALERT_EMAILS, ALERT_SLACK_URL, BASE_URL } = hub.env;
  const recipients = [...ALERT_EMAILS, ...(ALERT_SLACK_URL ? [null] : [])];
  if (recipients.length === 0) throw new AppError("invalid_state", "Set ALERT_EMAILS or ALERT_SLACK_URL first.");
  const message = { subject: "Test of the operators' alerts", text: `The alerts of ${BASE_URL} arrive here.\n` };
  const results = await Promise.allSettled(recipients.map((email) => sendToOperators(hub, email, message)));
  const failed = results.flatMap((result, index) => {
    if (result.status === "fulfilled") return [];
    return [`${recipients[index] ?? "the Slack URL"}: ${(result.reason as Error).message}`];
  });
  if (failed.length > 0) throw new AppError("invalid_input", `Not sent to ${failed.join("; ")}`);
}
