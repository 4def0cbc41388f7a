import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { recordAudit } from "../../server/domain/audit/record-audit";
import { insertManyWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import type { Hub } from "../../server/domain/hub";
import { getAccountRecord } from "../../server/domain/operations/account-record";
import { findAccounts, listAllAccounts } from "../../server/domain/operations/find-accounts";
import { getHubState } from "../../server/domain/operations/hub-state";
import { rollUpMoney, sumMoney } from "../../server/domain/operations/money";
import { setHubRole } from "../../server/domain/people/hub-role";
import { addMember, getPerson } from "../../server/domain/people/person";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { explainPlan } from "../explain-plan";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

const hub = await testHub();
const callerOf = createCallerFactory(root);
const HOUR_MS = 3_600_000;

async function newConsole(role: "operator" | "auditor") {
  const { account, email } = await newCustomer(hub);
  await setHubRole(hub, testOperator, email, role);
  const session = await ownerSession(hub, account);
  return callerOf({ hub, session: contextOf(hub, session.account, session.actor, "request"), address: "192.0.2.1" });
}
const sumLedger = async () => {
  const [row] = await hub.db.query<{ sum: bigint }>("SELECT coalesce(sum(balance), 0)::bigint AS sum FROM account");
  return Number(row!.sum) / 1e9;
};

test("the sums by hour equal the balances, whatever was late, repeated or left out", async () => {
  const { account } = await newCustomer(hub, { credit: 7 });
  await rollUpMoney(hub);
  expect((await sumMoney(hub, 3)).balances).toBe(await sumLedger());
  // Commits an entry from this many minutes ago, in an hour that is over.
  const late = async (minutes: number) =>
    hub.db.query(
      `WITH paid AS (UPDATE account SET balance = balance + 5 WHERE id = $1 RETURNING balance)
       INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at) SELECT $1, 'credit', 5, balance, $2 FROM paid`,
      [account, new Date(hub.now().getTime() - minutes * 60_000)],
    );
  hub.clock.advance(HOUR_MS - (hub.now().getTime() % HOUR_MS) + 5 * 60_000);
  await rollUpMoney(hub);
  await late(6);
  await Promise.all([rollUpMoney(hub), rollUpMoney(hub)]);
  expect((await sumMoney(hub, 3)).balances).toBe(await sumLedger());
  // The sweep did not run for three hours.
  hub.clock.advance(3 * HOUR_MS);
  await late(90);
  await rollUpMoney(hub);
  expect((await sumMoney(hub, 3)).balances).toBe(await sumLedger());
  // After an upgrade, older hours are added from the newest to the oldest.
  await hub.db.query("TRUNCATE money_hour");
  while ((await rollUpMoney(hub)) > 0);
  expect((await sumMoney(hub, 3)).balances).toBe(await sumLedger());
});

test("shows what is queued and held by model", async () => {
  const { account } = await newCustomer(hub, { credit: 5 });
  const before = await getHubState(hub);
  await insertManyWithHold(hub.db, [
    queuedGeneration(account, 2_000_000_000n),
    queuedGeneration(account, 1_000_000_000n),
  ]);
  const state = await getHubState(hub);
  expect(state.held - before.held).toBeCloseTo(3, 9);
  const { model } = queuedGeneration(account, 1n);
  const queuedOf = (of: typeof state) => of.queues.find((queue) => queue.model === model)?.queued ?? 0;
  expect(queuedOf(state) - queuedOf(before)).toBe(2);
});

test("counts jobs that a route did not accept as failures, but none that the hub took back", async () => {
  const { account } = await newCustomer(hub, { credit: 5 });
  const generation = queuedGeneration(account, 1n);
  await insertManyWithHold(hub.db, [generation]);
  const outcomes = [
    ["refused", "outage"],
    ["refused", null],
    ["failed", "job"],
    ["lost", null],
    ["canceled", null],
    ["succeeded", null],
  ];
  for (const [n, [outcome, cause]] of outcomes.entries())
    await hub.db.query(
      `INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, cause)
       VALUES ($1, $2, 'openai:gpt', 'openai', $3, $3, $4, $5)`,
      [generation.id, n + 1, hub.now(), outcome, cause],
    );
  const { failures } = await getHubState(hub);
  const counted = failures.filter(({ provider }) => provider === "openai");
  expect(counted.map(({ cause, count, fault }) => `${count} ${cause}: ${fault}`).sort()).toEqual([
    "1 job: customer",
    "1 outage: provider",
    "1 unknown: provider",
  ]);
});

test("finds an account by address, domain, member, id, key and generation, and nothing by a wildcard", async () => {
  const own = await newCustomer(hub);
  const member = await newCustomer(hub);
  await addMember(hub.db, own.account, (await getPerson(hub, member.email)).id, "viewer", hub.now());
  const generation = { ...queuedGeneration(own.account, 1n) };
  await insertManyWithHold(hub.db, [generation]);
  const idsOf = async (text: string) => (await findAccounts(hub, text)).map(({ id }) => id);
  for (const text of [
    own.email,
    own.email.slice(0, 30).toUpperCase(),
    own.key.slice(0, 16),
    generation.id,
    String(own.account),
  ])
    expect(await idsOf(text)).toContain(own.account);
  expect(await idsOf(member.email)).toEqual([member.account, own.account].sort((a, b) => b - a));
  expect(await idsOf("@example.org")).toContain(own.account);
  for (const text of ["%", "_", "", " ", "99999999999", newId(), "\\"]) expect(await idsOf(text)).toEqual([]);
});

test("pages through all accounts once", async () => {
  const seen: number[] = [];
  for (let before: number | null = null; ;) {
    const { data, next } = await listAllAccounts(hub, before, 2);
    seen.push(...data.map(({ id }) => id));
    if (next === null) break;
    before = next;
  }
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  expect(seen.length).toBe(await hub.db.prisma.account.count());
});

test("a catalogue that is not valid is a 400 with its issues, and the next change still needs a proof", async () => {
  const { admin } = await newConsole("operator");
  const { base } = await admin.catalogue.get();
  const apply = (source: string) => admin.catalogue.applyDraft({ source, base, reason: "Try it" });
  for (const [source, message] of [
    ["models: [", "source: catalogue:1"],
    ["models: 7", "source: catalogue:1: models: must be a list"],
    ["a: &x [*x]", "source: catalogue: is nested deeper than"],
    [
      'models: []\nproviders: [{ id: up, kind: openai, base_url: "https://up.example", api_key: "${HUB_SECRET}" }]',
      "source: catalogue:2: providers[0].api_key: names HUB_SECRET, a setting of the hub",
    ],
  ] as const)
    await expect(apply(source), source).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining(message) as string,
    });
  hub.clock.advance(11 * 60_000);
  await expect(apply("models: []")).rejects.toMatchObject({ cause: { extras: { needsProof: true } } });
});

