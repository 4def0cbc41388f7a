import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { bytea, int4, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import type { WebhookSecretsHub } from "./hub";
import { decryptWebhookSecret, encryptWebhookSecret, newWebhookSecret, OVERLAP_MS } from "./secret";

/** The secret that signs the deliveries of an account's own webhooks (own-webhook.ts). */
interface SigningSecret {
  secret: string;
  created_at: string;
  /** Until when the previous secret signs as well; null if none does. */
  previous_expires_at: string | null;
}

const columns = { secret: bytea, created_at: timestamptz, previous_secret_expires_at: nullable(timestamptz) };

/** Returns the owner for which an account's signing secret is encrypted, as `signingOwnerSql` does. */
export const signingOwnerOf = (accountId: number): string => `account/${accountId}`;

/** Returns SQL for the owner of an account's signing secret, from an expression for the id of the account. */
export const signingOwnerSql = (accountId: string): string => `'account/' || ${accountId}`;

/** Returns the account's signing secret, which it creates at first use. Throws a 409 if the hub cannot decrypt it. */
export async function getSigningSecret(ctx: Ctx<WebhookSecretsHub>): Promise<SigningSecret> {
  const { hub, account } = ctx;
  await insertSigningSecret(hub, hub.db, account.id);
  const [row] = await selectSecret(hub.db, account.id);
  const { created_at, previous_secret_expires_at: until } = row!;
  return {
    secret: decryptOrReject(hub, account.id, row!.secret),
    created_at: created_at.toISOString(),
    previous_expires_at: until && until > hub.now() ? until.toISOString() : null,
  };
}

function decryptOrReject(hub: WebhookSecretsHub, accountId: number, encrypted: Buffer): string {
  try {
    return decryptWebhookSecret(hub, signingOwnerOf(accountId), encrypted);
  } catch {
    throw new AppError("invalid_state", "The hub cannot read this secret any more. Rotate it.");
  }
}

const selectSecret = statement({
  params: [int4],
  row: columns,
  text: "SELECT secret, created_at, previous_secret_expires_at FROM signing_secret WHERE account_id = $1",
});

/** Creates the signing secret of an account that has none. */
export async function insertSigningSecret(hub: WebhookSecretsHub, db: Queryable, accountId: number): Promise<void> {
  await insertSecret(
    db,
    accountId,
    encryptWebhookSecret(hub, signingOwnerOf(accountId), newWebhookSecret()),
    hub.now(),
  );
}

const insertSecret = statement({
  params: [int4, bytea, timestamptz],
  row: {},
  text: "INSERT INTO signing_secret (account_id, secret, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
});

/** Replaces the account's signing secret and returns the new one. The previous one also signs for 24 hours. */
export async function rotateSigningSecret(ctx: Ctx<WebhookSecretsHub>): Promise<SigningSecret> {
  const { hub, account } = ctx;
  const secret = newWebhookSecret();
  const now = hub.now();
  const encrypted = encryptWebhookSecret(hub, signingOwnerOf(account.id), secret);
  const [row] = await replaceSecret(hub.db, account.id, encrypted, now, new Date(now.getTime() + OVERLAP_MS));
  return {
    secret,
    created_at: now.toISOString(),
    previous_expires_at: row!.previous_secret_expires_at?.toISOString() ?? null,
  };
}

const replaceSecret = statement({
  params: [int4, bytea, timestamptz, timestamptz],
  row: columns,
  text: `
    INSERT INTO signing_secret AS s (account_id, secret, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (account_id) DO UPDATE SET
      previous_secret = s.secret, previous_secret_expires_at = $4, secret = excluded.secret, created_at = excluded.created_at
    RETURNING secret, created_at, previous_secret_expires_at`,
});

/** Deletes the signing secret of the account `$1`; its next use creates another. */
export const deleteSigningSecret = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM signing_secret WHERE account_id = $1",
});
