import { expect, test } from "vitest";
import { eraseDueFor } from "../../server/domain/erasure";
import { changeRetention } from "../../server/domain/retention";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { isSoak, soakCount } from "../soak";

const PATH = "/api/v1/hub/generations";
const COUNT = Number(process.env.DUE ?? soakCount(1_000, 1_000_000));
const ROUNDS = soakCount(2, 15);
/** Long enough for several batches. */
const ROUND_MS = soakCount(100, 4_000);
/** How much slower requests may be while content is erased. */
const MAX_RATIO = 1.2;

const { hub, ...host } = await openOwnHost({ SANDBOX: "on" });

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const quantile = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)]!;
const describeTimes = (values: number[]) =>
  `mean ${mean(values).toFixed(2)} ms, median ${quantile(values, 0.5).toFixed(2)} ms, p95 ${quantile(values, 0.95).toFixed(2)} ms`;

async function insertOld(account: number): Promise<void> {
  await hub.db.query(
    `WITH old AS (
       INSERT INTO generation (id, account_id, model, is_llm, status, input, metadata, end_user, estimated_cost, billed_cost, price,
                               provider, timeout_seconds, created_at, started_at, completed_at, settled_at)
       SELECT ('0190' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'm', false, 'succeeded',
              '{"prompt": "harbour"}', '{"team": "blue"}', 'anna', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
       FROM generate_series(1, $3::int) n RETURNING id
     )
     INSERT INTO generation_words (generation_id, words) SELECT id, array_to_tsvector(ARRAY['harbour']) FROM old`,
    [account, new Date("2024-06-11T00:00:00Z"), COUNT],
    { isLong: true },
  );
  await hub.db.query("VACUUM (ANALYZE) generation, generation_words", [], { isLong: true });
}

test(
  `${COUNT} generations that are due at once are erased while requests go on`,
  async () => {
    const [old, customer] = [await newCustomer(hub), await newCustomer(hub, { credit: 1_000 })];
    await insertOld(old.account);
    const measure = async () => {
      const times: number[] = [];
      for (const until = performance.now() + ROUND_MS; performance.now() < until;) {
        const startedAt = performance.now();
        const { body } = await callApi({ ...host, hub }, "POST", PATH, {
          key: customer.key,
          body: { model: "sandbox-image", input: { prompt: "a tree" } },
        });
        await callApi({ ...host, hub }, "GET", `${PATH}/${String(body.id)}`, { key: customer.key });
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    await measure();
    await changeRetention(hub, old.account, { input_days: 1 });
    const [alone, during]: [number[], number[]] = [[], []];
    let erased = 0;
    // Alternates between the two, so that other work on the machine slows down both.
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await measure()));
      const [times, { count }] = await Promise.all([measure(), eraseDueFor(hub, ROUND_MS)]);
      during.push(...times);
      erased += count;
    }
    if (isSoak) {
      expect(erased).toBeLessThan(COUNT);
      process.stdout.write(
        `${COUNT} due: alone ${describeTimes(alone)}; during ${describeTimes(during)}; ${erased} erased meanwhile\n`,
      );
      expect(mean(during) / mean(alone)).toBeLessThan(MAX_RATIO);
      expect(quantile(during, 0.5) / quantile(alone, 0.5)).toBeLessThan(MAX_RATIO);
    }
    const startedAt = performance.now();
    while (!(await eraseDueFor(hub, 60_000)).isDone);
    if (isSoak) process.stdout.write(`the rest: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s\n`);
    const [left] = await hub.db.query<{ count: bigint }>(
      "SELECT count(*) AS count FROM generation WHERE account_id = $1 AND erased_at IS NULL",
      [old.account],
    );
    expect(left!.count).toBe(0n);
  },
  soakCount(120_000, 3 * 3_600_000),
);
