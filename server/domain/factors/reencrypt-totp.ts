import type { Queryable } from "../../db/client";
import { bytea, int4, int8Number, nullable } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import type { FactorsHub } from "./hub";
import { getTotpKeys, getTotpOwner } from "./totp";

const BATCH_SIZE = 500;

/** Encrypts the secrets of all authenticator apps with the hub's secret. */
export async function reencryptTotp(tx: Queryable, hub: FactorsHub): Promise<Reencryption> {
  const result = newReencryption();
  const keys = getTotpKeys(hub);
  for (let after = 0; ;) {
    const rows = await selectBatch(tx, after, BATCH_SIZE);
    for (const { person_id, secret, new_secret } of rows) {
      const anew = (value: Buffer | null) => value && reencrypt(result, keys, getTotpOwner(person_id), value);
      const [newest, other] = [anew(secret), anew(new_secret)];
      if (newest || other) await updateSecrets(tx, person_id, newest, other);
    }
    if (rows.length < BATCH_SIZE) return result;
    after = rows.at(-1)!.person_id;
  }
}

const selectBatch = statement({
  params: [int4, int8Number],
  row: { person_id: int4, secret: nullable(bytea), new_secret: nullable(bytea) },
  text: "SELECT person_id, secret, new_secret FROM totp WHERE person_id > $1 ORDER BY person_id LIMIT $2 FOR UPDATE",
});

const updateSecrets = statement({
  params: [int4, nullable(bytea), nullable(bytea)],
  row: {},
  text: "UPDATE totp SET secret = coalesce($2, secret), new_secret = coalesce($3, new_secret) WHERE person_id = $1",
});
