import { expect, test } from "vitest";
import { insertHistory } from "../../../../bench/accounts";
import { deriveHub } from "../../../../test/derive-hub";
import { testHub } from "../../../../test/hub";
import { createAccount } from "../../people/create-account";
import { listStoredGenerations } from "./list";

interface Plan {
  "QUERY PLAN": { Plan: unknown }[];
}

test("a page of an account with most of the rows reads no rows of other accounts", async () => {
  const hub = await testHub();
  const large = await createAccount(hub, { email: "large@example.org" });
  await insertHistory(hub, large, 20_000);
  const account = { id: large, email: "", member: false, balance: 0n, reserved: 0n };
  await hub.db.query("ANALYZE generation");
  const plans: string[] = [];
  const query: typeof hub.db.query = async (text, values) => {
    const [row] = await hub.db.query<Plan>(`EXPLAIN (FORMAT JSON) ${text}`, values);
    plans.push(JSON.stringify(row));
    return hub.db.query(text, values);
  };
  const ctx = {
    hub: deriveHub(hub, { db: { ...hub.db, query } }),
    account,
    actor: { kind: "user" as const },
    requestId: "test",
  };
  for (const filters of [{}, { exclude_llm: true }, { status: "succeeded" as const }, { model: "sandbox-image" }]) {
    expect((await listStoredGenerations(ctx, { limit: 10, ...filters })).data).toHaveLength(10);
  }
  expect(plans.filter((plan) => !plan.includes("generation_newest"))).toEqual([]);
  expect(plans.filter((plan) => plan.includes("generation_pkey"))).toEqual([]);
});
