import type { Queryable } from "../../db/client";
import { bytea, int8Number, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import type { EndpointsHub } from "./hub";

const BATCH_SIZE = 500;
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** Encrypts the secrets of all webhooks with the hub's secret. */
export async function reencryptWebhookSecrets(tx: Queryable, hub: EndpointsHub): Promise<Reencryption> {
  const result = newReencryption();
  const keys = hub.services.webhookKeys;
  for (let after = NIL_ID; ;) {
    const rows = await selectBatch(tx, after, BATCH_SIZE);
    for (const { id, secret, previous_secret } of rows) {
      const newest = reencrypt(result, keys, id, secret);
      const previous = previous_secret && reencrypt(result, keys, id, previous_secret);
      if (newest || previous) await updateSecrets(tx, id, newest, previous);
    }
    if (rows.length < BATCH_SIZE) return result;
    after = rows.at(-1)!.id;
  }
}

const selectBatch = statement({
  params: [uuid, int8Number],
  row: { id: uuid, secret: bytea, previous_secret: nullable(bytea) },
  text: "SELECT id, secret, previous_secret FROM endpoint WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE",
});

const updateSecrets = statement({
  params: [uuid, nullable(bytea), nullable(bytea)],
  row: {},
  text: `
    UPDATE endpoint SET secret = coalesce($2, secret), previous_secret = coalesce($3, previous_secret) WHERE id = $1`,
});
