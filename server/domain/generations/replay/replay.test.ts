import { expect, test } from "vitest";
import { newCustomer } from "../../../../test/api/customer";
import { explainPlan } from "../../../../test/explain-plan";
import { testHub } from "../../../../test/hub";
import type { Ctx } from "../../../context";
import type { Hub } from "../../hub";
import { runAudit } from "../../audit/audit";
import { finishGeneration } from "../end/finish";
import { purgeIdempotencyKeys, RETENTION_DAYS } from "./replay";
import { startGeneration } from "../intake/start";

const hub = await testHub({ SANDBOX: "on" });
const { account: id, email } = await newCustomer(hub);
const account = { id, email, member: false, balance: 0n, reserved: 0n };
const ctx: Ctx<Hub> = { hub, account, actor: { kind: "user" }, requestId: "test" };

const WEEK_MS = RETENTION_DAYS.key * 86_400_000;
const MINUTE_MS = 60_000;
const request = { model: "sandbox-image", input: { prompt: "a tree" } };
const start = async (key: string) => {
  const { generation, replayed } = await startGeneration(ctx, request, { key, fingerprint: Buffer.alloc(32, 7) });
  return { id: generation.id, replayed };
};
const cancel = (generation: string) => finishGeneration(hub, { id: generation, from: ["queued"], to: "canceled" });
async function startEnded(key: string): Promise<string> {
  const { id: generation } = await start(key);
  await cancel(generation);
  return generation;
}
const findByKey = (key: string) =>
  hub.db.query<{ id: string }>("SELECT id FROM generation WHERE account_id = $1 AND idempotency_key = $2", [id, key]);

test("a key is cleared a week after its generation has ended, and is free again", async () => {
  const first = await startEnded("week");
  hub.clock.advance(WEEK_MS - MINUTE_MS);
  expect(await purgeIdempotencyKeys(hub, 10)).toBe(0);
  expect(await start("week")).toEqual({ id: first, replayed: true });
  hub.clock.advance(2 * MINUTE_MS);
  // The key is valid until the sweep clears it, however late that is.
  expect(await start("week")).toEqual({ id: first, replayed: true });
  expect(await purgeIdempotencyKeys(hub, 10)).toBe(1);
  const second = await start("week");
  expect(second).toEqual({ id: expect.not.stringMatching(first) as string, replayed: false });
});

test("a key stays while its generation waits, however long", async () => {
  const { id: generation } = await start("waiting");
  hub.clock.advance(2 * WEEK_MS);
  await purgeIdempotencyKeys(hub, 10);
  await expect(start("waiting")).rejects.toMatchObject({ code: "generation_in_progress" });
  await cancel(generation);
});

test("at most as many keys as the limit are cleared at a time, the oldest first", async () => {
  const oldest = await startEnded("limit-1");
  hub.clock.advance(MINUTE_MS);
  const newest = await startEnded("limit-2");
  hub.clock.advance(WEEK_MS + MINUTE_MS);
  while ((await findByKey("limit-1")).length > 0) expect(await purgeIdempotencyKeys(hub, 1)).toBe(1);
  expect(await findByKey("limit-2")).toEqual([{ id: newest }]);
  expect(await start("limit-1")).not.toMatchObject({ id: oldest });
});

test("requests that race the clearing start one generation at most", async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = `race-${round}`;
    const first = await startEnded(key);
    hub.clock.advance(WEEK_MS + MINUTE_MS);
    const [, ...results] = await Promise.all([
      purgeIdempotencyKeys(hub, 100),
      ...Array.from({ length: 8 }, () =>
        start(key).catch((error: { code: string }) => void expect(error.code).toBe("generation_in_progress")),
      ),
    ]);
    const started = results.flatMap((result) => (result && !result.replayed ? [result.id] : []));
    expect(started.length).toBeLessThanOrEqual(1);
    expect(results.every((result) => !result?.replayed || result.id === first)).toBe(true);
    expect(await findByKey(key)).toEqual(started.map((generation) => ({ id: generation })));
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("keys are found by their age, by an index that has no others", async () => {
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
     FROM generate_series(1, 3000)`,
    [id, hub.now()],
  );
  await hub.db.query("ANALYZE generation");
  expect(await explainPlan(hub, (other) => purgeIdempotencyKeys(other, 10))).toContain(
    "Index Scan using generation_idempotency_key_age",
  );
});
