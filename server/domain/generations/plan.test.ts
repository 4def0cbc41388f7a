import { expect, test } from "vitest";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { explainPlan } from "../../../test/explain-plan";
import type { Hub } from "../../context";
import { createAccount } from "../accounts/account";
import { findKey } from "../keys/authenticate";
import { newSecret } from "../keys/secret";
import { settleChat } from "./settle-chat";
import { leaseNextJob } from "./lease";
import { insertWithHold } from "./insert-with-hold";
import { finishGeneration } from "./finish";

test("claiming a job uses its index, however long the queues are", async () => {
  const hub = await testHub();
  const plan = await explainPlan(hub, (h) => leaseNextJob(h, { tokenId: null }, ["m"]));
  expect(plan).toContain("Index Scan using generation_claimable");
  expect(plan).not.toContain("Seq Scan");
});

test("API keys are looked up one by one by their index", async () => {
  const plan = await explainPlan(await testHub(), (h) => findKey(h, newSecret()));
  expect(plan).toContain("Index Scan using api_key_hash_key");
  expect(plan).not.toContain("Seq Scan");
});

test("ledger statements use indexes even when the tables have no statistics", async () => {
  const hub = await testHub();
  const generation = queuedGeneration(await createAccount(hub, { email: "plan@example.org" }), 1n);
  const verbs = [
    (h: Hub) => insertWithHold(h, generation),
    (h: Hub) => finishGeneration(h, { id: generation.id, from: ["running"], to: "succeeded" }),
    (h: Hub) => settleChat(h, generation.id, { to: "succeeded", cost: 0n, attempts: [] }),
  ];
  for (const verb of verbs) {
    const plan = await explainPlan(hub, verb);
    expect(plan).toContain("Index Scan using account_pkey");
    expect(plan).not.toContain("Seq Scan");
  }
});
