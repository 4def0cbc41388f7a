import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { soakCount } from "../soak";
import { actionsOf, callAdmin, newProgram, type Program } from "./program";

const host = await openOwnHost();
const { hub } = host;
const DAY_MS = 86_400_000;

afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const credit = (program: Program, account: number, body: object) =>
  callAdmin(host, program, "POST", `accounts/${account}/credits`, { body });
const balanceOf = async (program: Program, account: number) =>
  (await callAdmin(host, program, "GET", `accounts/${account}`)).body.balance;

test("a reference that many requests repeat at once is credited once, and each has the first one's answer", async () => {
  const program = await newProgram(hub, { dailyCredit: 7 });
  const { account } = await newCustomer(hub, { credit: 0 });
  const request = { amount: 7, reference: "invoice-1", note: "Invoice 1" };
  const replies = await Promise.all(
    Array.from({ length: soakCount(10, 100) }, () => credit(program, account, request)),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  expect(replies[0]!.body).toMatchObject({
    account,
    amount: 7,
    reference: "invoice-1",
    note: "Invoice 1",
    balance_after: 7,
  });
  expect((await credit(program, account, { ...request, amount: 900 })).body).toEqual(replies[0]!.body);
  expect(await balanceOf(program, account)).toBe(7);
  expect((await actionsOf(hub, program)).map(({ action }) => action)).toEqual(["credit.grant"]);
});

test("the daily limit covers what fits exactly, however many requests come at once, and resets with the day", async () => {
  const unfreeze = hub.clock.freeze();
  const program = await newProgram(hub, { dailyCredit: 1 });
  const accounts = [await newCustomer(hub), await newCustomer(hub), await newCustomer(hub)];
  const count = soakCount(20, 200);
  const amount = 2.5 / count;
  const credits = Array.from({ length: count }, (_, index) =>
    credit(program, accounts[index % 3]!.account, { amount, reference: `race-${index}` }),
  );
  const statuses = (await Promise.all(credits)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(Math.floor(1 / amount));
  expect(statuses.filter((status) => status === 402)).toHaveLength(count - Math.floor(1 / amount));
  const { account } = accounts[0]!;
  // A correction gives back none of the daily credit, and itself counts toward it.
  expect((await credit(program, account, { amount: -1, reference: "back" })).body).toMatchObject({
    code: "insufficient_credits",
    available: 0,
    required: 1,
  });
  hub.clock.advance(DAY_MS);
  expect((await credit(program, account, { amount: -0.4, reference: "back" })).status).toBe(201);
  expect((await credit(program, account, { amount: 0.7, reference: "more" })).body).toMatchObject({ available: 0.6 });
  expect((await credit(program, account, { amount: 0.6, reference: "more" })).status).toBe(201);
  unfreeze();
});

test.each([0, 1e-10, 1.5e-9, 1_000_001, -1_000_001, 0.0000000001])("the amount %d is rejected", async (amount) => {
  const { account } = await newCustomer(hub);
  const { status, body } = await credit(await newProgram(hub), account, { amount, reference: "x" });
  expect({ status, errors: body.errors }).toEqual({ status: 400, errors: { amount: [expect.any(String)] } });
});

test("a correction is at most the balance, and a reference of the hub is rejected", async () => {
  const program = await newProgram(hub);
  const { account } = await newCustomer(hub, { credit: 5 });
  expect((await credit(program, account, { amount: -6, reference: "a" })).status).toBe(402);
  expect((await credit(program, account, { amount: -5, reference: "a" })).body).toMatchObject({ balance_after: 0 });
  expect((await credit(program, account, { amount: 1, reference: "payment:x:paid:100" })).body).toHaveProperty(
    "errors.reference",
  );
  expect((await credit(program, 2_000_000_000, { amount: 1, reference: "a" })).status).toBe(404);
});
