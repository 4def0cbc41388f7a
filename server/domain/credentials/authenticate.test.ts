import { expect, test } from "vitest";
import { newCustomer } from "../../../test/api/customer";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import type { Queryable } from "../../db/client";
import { findKey, hashKey, isRecentKey } from "./authenticate";
import { hashSecret, newSecret } from "./secret";

const hub = await testHub();
const lookups: string[][] = [];
const query: Queryable["query"] = (text, values) => {
  if (text.includes("FROM api_key")) lookups.push(JSON.parse(String(values![0])) as string[]);
  return hub.db.query(text, values);
};
const recorded = deriveHub(hub, { db: { ...hub.db, query } });

test("invalid keys share no statement with known keys, and do not delay new ones", async () => {
  const [seen, made] = [await newCustomer(hub), await newCustomer(hub)];
  expect(await findKey(recorded, seen.key)).toMatchObject({ account: { id: seen.account } });
  expect(isRecentKey(recorded, hashKey(seen.key))).toBe(true);
  lookups.length = 0;

  const unknown = Array.from({ length: 300 }, () => findKey(recorded, newSecret()));
  const found = await Promise.all([findKey(recorded, seen.key), findKey(recorded, made.key)]);
  expect(found).toMatchObject([{ account: { id: seen.account } }, { account: { id: made.account } }]);
  expect(await Promise.all(unknown)).toEqual(unknown.map(() => null));
  const hash = hashSecret(seen.key).toString("hex");
  expect(lookups.filter((hashes) => hashes.includes(hash))).toEqual([[hash]]);
});

test("a revoked key counts as invalid from then on", async () => {
  const { key, account } = await newCustomer(hub);
  await findKey(recorded, key);
  await hub.db.query("UPDATE api_key SET revoked_at = now() WHERE account_id = $1", [account]);
  expect(await findKey(recorded, key)).toMatchObject({ rejection: "revoked" });
  expect(isRecentKey(recorded, hashKey(key))).toBe(false);
});
