import { createHash, randomBytes } from "node:crypto";
import type { Hub } from "../../context";
import { mailerOf } from "../../lib/mail";
import { networkCounters, throttleAttempts } from "../sessions/throttle";
import { normalizeEmail } from "./create";

const LASTS_MS = 3_600_000;
const PAUSE_MS = 60_000;

export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Has a link mailed to set a new password, for an hour and one use, at most one a minute. Returns before the address is
 * looked up, so that nobody learns from the time that it takes who has an account. 429 after too many from one network.
 */
export async function requestReset(hub: Hub, email: string, address: string | null): Promise<void> {
  await throttleAttempts(hub, networkCounters(hub, address), async () => null);
  void mailLink(hub, email).catch((error: unknown) => {
    hub.log.error({ err: error }, "the e-mail for a forgotten password was not sent");
  });
}

async function mailLink(hub: Hub, email: string): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const now = hub.now();
  const [account] = await hub.db.query<{ email: string }>(statement, [
    normalizeEmail(email),
    hashToken(token),
    now,
    new Date(now.getTime() + LASTS_MS),
    new Date(now.getTime() - PAUSE_MS),
  ]);
  if (account) await send(hub, account.email, token);
}

async function send(hub: Hub, to: string, token: string): Promise<void> {
  const link = `${hub.env.BASE_URL}/reset-password?token=${token}`;
  const text =
    `Somebody, probably you, asked for a new password of this address at ${hub.env.BASE_URL}.\n\n` +
    `Set it here within an hour:\n${link}\n\nIf it was not you, do nothing: your password stays as it is.\n`;
  await mailerOf(hub.env).send?.({ to, subject: "Set a new password", text });
}

const statement = `
  WITH asked AS (SELECT id, email FROM account WHERE email = $1 AND NOT suspended),
  made AS (
    INSERT INTO password_reset (account_id, hash, created_at, expires_at)
    SELECT id, $2, $3, $4 FROM asked
    ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE password_reset.created_at <= $5
    RETURNING account_id
  )
  SELECT email FROM asked JOIN made ON made.account_id = asked.id`;
