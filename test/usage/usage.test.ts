import { beforeAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { setUsageMetadata, purgeUsageLabels } from "../../server/domain/usage/label";
import { rollUpUsage } from "../../server/domain/usage/roll-up";
import { newId } from "../../server/lib/id";
import { newCustomer, type Customer } from "../api/customer";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { queuedGeneration } from "../generation-fixture";

const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "1000" });
const { hub } = host;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const COST = 9_200_000n;

const rollUp = () => rollUpUsage(hub, 60_000);
const advanceTo = (time: number) => hub.clock.advance(time - hub.now().getTime());
const nextDay = () => (Math.floor(hub.now().getTime() / DAY_MS) + 1) * DAY_MS;

interface Work {
  to?: "succeeded" | "failed" | "canceled";
  keyId?: string;
  model?: string;
  endUser?: string;
  metadata?: Record<string, string>;
}

/** Creates a generation and returns what settles it. */
async function start({ account }: Customer, work: Work = {}) {
  const { to = "succeeded", keyId = null, model = "sandbox-image", endUser = null, metadata = null } = work;
  const generation = {
    ...queuedGeneration(account, COST),
    key_id: keyId,
    model,
    end_user: endUser,
    metadata,
    created_at: hub.now(),
  };
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  return async () => {
    if (to !== "canceled") await markRunning(hub, { generationId: generation.id, runId: newId() });
    const error =
      to === "failed" ? { code: "provider_error" as const, message: "It failed.", retryable: true } : undefined;
    await finishGeneration(hub, { id: generation.id, from: [to === "canceled" ? "queued" : "running"], to, error });
  };
}
const settle = async (customer: Customer, work: Work = {}) => (await start(customer, work))();

interface Usage {
  data: Record<string, string | number | null>[];
  total: Record<string, number>;
  next_cursor: string | null;
}

const get = async ({ key }: Customer, query = "") => callApi(host, "GET", `/api/v1/hub/usage?${query}`, { key });
async function read(customer: Customer, query = ""): Promise<Usage> {
  const { status, body } = await get(customer, query);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as unknown as Usage;
}
const sums = (generations: number, billed: number, failed = 0) => ({
  generations,
  failed,
  billed: (billed / 1e9) * Number(COST),
});
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

beforeAll(() => advanceTo(nextDay() + 8 * HOUR_MS));

describe.each([
  ["before", false],
  ["after", true],
])("%s the sums are made", (_name, isSummed) => {
  let anna: Customer;
  let today: string;
  beforeAll(async () => {
    anna = await newCustomer(hub);
    today = dayOf(hub.now().getTime());
    await settle(anna, { keyId: anna.keyId, endUser: "eva", metadata: { team: "blue" } });
    await settle(anna, { endUser: "eva", metadata: { team: "red" } });
    await settle(anna, { keyId: anna.keyId, to: "failed", endUser: "max" });
    await settle(anna, { to: "canceled", model: "sandbox-image" });
    if (isSummed) await rollUp();
  });

  test("usage counts what was settled, by each group", async () => {
    expect(await read(anna)).toMatchObject({
      data: [{ day: today, ...sums(4, 2, 1) }],
      total: sums(4, 2, 1),
      next_cursor: null,
    });
    expect((await read(anna, "group_by=key")).data).toMatchObject([
      { key: null, ...sums(2, 1) },
      { key: anna.keyId, ...sums(2, 1, 1) },
    ]);
    expect((await read(anna, "group_by=hour,model")).data).toMatchObject([
      { hour: `${hub.now().toISOString().slice(0, 13)}:00:00.000Z`, model: "sandbox-image", ...sums(4, 2, 1) },
    ]);
    expect((await read(anna, "group_by=end_user,month")).data).toMatchObject([
      { end_user: null, month: today.slice(0, 7), ...sums(1, 0) },
      { end_user: "eva", ...sums(2, 2) },
      { end_user: "max", ...sums(1, 0, 1) },
    ]);
    expect((await read(anna, "group_by=metadata.team")).data).toMatchObject([
      { "metadata.team": null, ...sums(2, 0, 1) },
      { "metadata.team": "blue", ...sums(1, 1) },
      { "metadata.team": "red", ...sums(1, 1) },
    ]);
    expect((await read(anna, "group_by=metadata.team,end_user")).data).toHaveLength(4);
  });

  test("pages have all rows once, and the total of all", async () => {
    const found: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Usage = await read(anna, `group_by=end_user&limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toMatchObject(sums(4, 2, 1));
      found.push(...page.data.map(({ end_user }) => end_user));
      cursor = page.next_cursor;
    }
    expect(found).toEqual([null, "eva", "max"]);
  });

  test("another account sees nothing of it", async () => {
    const bob = await newCustomer(hub);
    expect(await read(bob, "group_by=end_user")).toMatchObject({ data: [], total: sums(0, 0) });
    const { next_cursor: cursor } = await read(anna, "group_by=end_user&limit=1");
    expect((await get(bob, `group_by=end_user&limit=1&cursor=${cursor}`)).status).toBe(400);
  });
});
