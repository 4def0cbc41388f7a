import { expect, test } from "vitest";
import { draft } from "../../../test/draft";
import { testHub } from "../../../test/hub";
import type { Hub } from "../../context";
import { createAccount } from "../accounts/create";
import { take } from "../workers/take";
import { accept } from "./accept";
import { finish } from "./finish";

/** The plan that Postgres keeps for the hub's prepared statements, of the verb's one statement. */
async function planOf(hub: Hub, verb: (hub: Hub) => Promise<unknown>): Promise<string> {
  let plan = "";
  const query = async (text: string, values?: unknown[]) => {
    plan = await hub.db.transaction(async (tx) => {
      await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
      const rows = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    return [];
  };
  await verb({ ...hub, db: { ...hub.db, query: query } });
  return plan;
}

test("a claim jumps along its index, however long queues are", async () => {
  const hub = await testHub();
  const plan = await planOf(hub, (h) => take(h, { tokenId: null, name: "test" }, ["m"]));
  expect(plan).toContain("Index Scan using generation_claimable");
  expect(plan).not.toContain("Seq Scan");
});

test("money moves by indexes, also while the tables are new and the planner knows nothing of them", async () => {
  const hub = await testHub();
  const generation = draft(await createAccount(hub, { email: "plan@example.org" }), 1n);
  const verbs = [
    (h: Hub) => accept(h, generation),
    (h: Hub) => finish(h, { id: generation.id, from: ["running"], to: "succeeded", tries: [] }),
  ];
  for (const verb of verbs) {
    const plan = await planOf(hub, verb);
    expect(plan).toContain("Index Scan using account_pkey");
    expect(plan).not.toContain("Seq Scan");
  }
});
