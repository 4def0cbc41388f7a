import { beforeEach, expect, test } from "vitest";
import { newCustomer } from "../../test/api/customer";
import { deriveHub } from "../../test/derive-hub";
import { queuedGeneration } from "../../test/generation-fixture";
import { testHub } from "../../test/hub";
import type { Queryable } from "../db/client";
import { settleChat } from "./generations/end/settle-chat";
import { finishGeneration } from "./generations/end/finish";
import { insertWithHold } from "./generations/intake/insert-with-hold";
import { findKey } from "./credentials/authenticate";
import type { Hub } from "./hub";

const hub = await testHub();
let statements: string[] = [];
beforeEach(() => void (statements = []));
const recording = (db: Queryable): Queryable["query"] => {
  return (text, values) => {
    statements.push(text);
    return db.query(text, values);
  };
};
const { db } = hub;
const first = deriveHub(hub, {
  db: { ...db, query: recording(db), ledgerConnection: { query: recording(db.ledgerConnection) } },
});

/** Authenticates, inserts and ends generations, all by services that batch. */
async function useServices(on: Hub): Promise<void> {
  const { account, key } = await newCustomer(hub, { credit: 1 });
  expect(await findKey(on, key)).toMatchObject({ account: { id: account } });
  const media = queuedGeneration(account, 100n);
  expect(await insertWithHold(on, media)).toBe("accepted");
  expect(await finishGeneration(on, { id: media.id, from: ["queued"], to: "canceled" })).not.toBeNull();
  const chat = { ...queuedGeneration(account, 100n), is_llm: true, status: "running" as const, started_at: on.now() };
  expect(await insertWithHold(on, chat)).toBe("accepted");
  expect(await settleChat(on, chat.id, { to: "succeeded", cost: 1n, attempts: [] })).toBe(true);
}

// First, because a hub tells other processes of changes a moment later.
test("the services of a derived hub send no statement to the first hub's database", async () => {
  await useServices(deriveHub(first, { db }));
  expect(statements).toEqual([]);
});

test("the services of a hub send its statements", async () => {
  await useServices(first);
  expect(statements.length).toBeGreaterThanOrEqual(6);
});
