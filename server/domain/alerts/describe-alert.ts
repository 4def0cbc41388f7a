import type { Env } from "../../env";
import type { AlertName } from "../events";

/** The members of an alert's `data` that its text names. */
export interface AlertData {
  account: { email: string; name: string | null };
  balance: number;
  available: number;
  threshold: number;
  key: { id: string; name: string };
  budget: { id: string; name: string };
  amount: number;
  end_user: string | null;
  spend_limit: number;
  resets_at: string | null;
  webhook: { id: string; url: string };
  status: number | null;
  error: string | null;
}

interface AlertText {
  subject: (data: AlertData, account: string) => string;
  text: (data: AlertData) => string;
  /** The page of the console that shows more. */
  path: (data: AlertData) => string;
}

const formatEuros = (euros: number): string =>
  `${euros.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 7, useGrouping: false })} EUR`;

const describeReset = (at: string | null): string => (at ? `It resets at ${at}.` : "It never resets.");

const texts: Record<AlertName, AlertText> = {
  "balance.low": {
    subject: (_, account) => `Low balance: ${account}`,
    text: ({ balance, threshold }) => `The balance is ${formatEuros(balance)}, below ${formatEuros(threshold)}.`,
    path: () => "/balance",
  },
  "balance.exhausted": {
    subject: (_, account) => `Balance exhausted: ${account}`,
    text: ({ available }) =>
      `${formatEuros(available)} are available, so requests are rejected. They succeed again after a top-up.`,
    path: () => "/balance",
  },
  "key.limit_reached": {
    subject: ({ key }, account) => `Spend limit of the API key ${key.name} reached: ${account}`,
    text: ({ key, spend_limit, resets_at }) =>
      `The API key ${key.name} has reached its spend limit of ${formatEuros(spend_limit)}. ` + describeReset(resets_at),
    path: ({ key }) => `/keys/${key.id}`,
  },
  "budget.threshold": {
    subject: ({ budget, threshold }, account) => `${threshold} % of the budget ${budget.name} used: ${account}`,
    text: ({ budget, threshold, amount, end_user, resets_at }) =>
      `${threshold} % of the budget ${budget.name} of ${formatEuros(amount)} are used` +
      `${end_user === null ? "" : ` by the end user ${end_user}`}. ` +
      `${threshold === 100 ? "Requests that it does not cover are rejected. " : ""}${describeReset(resets_at)}`,
    path: () => "/budgets",
  },
  "webhook.failing": {
    subject: (_, account) => `Webhook failing: ${account}`,
    text: ({ webhook, status, error }) =>
      `Three attempts in a row to deliver to ${webhook.url} failed, the last one with ` +
      `${status === null ? (error ?? "no response") : `HTTP ${status}`}.`,
    path: ({ webhook }) => `/webhooks/${webhook.id}`,
  },
};

/** Returns an alert as people read it: the subject of an e-mail, and its text with a link. */
export function describeAlert({ BASE_URL }: Env, event: AlertName, data: AlertData): { subject: string; text: string } {
  const { subject, text, path } = texts[event];
  const account = data.account.name ?? data.account.email;
  return { subject: subject(data, account), text: `${text(data)}\n\nAccount: ${account}\n${BASE_URL}${path(data)}\n` };
}
