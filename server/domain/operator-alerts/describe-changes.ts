import type { Env } from "../../env";
import type { OperatorMessage } from "../alerts";
import type { OperatorAlertName } from "./finding";

/** An alert that was raised, or is over. */
interface OperatorAlertChange {
  name: OperatorAlertName;
  subject: string;
  detail: string;
  is_raised: boolean;
}

/** The most changes that one message lists; it counts the others. */
const MAX_LISTED = 20;

interface AlertText {
  raised: (subject: string) => string;
  over: (subject: string) => string;
  /** The page of the operator's console that shows more. */
  path: string;
}

const texts: Record<OperatorAlertName, AlertText> = {
  "provider.down": {
    raised: (provider) => `Provider ${provider} is down`,
    over: (provider) => `Provider ${provider} works again`,
    path: "/admin/providers",
  },
  backlog: {
    raised: (subject) => `Backlog of ${subject}`,
    over: (subject) => `No backlog of ${subject} any more`,
    path: "/admin",
  },
  "audit.not_clean": {
    raised: (subject) => `The audit found violations in the ${subject}`,
    over: (subject) => `The audit finds the ${subject} consistent again`,
    path: "/admin",
  },
  "disk.nearly_full": {
    raised: (folder) => `The disk of ${folder} is nearly full`,
    over: (folder) => `The disk of ${folder} has enough space again`,
    path: "/admin",
  },
  "payment.failed": {
    raised: (subject) => `Failed payment: ${subject}`,
    over: (subject) => `No failed payment any more: ${subject}`,
    path: "/admin/payments",
  },
  "payment.disputed": {
    raised: (payment) => `Dispute of ${payment}`,
    over: (payment) => `No open dispute of ${payment} any more`,
    path: "/admin/payments",
  },
};

/** Returns an alert as one line. */
export const describeAlert = ({ name, subject, is_raised }: Omit<OperatorAlertChange, "detail">): string =>
  texts[name][is_raised ? "raised" : "over"](subject);

/** Returns the message about changes of alerts, of which there is at least one. */
export function describeChanges({ BASE_URL }: Env, changes: OperatorAlertChange[]): OperatorMessage {
  const [first, ...others] = changes;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const listed = changes.slice(0, MAX_LISTED).map((change) => {
    const detail = change.is_raised ? [`${change.detail}.`] : [];
    return [`${describeAlert(change)}.`, ...detail, BASE_URL + texts[change.name].path].join("\n");
  });
  const omitted = changes.length > MAX_LISTED ? [`${changes.length - MAX_LISTED} more are in ${BASE_URL}/admin`] : [];
  return {
    subject: `${new URL(BASE_URL).host}: ${describeAlert(first!)}${more}`,
    text: `${[...listed, ...omitted].join("\n\n")}\n`,
  };
}
