import { createHmac, timingSafeEqual } from "node:crypto";
import type { Ctx, Hub } from "../../context";
import { invalidInput } from "../../errors";
import { deriveEncryptionKey } from "../../lib/encryption";
import { getMailer } from "../../lib/mail";
import { toEurosOrNull } from "../../lib/money";
import { rateLimitedError } from "../rates/rate-limit";
import { throttleAttempts } from "../rates/throttle";
import { verifyAddress } from "./open-account";

const LINK_TTL_S = 86_400;

type Recipient = Pick<Ctx["account"], "id" | "email">;

/** Sends a link that verifies the address of the caller's account, at most one a minute. Throws a 429. */
export async function sendVerification({ hub, account }: Pick<Ctx, "hub"> & { account: Recipient }): Promise<void> {
  const { allowed, waitMs } = hub.rateLimits.verifications.byAccount.consume(account.id, hub.now().getTime());
  if (!allowed) throw rateLimitedError(waitMs, "An e-mail was sent a moment ago. Wait a minute and try again.");
  const link = `${hub.env.BASE_URL}/overview?verify=${createToken(hub, account)}`;
  const text =
    `Somebody, probably you, created an account with this address at ${hub.env.BASE_URL}.\n\n` +
    `Sign in and verify the address within a day:\n${link}\n\nIf it was not you, ignore this e-mail.\n`;
  await getMailer(hub.env).send?.({ to: account.email, subject: "Verify your e-mail address", text });
}

/**
 * Verifies the e-mail address of the caller's account with the token of a link, and credits the trial credit. Returns the
 * amount credited in EUR; null if none was due. The link alone is not enough: who reads the e-mail must have signed in,
 * so that nobody verifies an account for the person who signed up with the address of somebody else. Throws a 400 for a
 * token that is invalid, expired or of another account, and a 429 after too many attempts.
 */
export async function verifyEmail({ hub, account }: Ctx, token: string): Promise<{ credited: number | null }> {
  const counters = [{ buckets: hub.rateLimits.verifications.attempts, key: String(account.id) }];
  const isValid = await throttleAttempts(hub, counters, () =>
    Promise.resolve(isTokenValid(hub, account, token) || null),
  );
  if (!isValid) throw invalidInput("token", "is not valid for this account or has expired; request a new e-mail");
  const amount = await hub.db.transaction((tx) => verifyAddress(tx, account.id, hub.now()));
  return { credited: toEurosOrNull(amount) };
}

function createToken(hub: Hub, account: Recipient): string {
  const expires = Math.floor(hub.now().getTime() / 1000) + LINK_TTL_S;
  return `${expires}.${sign(hub, account, String(expires)).toString("base64url")}`;
}

function isTokenValid(hub: Hub, account: Recipient, token: string): boolean {
  const [expires = "", signature = ""] = token.split(".");
  const [actual, expected] = [Buffer.from(signature, "base64url"), sign(hub, account, expires)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false;
  return hub.now().getTime() < Number(expires) * 1000;
}

const sign = (hub: Hub, { id, email }: Recipient, expires: string): Buffer =>
  createHmac("sha256", deriveEncryptionKey(hub.secret, "generation-hub e-mail verification"))
    .update(`${id}\n${email}\n${expires}`)
    .digest();
