import { expect, test } from "vitest";
import { draft } from "../../../test/draft";
import { testHub } from "../../../test/hub";
import { planOf } from "../../../test/plan-of";
import type { Hub } from "../../context";
import { createAccount } from "../accounts/create";
import { settle } from "../chat/settle";
import { take } from "../workers/take";
import { authenticate } from "../keys/authenticate";
import { newSecret } from "../keys/secret";
import { accept } from "./accept";
import { finish } from "./finish";

test("a claim jumps along its index, however long queues are", async () => {
  const hub = await testHub();
  const plan = await planOf(hub, (h) => take(h, { tokenId: null, name: "test" }, ["m"]));
  expect(plan).toContain("Index Scan using generation_claimable");
  expect(plan).not.toContain("Seq Scan");
});

test("keys are looked up by their index, one by one", async () => {
  const plan = await planOf(await testHub(), (h) => authenticate(h, newSecret()));
  expect(plan).toContain("Index Scan using api_key_hash_key");
  expect(plan).not.toContain("Seq Scan");
});

test("money moves by indexes, also while the tables are new and the planner knows nothing of them", async () => {
  const hub = await testHub();
  const generation = draft(await createAccount(hub, { email: "plan@example.org" }), 1n);
  const verbs = [
    (h: Hub) => accept(h, generation),
    (h: Hub) => finish(h, { id: generation.id, from: ["running"], to: "succeeded" }),
    (h: Hub) => settle(h, generation.id, { to: "succeeded", cost: 0n, tries: [] }),
  ];
  for (const verb of verbs) {
    const plan = await planOf(hub, verb);
    expect(plan).toContain("Index Scan using account_pkey");
    expect(plan).not.toContain("Seq Scan");
  }
});
