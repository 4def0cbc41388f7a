import type { Queryable } from "../../db/client";
import { bytea, type ColumnType, int4, int8Number, notNull, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import type { WebhookSecretsHub } from "./hub";
import { signingOwnerOf } from "./signing-secret";

/** Encrypts the secrets of all endpoints and accounts again, with keys of the current HUB_SECRET. */
export async function reencryptWebhookSecrets(tx: Queryable, hub: WebhookSecretsHub): Promise<Reencryption> {
  const result = newReencryption();
  await reencryptEndpoints(tx, hub, result);
  await reencryptAccounts(tx, hub, result);
  return result;
}

const BATCH_SIZE = 500;

interface SecretTable<Id> {
  table: string;
  key: string;
  type: ColumnType<Id>;
  /** A key that is lower than any. */
  lowest: Id;
  ownerOf: (id: Id) => string;
}

/** Returns a function that encrypts the secrets of a table again. */
function declareReencryption<Id>({ table, key, type, lowest, ownerOf }: SecretTable<Id>) {
  const selectBatch = statement({
    params: [type, int8Number],
    row: { id: type, secret: notNull(bytea), previous_secret: nullable(bytea) },
    text: `
      SELECT ${key} AS id, secret, previous_secret FROM ${table}
      WHERE ${key} > $1 AND secret IS NOT NULL ORDER BY ${key} LIMIT $2 FOR UPDATE`,
  });
  const updateSecrets = statement({
    params: [type, nullable(bytea), nullable(bytea)],
    row: {},
    text: `
      UPDATE ${table} SET secret = coalesce($2, secret), previous_secret = coalesce($3, previous_secret)
      WHERE ${key} = $1`,
  });
  return async (tx: Queryable, hub: WebhookSecretsHub, result: Reencryption): Promise<void> => {
    const keys = hub.services.webhookKeys;
    for (let after = lowest; ;) {
      const rows = await selectBatch(tx, after, BATCH_SIZE);
      for (const { id, secret, previous_secret } of rows) {
        const newest = reencrypt(result, keys, ownerOf(id), secret);
        const previous = previous_secret && reencrypt(result, keys, ownerOf(id), previous_secret);
        if (newest || previous) await updateSecrets(tx, id, newest, previous);
      }
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)!.id;
    }
  };
}

const reencryptEndpoints = declareReencryption({
  table: "endpoint",
  key: "id",
  type: uuid,
  lowest: "00000000-0000-0000-0000-000000000000",
  ownerOf: (id) => id,
});

const reencryptAccounts = declareReencryption({
  table: "signing_secret",
  key: "account_id",
  type: int4,
  lowest: 0,
  ownerOf: signingOwnerOf,
});
