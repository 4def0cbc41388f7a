import { expect, test } from "vitest";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { explainPlan } from "../../../test/explain-plan";
import type { Hub } from "../hub";
import { createAccount } from "../people/create-account";
import { findKey } from "../credentials/authenticate";
import { newSecret } from "../credentials/secret";
import { settleChat } from "./end/settle-chat";
import { leaseNextJob } from "./run/lease";
import { insertWithHold } from "./intake/insert-with-hold";
import { finishGeneration } from "./end/finish";
import { pullBackTimes } from "./run/pull-back-times";
import { selectPage } from "./read/select-page";
import { purgeIdempotencyKeys } from "./replay/replay";

// The tests before the first ANALYZE find no statistics.
const hub = await testHub();

test("claiming a job uses its index, however long the queues are", async () => {
  const plan = await explainPlan(hub, (h) => leaseNextJob(h, { tokenId: null }, ["m"]));
  expect(plan).toContain("Index Scan using generation_claimable");
  expect(plan).not.toContain("Seq Scan");
});

test("API keys are looked up one by one by their index", async () => {
  const plan = await explainPlan(hub, (h) => findKey(h, newSecret()));
  expect(plan).toContain("Index Scan using api_key_hash_key");
  expect(plan).not.toContain("Seq Scan");
});

test("chats that a request may repeat are looked up one by one by its digest", async () => {
  const request = { accountId: 1, digest: Buffer.alloc(32) };
  const plan = await explainPlan(hub, (h) => h.services.mayBeJoined(request));
  expect(plan).toContain("Index Scan using generation_request_digest");
  expect(plan).not.toContain("Seq Scan");
});

test("ledger statements use indexes even when the tables have no statistics", async () => {
  const generation = queuedGeneration(await createAccount(hub, { email: "plan@example.org" }), 1n);
  const limits = { version: 0, hasBudgets: false };
  const verbs = [
    (h: Hub) => insertWithHold(h, generation),
    (h: Hub) => finishGeneration(h, { id: generation.id, from: ["running"], to: "succeeded" }),
    (h: Hub) => settleChat(h, generation.id, { to: "succeeded", cost: 0n, attempts: [] }),
    (h: Hub) => insertWithHold(h, { ...generation, is_llm: true, limits }),
    (h: Hub) => settleChat(h, generation.id, { to: "succeeded", cost: 0n, attempts: [], limits }),
  ];
  for (const verb of verbs) {
    const plan = await explainPlan(hub, verb);
    expect(plan).toContain("Index Scan using account_pkey");
    expect(plan).not.toContain("Seq Scan");
  }
});

test("what the sweep looks for among the generations is found by indexes, however many have ended", async () => {
  const account = await createAccount(hub, { email: "history@example.org" });
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
     FROM generate_series(1, 5000)`,
    [account, hub.now()],
  );
  await hub.db.query("ANALYZE generation");
  for (const verb of [pullBackTimes, (h: Hub) => purgeIdempotencyKeys(h, 10)])
    expect(await explainPlan(hub, verb)).not.toContain("Seq Scan on generation");
});

test("a page of a short time reads the account's own generations, not those of all accounts in that time", async () => {
  const accounts: number[] = [];
  for (let n = 0; n < 40; n += 1) accounts.push(await createAccount(hub, { email: `range-${n}@example.org` }));
  const now = hub.now();
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
            ($1::int[])[1 + n % 40], 'm', false, 'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, at, at, at, at
     FROM generate_series(1, 8000) AS n, LATERAL (SELECT $2::timestamptz - n * interval '1 hour' AS at) spread`,
    [accounts, now],
  );
  await hub.db.query("ANALYZE generation");
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const range = { from: at(101), until: at(100) };
  const plan = await explainPlan(hub, ({ db }) => selectPage(db, { accountId: accounts[7]!, limit: 21, ...range }));
  expect(plan).toContain("generation_newest");
  expect(plan).not.toContain("generation_pkey");
});
