import { createTransport } from "nodemailer";
import type { Env } from "../env";
import { HUB_NAME } from "./hub-name";
import { memoizePer } from "./memoize-per";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const SECONDS = 1_000;

/** How e-mail is sent; null where no mail server is set. A send rejects when the server has not taken it within a minute. */
export const mailerOf = memoizePer((env: Env): { send: ((mail: Mail) => Promise<void>) | null } => {
  if (!env.SMTP_URL) return { send: null };
  const patience = { connectionTimeout: 10 * SECONDS, greetingTimeout: 10 * SECONDS, socketTimeout: 20 * SECONDS };
  const transport = createTransport({ url: env.SMTP_URL, ...patience });
  const from = env.SMTP_FROM ?? { name: HUB_NAME, address: `no-reply@${new URL(env.BASE_URL).hostname}` };
  return { send: async (mail) => void (await transport.sendMail({ from, ...mail })) };
});
