import { createHash, randomBytes } from "node:crypto";
import { bool, bytea, int4, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { getMailer } from "../../lib/mail";
import { hasAccountSql } from "../people/sql";
import { networkCounters, throttleAttempts } from "../rates";
import { normalizeEmail } from "../../lib/normalize-email";
import type { PasswordsHub } from "./hub";

const LINK_TTL_MS = 3_600_000;
const MIN_INTERVAL_MS = 60_000;

/** Returns the stored form of the token of a link. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Sends a password reset link by e-mail, at most one per minute and person. The link works once, for an hour. Returns
 * before the address is looked up, so that the response time does not reveal who has an account. Throws a 429 after too
 * many requests from one network.
 */
export async function requestReset(hub: PasswordsHub, email: string, address: string | null): Promise<void> {
  await throttleAttempts(hub, networkCounters(hub, address), async () => null);
  void mailLink(hub, email).catch((error: unknown) => {
    hub.log.error({ err: error }, "password reset e-mail not sent");
  });
}

async function mailLink(hub: PasswordsHub, email: string): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const now = hub.now();
  const [person] = await createReset(
    hub.db,
    normalizeEmail(email),
    hashToken(token),
    now,
    new Date(now.getTime() + LINK_TTL_MS),
    new Date(now.getTime() - MIN_INTERVAL_MS),
  );
  if (!person) return;
  const link = `${hub.env.BASE_URL}/reset-password?token=${token}`;
  const text =
    `Someone, probably you, asked to reset the password for this address at ${hub.env.BASE_URL}.\n\n` +
    `Set a new password within an hour:\n${link}\n\nIf this was not you, ignore this e-mail; your password stays the same.\n`;
  await getMailer(hub.env).send?.({ to: person.email, subject: "Set a new password", text });
}

const createReset = statement({
  params: [text, bytea, timestamptz, timestamptz, timestamptz],
  row: { email: text },
  text: `
    WITH requested AS (
      SELECT p.id, p.email FROM person p WHERE p.email = $1 AND ${hasAccountSql("p.id")}
    ),
    created AS (
      INSERT INTO password_reset (person_id, hash, created_at, expires_at)
      SELECT id, $2, $3, $4 FROM requested
      ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE password_reset.created_at <= $5
      RETURNING person_id
    )
    SELECT email FROM requested JOIN created ON created.person_id = requested.id`,
});

/** Returns whether the hash is that of a link that was not used and has not expired. */
export async function isResetPending(hub: PasswordsHub, hash: Buffer): Promise<boolean> {
  const where = { hash: new Uint8Array(hash), expiresAt: { gt: hub.now() } };
  return (await hub.db.prisma.passwordReset.count({ where })) > 0;
}

/** Deletes a reset link and returns its person, or nothing when it was used before or has expired. */
export const consumeReset = statement({
  params: [bytea, timestamptz],
  row: { id: int4, email: text, verified: bool },
  text: `
  WITH used AS (DELETE FROM password_reset WHERE hash = $1 AND expires_at > $2 RETURNING person_id)
  SELECT p.id, p.email, p.email_verified_at IS NOT NULL AS verified FROM used JOIN person p ON p.id = used.person_id`,
});

/** Sets the password hash `$2` of the person `$1`, and ends all sessions. */
export const applyReset = statement({
  params: [int4, text],
  row: {},
  text: "UPDATE person SET password_hash = $2, session_version = session_version + 1 WHERE id = $1",
});

/** Deletes the reset link of the person `$1`. */
export const deleteResets = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM password_reset WHERE person_id = $1",
});
