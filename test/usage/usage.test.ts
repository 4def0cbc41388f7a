import { beforeAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { usageInvariant, usageSumInvariants } from "../../server/domain/audit/usage-invariants";
import { contextOf } from "../../server/context";
import { listUsageMetadata, purgeUsageLabels, setUsageMetadata } from "../../server/domain/usage/label";
import { rollUpUsage } from "../../server/domain/usage/roll-up";
import { newCustomer, type Customer } from "../api/customer";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { settleWork } from "./settle-work";

const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "1000" });
const { hub } = host;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const COST = 9_200_000n;

const rollUp = () => rollUpUsage(hub, 60_000);
const advanceTo = (time: number) => hub.clock.advance(time - hub.now().getTime());
const nextDay = () => (Math.floor(hub.now().getTime() / DAY_MS) + 1) * DAY_MS;

const { start, settle } = settleWork(hub, COST);

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

test("a settlement counts in its own hour, whenever its generation was created", async () => {
  const anna = await newCustomer(hub);
  const finish = await start(anna);
  const created = Math.floor(hub.now().getTime() / HOUR_MS) * HOUR_MS;
  hub.clock.advance(HOUR_MS);
  await finish();
  const [early, late] = [new Date(created), new Date(created + HOUR_MS)].map((at) => at.toISOString());
  const hours = [[{ hour: late, ...sums(1, 1) }], [{ hour: late, ...sums(1, 1) }]];
  for (const expected of hours) {
    expect((await read(anna, "group_by=hour")).data).toMatchObject(expected);
    expect((await read(anna, `from=${early}&to=${late}`)).total).toMatchObject(sums(0, 0));
    await rollUp();
  }
});

test("an entry that commits late, with a time in a summed hour, is added to it", async () => {
  const anna = await newCustomer(hub);
  await settle(anna);
  await rollUp();
  const at = new Date(hub.now().getTime() - 3 * HOUR_MS);
  hub.clock.advance(-3 * HOUR_MS);
  await settle(anna);
  await settle(anna, { to: "canceled" });
  hub.clock.advance(3 * HOUR_MS);
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  for (let summed = 0; summed < 2; summed += 1) {
    expect((await read(anna, "group_by=hour")).data[0]).toMatchObject({ hour, ...sums(2, 1) });
    await rollUp();
  }
});

test("a period is exact to the millisecond, whatever hours, days and months it crosses", async () => {
  const anna = await newCustomer(hub);
  const end = Date.UTC(hub.now().getUTCFullYear(), hub.now().getUTCMonth() + 1);
  const unfreeze = hub.clock.freeze();
  // The last millisecond of a month and the first of the next one, half an hour around them, and noon of both days.
  const offsets = [-12 * HOUR_MS, -HOUR_MS / 2, -1, 0, HOUR_MS / 2, 12 * HOUR_MS];
  for (const offset of offsets) {
    advanceTo(end + offset);
    await settle(anna, { to: offset === -1 ? "canceled" : "succeeded", endUser: "eva" });
  }
  const iso = (offset: number) => new Date(end + offset).toISOString();
  for (let summed = 0; summed < 2; summed += 1) {
    for (const [n, offset] of offsets.entries()) {
      const before = await read(anna, `from=${iso(-40 * DAY_MS)}&to=${iso(offset)}`);
      const after = await read(anna, `from=${iso(offset)}&to=${iso(DAY_MS)}&group_by=end_user`);
      expect([before.total.generations, after.total.generations]).toEqual([n, offsets.length - n]);
      expect(after.data.reduce((sum, row) => sum + Number(row.generations), 0)).toBe(offsets.length - n);
    }
    const months = await read(anna, `from=${iso(-40 * DAY_MS)}&group_by=month`);
    expect(months.data.map(({ generations }) => generations)).toEqual([3, 3]);
    expect((await read(anna, `from=${dayOf(end)}&to=${dayOf(end + DAY_MS)}`)).total).toMatchObject(sums(3, 3));
    await rollUp();
  }
  unfreeze();
});