test("an auditor cannot make the hub send a provider's key", async () => {
  const auditor = await newConsole("auditor");
  await expect(auditor.admin.providers.check({ id: "openai" })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("an operator credits once, suspends and notes; an auditor sees it and changes nothing", async () => {
  const { account } = await newCustomer(hub, { credit: 1 });
  const [operator, auditor] = [await newConsole("operator"), await newConsole("auditor")];
  const credit = { account, amount: "2.5", reference: newId(), note: "", reason: "Refund of ticket 7" };
  const answers = await Promise.all([1, 2, 3].map(() => operator.admin.accounts.credit(credit)));
  expect(answers.filter(({ credited }) => credited)).toHaveLength(1);
  await expect(operator.admin.accounts.credit({ ...credit, reference: newId(), amount: "-99" })).rejects.toMatchObject({
    code: "PAYMENT_REQUIRED",
  });
  for (const amount of ["0", "ten", "1e3", "2000000"])
    await expect(operator.admin.accounts.credit({ ...credit, reference: newId(), amount })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  await operator.admin.accounts.suspend({ account, suspended: true, reason: "Abuse" });
  await operator.admin.accounts.note({ account, text: "Called them." });
  const record = await auditor.admin.accounts.get({ account });
  expect(record).toMatchObject({
    suspended: true,
    balance: 3.5,
    notes: [{ text: "Called them." }],
    actions: [{ action: "account.note" }, { action: "account.suspend", reason: "Abuse" }, { action: "credit.grant" }],
  });
  await expect(auditor.admin.accounts.credit(credit)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await recordAudit(hub);
  expect((await auditor.admin.state.get()).verdict).toMatchObject({ violations: 0 });
});

test("what it shows is found by indexes, however many accounts and entries there are", async () => {
  await hub.db.query(`
    WITH people AS (
      INSERT INTO person (email, created_at) SELECT 'many-' || n || '@example.com', now() FROM generate_series(1, 20000) AS n
      RETURNING id, email
    ),
    accounts AS (INSERT INTO account (email, created_at) SELECT email, now() FROM people RETURNING id, email)
    INSERT INTO membership (account_id, person_id, role, created_at)
    SELECT a.id, p.id, 'owner', now() FROM accounts a JOIN people p USING (email)`);
  const [{ id: account } = { id: 0 }] = await hub.db.query<{ id: number }>("SELECT max(id) AS id FROM account");
  await hub.db.query(
    `INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at)
     SELECT $1, 'credit', 1, n, now() - (20000 - n) * interval '5 minutes' FROM generate_series(1, 20000) AS n`,
    [account],
  );
  await hub.db.query("ANALYZE");
  const verbs: [name: string, verb: (hub: Hub) => Promise<unknown>, pattern: RegExp][] = [
    ["search", (on) => findAccounts(on, "many-777"), /found AS/],
    ["domain", (on) => findAccounts(on, "@nobody.example"), /found AS/],
    ["list", (on) => listAllAccounts(on, null, 50), /ORDER BY a.id DESC/],
    ["record", (on) => getAccountRecord(on, account), /FROM account WHERE id = \$1/],
    ["roll-up", (on) => rollUpMoney(on), /INSERT INTO money_hour/],
    ["bounds", (on) => rollUpMoney(on), /AS oldest/],
  ];
  for (const [name, verb, pattern] of verbs) {
    const plan = await explainPlan(hub, (on) => verb(on).catch(() => undefined), pattern);
    expect({ name, plan }).toEqual({ name, plan: expect.stringContaining("Scan") as string });
    expect({
      name,
      plan: /Seq Scan on (account|person|ledger_entry)\b.*/.exec(plan)?.[0],
    }).toEqual({
      name,
      plan: undefined,
    });
  }
});
