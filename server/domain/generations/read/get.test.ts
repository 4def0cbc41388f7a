import { expect, test } from "vitest";
import { newCustomer } from "../../../../test/api/customer";
import { queuedGeneration } from "../../../../test/generation-fixture";
import { testHub } from "../../../../test/hub";
import { explainPlan } from "../../../../test/explain-plan";
import { recordStatements } from "../../../../test/record-statements";
import type { Ctx } from "../../../context";
import type { Hub } from "../../hub";
import { findKey } from "../../credentials/authenticate";
import { newId } from "../../../lib/id";
import { getStoredGeneration } from "./get";
import { insertManyWithHold } from "../intake/insert-with-hold";

const hub = await testHub();

async function newOwner(): Promise<{ ctx: Ctx<Hub>; id: string }> {
  const { key } = await newCustomer(hub);
  const { account, actor } = (await findKey(hub, key))!;
  const generation = queuedGeneration(account.id, 1n);
  await insertManyWithHold(hub.db, [generation]);
  return { ctx: { hub, account, actor, requestId: "test" }, id: generation.id };
}

test("concurrent callers share one statement, and each gets only what is its own", async () => {
  const [one, other] = [await newOwner(), await newOwner()];
  const takeStatements = recordStatements(hub);
  const find = ({ ctx }: { ctx: Ctx<Hub> }, id: string) =>
    getStoredGeneration(ctx, id).then(
      (found) => found.id,
      (error: { code: string }) => error.code,
    );
  const missing = "generation_not_found";
  const asked = [find(one, one.id), find(one, other.id), find(other, other.id), find(other, one.id)];
  const again = [find(one, one.id), find(one, newId()), find(one, "nothing")];
  expect(await Promise.all([...asked, ...again])).toEqual([
    one.id,
    missing,
    other.id,
    missing,
    one.id,
    missing,
    missing,
  ]);
  expect(takeStatements()).toHaveLength(1);
});

test("generations are looked up one by one by their ids", async () => {
  const { ctx, id } = await newOwner();
  const plan = await explainPlan(hub, (h) => getStoredGeneration({ ...ctx, hub: h }, id).catch(() => null));
  expect(plan).toContain("Index Scan using generation_pkey");
  expect(plan).not.toContain("Seq Scan on generation");
});