test("a named key of metadata covers any period from the next day on, others 31 days", async () => {
  const anna = await newCustomer(hub);
  const ctx = contextOf(
    hub,
    { id: anna.account, email: anna.email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" },
    "test",
  );
  await settle(anna, { metadata: { team: "blue" } });
  await setUsageMetadata(ctx, ["team", "__proto__"]);
  const since = Date.parse((await listUsageMetadata(hub, anna.account))[0]!.since);
  advanceTo(since + HOUR_MS);
  await settle(anna, { metadata: { team: "blue", run: "1", ["__proto__"]: "x" } });
  await settle(anna, { metadata: { team: "red", run: "2" } });
  await settle(anna);
  advanceTo(since + 40 * DAY_MS);
  await rollUp();
  const from = `from=${dayOf(since)}`;
  expect((await read(anna, `${from}&group_by=metadata.team`)).data).toMatchObject([
    { "metadata.team": null, ...sums(1, 1) },
    { "metadata.team": "blue", ...sums(1, 1) },
    { "metadata.team": "red", ...sums(1, 1) },
  ]);
  expect((await read(anna, `${from}&group_by=metadata.__proto__`)).total).toMatchObject(sums(3, 3));
  // What was settled before is read one by one, if it is not too long ago.
  expect((await read(anna, `from=${dayOf(since - 2 * DAY_MS)}&group_by=metadata.team`)).total).toMatchObject(
    sums(4, 4),
  );
  for (const groups of ["metadata.run", "metadata.team,model", "metadata.team,end_user", "hour,metadata.team"]) {
    const { status, body } = await get(anna, `${from}&group_by=${groups}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: { group_by: [expect.stringContaining("31 days")] } },
    });
    expect((await read(anna, `${from}&to=${dayOf(since + 31 * DAY_MS)}&group_by=${groups}`)).total).toMatchObject(
      sums(3, 3),
    );
  }
  expect((await get(anna, `from=${dayOf(since - 40 * DAY_MS)}&group_by=metadata.team`)).status).toBe(400);

  await setUsageMetadata(ctx, []);
  expect((await get(anna, `${from}&group_by=metadata.team`)).status).toBe(400);
  expect(await purgeUsageLabels(hub, 1_000)).toBe(6);
  await purgeUsageLabels(hub, 1_000);
  expect(await hub.db.query("SELECT FROM usage_label WHERE account_id = $1", [anna.account])).toEqual([]);
});

test("an audit finds nothing wrong while the sums of a removed key or of a closed account are deleted", async () => {
  const [anna, bob] = [await newCustomer(hub), await newCustomer(hub)];
  const ctxOf = ({ account: id, email }: Customer) =>
    contextOf(hub, { id, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
  for (const customer of [anna, bob]) await setUsageMetadata(ctxOf(customer), ["team"]);
  // Two days of the same month.
  advanceTo(Date.UTC(hub.now().getUTCFullYear(), hub.now().getUTCMonth() + 1, 2));
  for (const team of ["blue", "red"]) {
    for (const customer of [anna, bob]) await settle(customer, { metadata: { team }, endUser: "eva" });
    hub.clock.advance(DAY_MS);
  }
  await rollUp();
  const audit = async () => (await runAudit(hub.db)).violations;
  expect(await audit()).toEqual([]);
  await setUsageMetadata(ctxOf(anna), []);
  for (let deleted = 0; deleted < 4; deleted += 1) {
    expect(await purgeUsageLabels(hub, 1)).toBe(1);
    expect(await audit()).toEqual([]);
  }
  expect(await purgeUsageLabels(hub, 1)).toBe(0);
  const deleteDay = (label: string) =>
    hub.db.query(
      `DELETE FROM usage_label_sum WHERE ctid = (
         SELECT ctid FROM usage_label_sum WHERE account_id = $1 AND grain = 'day' AND label_id ${label} LIMIT 1)`,
      [bob.account],
    );
  for (const label of ["= 0", "<> 0"]) await deleteDay(label);
  expect(new Set((await audit()).map(({ check }) => check))).toEqual(
    new Set(["usage of a month by label equals that of its days"]),
  );
  await hub.db.transaction(async (tx) => {
    await tx.query("UPDATE account SET closed_at = now(), closes_at = now(), suspended = true WHERE id = $1", [
      bob.account,
    ]);
    await tx.query("DELETE FROM membership WHERE account_id = $1", [bob.account]);
  });
  expect(await audit()).toEqual([]);
});

test("values beyond the bound of a day are summed up as (other)", async () => {
  const anna = await newCustomer(hub);
  await settle(anna, { endUser: "first" });
  await rollUp();
  await hub.db.query(
    `INSERT INTO usage_label_sum SELECT account_id, label_id, grain, at, 'filler ' || n, 0, 0, 0, 0, 0, 0
     FROM usage_label_sum, generate_series(2, 9999) n WHERE account_id = $1 AND grain = 'day'`,
    [anna.account],
  );
  for (const endUser of ["a", "b", "c", "first"]) await settle(anna, { endUser });
  await rollUp();
  await settle(anna, { endUser: "b" });
  await rollUp();
  expect((await read(anna, "group_by=end_user")).data).toMatchObject([
    { end_user: "(other)", ...sums(3, 3) },
    { end_user: "a", ...sums(1, 1) },
    { end_user: "first", ...sums(2, 2) },
  ]);
});

test("CSV has all rows, and no text of a customer that a spreadsheet would evaluate", async () => {
  const anna = await newCustomer(hub);
  for (const endUser of ["=1+1", "+1", "-1", "@A1", "\ttab", 'a "quoted", name']) await settle(anna, { endUser });
  const csv = await callApi(host, "GET", "/api/v1/hub/usage?group_by=end_user&limit=1", {
    key: anna.key,
    headers: { accept: "text/csv" },
  });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const values = `,1,0,0,0,0,0.0092`;
  expect(csv.bytes.toString().split("\r\n")).toEqual([
    "end_user,generations,failed,input_tokens,cached_input_tokens,output_tokens,billed_eur",
    ...["'\ttab", "'+1", "'-1", "'=1+1", "'@A1", '"a ""quoted"", name"'].map((cell) => cell + values),
    "",
  ]);
  expect((await get(anna, "format=csv")).bytes.toString()).toContain("day,generations");
  const json = await callApi(host, "GET", "/api/v1/hub/usage?format=json", {
    key: anna.key,
    headers: { accept: "text/csv" },
  });
  expect(json.body.total).toMatchObject(sums(6, 6));
});

test.each([
  ["from=2026-13-01", "from"],
  ["to=yesterday", "to"],
  ["from=2026-11-02&to=2026-11-01", "to"],
  ["from=2999-01-01", "from"],
  ["group_by=day,model,key", "group_by"],
  ["group_by=week", "group_by"],
  ["group_by=account", "group_by"],
  ["group_by=", "group_by"],
  ["group_by=day,hour", "group_by"],
  ["group_by=model,model", "group_by"],
  ["group_by=metadata.", "group_by"],
  ["group_by=metadata.a%20b", "group_by"],
  ["format=xml", "format"],
  ["limit=0", "limit"],
  ["cursor=x.y", "cursor"],
])("%s is rejected at %s", async (query, place) => {
  const { status, body } = await get(await newCustomer(hub), query);
  expect({ status, places: Object.keys(body.errors as object) }).toEqual({ status: 400, places: [place] });
});

test("reads sum up first what the sweep has left for too long", async () => {
  const anna = await newCustomer(hub);
  await settle(anna);
  await hub.db.query(
    `INSERT INTO generation SELECT (g).* FROM (
       SELECT jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'billed_cost', null, 'status', 'canceled',
                                                         'started_at', null, 'progress', null, 'deadline_at', null)) AS g
       FROM generation g, generate_series(1, 5001) WHERE account_id = $1) copies`,
    [anna.account],
  );
  expect((await read(anna)).total).toMatchObject(sums(5_002, 1));
  expect(
    await hub.db.query("SELECT FROM uncharged_settlement WHERE account_id = $1 AND NOT is_summed", [anna.account]),
  ).toEqual([]);
});

test("the audit finds usage that differs from the ledger", async () => {
  await rollUp();
  expect((await runAudit(hub.db)).violations.filter(({ check }) => /usage/.test(check))).toEqual([]);
  const anna = await newCustomer(hub);
  await settle(anna);
  await settle(anna, { to: "canceled" });
  await rollUp();
  await hub.db.query("UPDATE usage_sum SET billed = billed + 1 WHERE account_id = $1", [anna.account]);
  await hub.db.query("DELETE FROM uncharged_settlement WHERE account_id = $1", [anna.account]);
  const names = (await runAudit(hub.db)).violations.map(({ check }) => check);
  expect(names).toEqual(
    expect.arrayContaining([usageInvariant.name, usageSumInvariants[0]!.name, usageSumInvariants[1]!.name]),
  );
});
