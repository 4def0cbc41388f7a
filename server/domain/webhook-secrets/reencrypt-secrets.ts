import type { Queryable } from "../../db/client";
import { bytea, int4, int8Number, notNull, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import { NIL_ID } from "../../lib/id";
import type { WebhookSecretsHub } from "./hub";
import { signingOwnerOf } from "./signing-secret";

/** Encrypts the secrets of all endpoints and accounts again, with keys of the current HUB_SECRET. */
export async function reencryptWebhookSecrets(tx: Queryable, hub: WebhookSecretsHub): Promise<Reencryption> {
  const result = newReencryption();
  await reencryptTable(tx, hub, result, endpoints);
  await reencryptTable(tx, hub, result, accounts);
  return result;
}

const BATCH_SIZE = 500;

type Secrets<Id> = { id: Id; secret: Buffer; previous_secret: Buffer | null };

interface SecretTable<Id> {
  /** An id that is lower than any. */
  lowest: Id;
  ownerOf: (id: Id) => string;
  /** Selects rows with ids above `$1`, at most `$2`. */
  select: (tx: Queryable, after: Id, limit: number) => Promise<Secrets<Id>[]>;
  /** Replaces the secrets of the row `$1` that are not null. */
  update: (tx: Queryable, id: Id, secret: Buffer | null, previous: Buffer | null) => Promise<unknown>;
}

async function reencryptTable<Id>(
  tx: Queryable,
  hub: WebhookSecretsHub,
  result: Reencryption,
  { lowest, ownerOf, select, update }: SecretTable<Id>,
): Promise<void> {
  const keys = hub.services.webhookKeys;
  for (let after = lowest; ;) {
    const rows = await select(tx, after, BATCH_SIZE);
    for (const { id, secret, previous_secret } of rows) {
      const newest = reencrypt(result, keys, ownerOf(id), secret);
      const previous = previous_secret && reencrypt(result, keys, ownerOf(id), previous_secret);
      if (newest || previous) await update(tx, id, newest, previous);
    }
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)!.id;
  }
}

const secretColumns = { secret: notNull(bytea), previous_secret: nullable(bytea) };
const newSecretsSql = "secret = coalesce($2, secret), previous_secret = coalesce($3, previous_secret)";

const endpoints: SecretTable<string> = {
  lowest: NIL_ID,
  ownerOf: (id) => id,
  select: statement({
    params: [uuid, int8Number],
    row: { id: uuid, ...secretColumns },
    text: `
      SELECT id, secret, previous_secret FROM endpoint WHERE id > $1 AND secret IS NOT NULL
      ORDER BY id LIMIT $2 FOR UPDATE`,
  }),
  update: statement({
    params: [uuid, nullable(bytea), nullable(bytea)],
    row: {},
    text: `UPDATE endpoint SET ${newSecretsSql} WHERE id = $1`,
  }),
};

const accounts: SecretTable<number> = {
  lowest: 0,
  ownerOf: signingOwnerOf,
  select: statement({
    params: [int4, int8Number],
    row: { id: int4, ...secretColumns },
    text: `
      SELECT account_id AS id, secret, previous_secret FROM signing_secret WHERE account_id > $1
      ORDER BY account_id LIMIT $2 FOR UPDATE`,
  }),
  update: statement({
    params: [int4, nullable(bytea), nullable(bytea)],
    row: {},
    text: `UPDATE signing_secret SET ${newSecretsSql} WHERE account_id = $1`,
  }),
};
