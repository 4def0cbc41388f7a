import type { Env } from "../env";
import { HUB_NAME } from "./hub-name";
import { memoizePer } from "./memoize-per";

interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Mail programs show e-mails with the same id only once. */
  messageId?: string;
}

const SECOND_MS = 1_000;

interface Mailer {
  send: ((mail: Mail) => Promise<void>) | null;
  /** Resolves when the server can be reached and accepts the credentials. */
  check: () => Promise<void>;
}

/** How e-mail is sent; null where no mail server is set. A send rejects when the server has not taken it within a minute. */
export const getMailer = memoizePer((env: Env): Mailer => {
  if (!env.SMTP_URL) return { send: null, check: () => Promise.resolve() };
  const timeouts = {
    connectionTimeout: 10 * SECOND_MS,
    greetingTimeout: 10 * SECOND_MS,
    socketTimeout: 20 * SECOND_MS,
  };
  // Loaded with the first e-mail: it is a large part of what a command would parse.
  const load = async () => (await import("nodemailer")).createTransport({ url: env.SMTP_URL, ...timeouts });
  let loading: ReturnType<typeof load> | undefined;
  const getTransport = () => (loading ??= load());
  const from = env.SMTP_FROM ?? { name: HUB_NAME, address: `no-reply@${new URL(env.BASE_URL).hostname}` };
  return {
    send: async (mail) => void (await (await getTransport()).sendMail({ from, ...mail })),
    check: async () => void (await (await getTransport()).verify()),
  };
});
