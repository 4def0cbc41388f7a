import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { changeAlertSettings } from "../../server/domain/alerts/settings";
import { raiseAlerts } from "../../server/domain/alerts/raise-alerts";
import { sendMessages } from "../../server/domain/alerts/send-messages";
import { changeBudget, createBudget } from "../../server/domain/budgets/change-budget";
import type { BudgetRequest } from "../../server/domain/budgets/input";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { hashEndUser } from "../../server/domain/labels";
import { getPerson } from "../../server/domain/people/person";
import { newId } from "../../server/lib/id";
import { parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { openMailServer } from "../mail-server";
import { openReceiver } from "../webhooks/receiver";

const DAY_MS = 86_400_000;
const mail = await openMailServer();
const receiver = await openReceiver();
const hub = await testHub({
  OUTBOUND_ALLOW_HOSTS: receiver.host,
  SMTP_URL: mail.url,
  BASE_URL: "https://hub.example",
});

/** Creates an account with a budget of 10 EUR a day, whose owner gets alerts by e-mail and a webhook. */
async function newAccount(request: Partial<BudgetRequest> = {}) {
  const customer = await newCustomer(hub, { credit: 1_000 });
  const { account: id, email, keyId } = customer;
  await hub.db.query("UPDATE person SET email_verified_at = now() WHERE email = $1", [email]);
  const ctx = contextOf(
    hub,
    { id, email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" as const },
    "test",
  );
  await changeAlertSettings(ctx, { recipients: [(await getPerson(hub, email)).id] });
  await createEndpoint(ctx, { url: receiver.url, events: ["budget.threshold"] });
  const budget = await hub.db.transaction((tx) =>
    createBudget(tx, ctx, { name: "Team blue", amount: 10, window: "day", scope: { keys: [keyId] }, ...request }),
  );
  const change = (amount: number) => hub.db.transaction((tx) => changeBudget(tx, ctx, budget.id, { amount }));
  /** Charges the account. */
  const spend = async (euros: number, { end_user = null }: { end_user?: string | null } = {}) => {
    const now = hub.now();
    const chat = {
      ...queuedGeneration(id, parseDecimal(euros)),
      key_id: keyId,
      created_at: now,
      started_at: now,
      status: "running" as const,
      is_llm: true,
      deadline_at: now,
      end_user,
      end_user_hash: end_user === null ? null : hashEndUser(hub, id, end_user),
    };
    expect(await insertWithHold(hub, chat)).toBe("accepted");
    await finishGeneration(hub, { id: chat.id, from: ["running"], to: "succeeded" });
  };
  const list = async () => {
    const sql = "SELECT data::json AS data FROM event WHERE account_id = $1 AND name = 'budget.threshold' ORDER BY n";
    return (await hub.db.query<{ data: { threshold: number } }>(sql, [id])).map(({ data }) => data);
  };
  const thresholds = async () => (await list()).map(({ threshold }) => threshold);
  const mailed = () => mail.received.filter(({ to }) => to[0] === email);
  return { ...customer, budget, change, spend, list, thresholds, mailed };
}

/** Searches and sends, as the job does every minute, with several processes. */
async function runAlerts(): Promise<void> {
  hub.clock.advance(60_000);
  await Promise.all([raiseAlerts(hub), raiseAlerts(hub), raiseAlerts(hub)]);
  await sendMessages(hub);
}

/** Moves the clock to the beginning of a day. */
const startDay = () => hub.clock.advance(DAY_MS - (hub.now().getTime() % DAY_MS));

test("each threshold sends one alert in each window, by webhook and e-mail", async () => {
  startDay();
  const account = await newAccount();
  await account.spend(4.9);
  await runAlerts();
  expect(await account.list()).toEqual([]);
  await account.spend(0.1);
  for (let round = 0; round < 3; round += 1) await runAlerts();
  expect(await account.list()).toMatchObject([
    {
      account: { email: account.email, name: null },
      budget: { id: account.budget.id, name: "Team blue" },
      threshold: 50,
      amount: 10,
      spent: 5,
      end_user: null,
      resets_at: new Date(Math.ceil(hub.now().getTime() / DAY_MS) * DAY_MS).toISOString(),
    },
  ]);
  await account.spend(3.5);
  await runAlerts();
  await account.spend(1.5);
  await runAlerts();
  await runAlerts();
  expect(await account.thresholds()).toEqual([50, 80, 100]);
  const mails = account.mailed();
  expect(mails).toHaveLength(3);
  expect(mails[1]!.text).toContain("80 % of the budget Team blue of 10.00 EUR are used. It resets at ");
  expect(mails[1]!.text).toContain("https://hub.example/budgets");
  startDay();
  await account.spend(9);
  await runAlerts();
  expect(await account.thresholds()).toEqual([50, 80, 100, 80]);
});

test("another amount is another crossing, and holds that are released are none", async () => {
  startDay();
  const account = await newAccount();
  await account.spend(6);
  await runAlerts();
  await account.change(20);
  await account.spend(4);
  await runAlerts();
  expect(await account.thresholds()).toEqual([50, 50]);
  // The same amount is no change.
  await account.change(20);
  const held = { ...queuedGeneration(account.account, parseDecimal(7)), key_id: account.keyId, created_at: hub.now() };
  await insertWithHold(hub, held);
  await account.spend(0.1);
  await runAlerts();
  await finishGeneration(hub, { id: held.id, from: ["queued"], to: "canceled" });
  await account.spend(0.1);
  await runAlerts();
  await account.spend(6);
  await runAlerts();
  expect(await account.thresholds()).toEqual([50, 50, 80]);
});

test("a budget for each end user tells of the first who crosses a threshold", async () => {
  startDay();
  const account = await newAccount({ scope: { each_end_user: true } });
  for (const end_user of ["ann", "bob", "cyd"]) await account.spend(4, { end_user });
  await account.spend(2, { end_user: "bob" });
  await runAlerts();
  await account.spend(2, { end_user: "ann" });
  await runAlerts();
  expect(await account.list()).toMatchObject([{ threshold: 50, end_user: "bob" }]);
});

test("a request that a budget rejects uses up the budget, and neither the balance nor the key", async () => {
  startDay();
  const account = await newAccount();
  await account.spend(6);
  await hub.db.query(
    `INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message, budget_id)
     VALUES ($1, $2, $3, $4, 'r', 'POST', '/', 402, 'insufficient_credits', '', $5)`,
    [newId(), account.account, account.keyId, hub.now(), account.budget.id],
  );
  await runAlerts();
  await runAlerts();
  expect(await account.thresholds()).toEqual([100]);
  const alerts = await hub.db.query("SELECT event FROM alert WHERE account_id = $1 AND is_raised", [account.account]);
  expect(alerts).toEqual([{ event: "budget.threshold" }]);
});
