import { expect, test } from "vitest";
import { eraseDue } from "../../server/domain/erasure/erase-due";
import { changeRetention } from "../../server/domain/retention";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { isSoak, soakCount } from "../soak";

const PATH = "/api/v1/hub/generations";
const COUNT = soakCount(1_000, 1_000_000);
const SAMPLES = soakCount(20, 500);
/** How much slower requests may be while content is erased. */
const MAX_RATIO = 1.2;

const { hub, ...host } = await openOwnHost({ SANDBOX: "on" });

const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

test(`${COUNT} generations that are due at once are erased while requests go on`, async () => {
  const [old, customer] = [await newCustomer(hub), await newCustomer(hub, { credit: 1_000 })];
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, metadata, end_user, estimated_cost, billed_cost, price,
                             provider, timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT ('0190' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'm', false, 'succeeded',
            '{"prompt": "harbour"}', '{"team": "blue"}', 'anna', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
     FROM generate_series(1, $3::int) n`,
    [old.account, new Date("2024-06-11T00:00:00Z"), COUNT],
  );
  const measure = async () => {
    const times: number[] = [];
    for (let n = 0; n < SAMPLES; n += 1) {
      const startedAt = performance.now();
      const { body } = await callApi({ ...host, hub }, "POST", PATH, {
        key: customer.key,
        body: { model: "sandbox-image", input: { prompt: "a tree" } },
      });
      await callApi({ ...host, hub }, "GET", `${PATH}/${String(body.id)}`, { key: customer.key });
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  const before = await measure();
  await changeRetention(hub, old.account, { input_days: 1 });
  let isErasing = true;
  const erasing = (async () => {
    for (let startedAt = performance.now(); (await eraseDue(hub)) > 0; startedAt = performance.now())
      await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt));
    isErasing = false;
  })();
  const during = await measure();
  if (isSoak) {
    expect(isErasing).toBe(true);
    expect(during / before).toBeLessThan(MAX_RATIO);
  }
  await erasing;
  const [left] = await hub.db.query<{ count: bigint }>(
    "SELECT count(*) AS count FROM generation WHERE account_id = $1 AND erased_at IS NULL",
    [old.account],
  );
  expect(left!.count).toBe(0n);
});
