import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { changeAlertSettings, getAlertSettings } from "../../server/domain/alerts/settings";
import { chooseOwnAlerts, getOwnAlerts } from "../../server/domain/alerts/own-alerts";
import { raiseAlerts } from "../../server/domain/alerts/raise-alerts";
import { sendMessages } from "../../server/domain/alerts/send-messages";
import { sendTestMessage } from "../../server/domain/alerts/test-message";
import { attemptDelivery } from "../../server/domain/deliveries/attempt";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { changeKey } from "../../server/domain/ledger/change-key";
import { creditAccount } from "../../server/domain/ledger/credit";
import { getPerson } from "../../server/domain/people/person";
import type { EventName } from "../../server/domain/events/event-names";
import { newId } from "../../server/lib/id";
import { parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { openMailServer } from "../mail-server";
import { openReceiver } from "../webhooks/receiver";
import { killWhileLocked } from "./kill-while-locked";

const DAY_MS = 86_400_000;
const mail = await openMailServer();
const receiver = await openReceiver();
const hub = await testHub({
  OUTBOUND_ALLOW_HOSTS: receiver.host,
  SMTP_URL: mail.url,
  BASE_URL: "https://hub.example",
  RUNNING_PER_ACCOUNT: "1000",
});

/** Creates an account whose owner gets alerts by e-mail, Slack and a webhook. */
async function newAccount(options: Parameters<typeof newCustomer>[1] = {}) {
  const customer = await newCustomer(hub, options);
  await hub.db.query("UPDATE person SET email_verified_at = now() WHERE email = $1", [customer.email]);
  const account = { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n };
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  const person = (await getPerson(hub, customer.email)).id;
  const slackUrl = `${receiver.url}/slack/${customer.account}`;
  await changeAlertSettings(ctx, { recipients: [person], slack_url: slackUrl });
  const events: EventName[] = ["balance.low", "balance.exhausted", "key.limit_reached", "webhook.failing"];
  const { endpoint } = await createEndpoint(ctx, { url: receiver.url, events });
  /** Charges the account, by its key or by nobody's. */
  const spend = async (euros: number, keyId: string | null = null) => {
    const cost = parseDecimal(euros);
    const generation = { ...queuedGeneration(customer.account, cost), key_id: keyId, created_at: hub.now() };
    expect(await insertWithHold(hub, generation)).toBe("accepted");
    await markRunning(hub, { generationId: generation.id, runId: newId() });
    await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  };
  const listEvents = async () => {
    const sql = "SELECT name, data::json AS data FROM event WHERE account_id = $1 AND generation_id IS NULL ORDER BY n";
    return hub.db.query<{ name: string; data: Record<string, unknown> }>(sql, [customer.account]);
  };
  const namesOf = async () => (await listEvents()).map(({ name }) => name);
  const mailed = () => mail.received.filter(({ to }) => to[0] === customer.email).map(({ text }) => text);
  return { ...customer, ctx, endpoint, person, slackUrl, spend, listEvents, namesOf, mailed };
}

/** Searches and sends, as the job does every minute. */
async function runAlerts(): Promise<void> {
  hub.clock.advance(60_000);
  await raiseAlerts(hub);
  await sendMessages(hub);
}

/** Returns the texts posted to Slack about an account. */
const slackPosts = ({ email }: { email: string }): string[] =>
  receiver.received
    .map(({ body }) => body.toString())
    .filter((text) => text.includes('"text"') && text.includes(email));

test("a balance below what three days spent is told once by webhook, e-mail and Slack, and again after a top-up", async () => {
  const account = await newAccount();
  await account.spend(4);
  await runAlerts();
  expect(await account.namesOf()).toEqual([]);
  await account.spend(2);
  await Promise.all(Array.from({ length: 5 }, () => raiseAlerts(hub)));
  for (let round = 0; round < 3; round += 1) await runAlerts();
  const data = { account: { email: account.email, name: null }, balance: 4, available: 4, threshold: 6 };
  expect(await account.listEvents()).toMatchObject([{ name: "balance.low", data }]);
  expect(account.mailed()).toHaveLength(1);
  expect(account.mailed()[0]).toContain("https://hub.example/balance");
  expect(slackPosts(account)).toHaveLength(1);
  await creditAccount(hub, account.account, { amount: parseDecimal(10) });
  await runAlerts();
  expect(await account.namesOf()).toHaveLength(1);
  await account.spend(8);
  await runAlerts();
  expect(await account.namesOf()).toEqual(["balance.low", "balance.low"]);
  expect(account.mailed()).toHaveLength(2);
});

test("charges older than three days do not count, and an amount replaces them", async () => {
  const account = await newAccount();
  await account.spend(6);
  hub.clock.advance(3 * DAY_MS + 60_000);
  await account.spend(0.5);
  await runAlerts();
  expect(await account.namesOf()).toEqual([]);
  await changeAlertSettings(account.ctx, { low_amount: 5 });
  await runAlerts();
  await runAlerts();
  expect(await account.listEvents()).toMatchObject([{ data: { balance: 3.5, threshold: 5 } }]);
  await changeAlertSettings(account.ctx, { low_amount: 4 });
  await runAlerts();
  expect(await account.namesOf()).toHaveLength(2);
  expect(await getAlertSettings(account.ctx)).toMatchObject({ low_amount: 4 });
});

test("a balance that holds reserve for hours is exhausted once, and low by its charges alone", async () => {
  const account = await newAccount();
  await account.spend(0.1);
  await insertWithHold(hub, queuedGeneration(account.account, parseDecimal(9.9)));
  await runAlerts();
  await runAlerts();
  expect(await account.listEvents()).toMatchObject([
    { name: "balance.exhausted", data: { available: 0, balance: 9.9 } },
  ]);
});

test("a rejected request tells that the balance or the key's limit is used up, and an old one not again", async () => {
  const [poor, limited] = [await newAccount({ credit: 1 }), await newAccount({ credit: 9, spendLimit: 1 })];
  const reject = async ({ account, keyId }: typeof poor) => {
    await hub.db.query(
      `INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message)
       VALUES ($1, $2, $3, $4, 'r', 'POST', '/', 402, 'insufficient_credits', '')`,
      [newId(), account, keyId, hub.now()],
    );
  };
  await reject(poor);
  await reject(limited);
  await runAlerts();
  await runAlerts();
  expect(await poor.namesOf()).toEqual(["balance.exhausted"]);
  expect(await limited.namesOf()).toEqual(["key.limit_reached"]);
  await reject(poor);
  await creditAccount(hub, poor.account, { amount: parseDecimal(5) });
  await runAlerts();
  await runAlerts();
  expect(await poor.namesOf()).toEqual(["balance.exhausted"]);
});

test("the limit of a key is told once in its period, and again after a change or in the next one", async () => {
  const account = await newAccount({ credit: 100, spendLimit: 2, spendLimitReset: "day" });
  hub.clock.advance(DAY_MS - (hub.now().getTime() % DAY_MS) + 3_600_000);
  await account.spend(2, account.keyId);
  for (let round = 0; round < 3; round += 1) await runAlerts();
  const [event] = await account.listEvents();
  expect(event!.data).toMatchObject({ key: { id: account.keyId, name: "test" }, spend_limit: 2, spent: 2 });
  expect(await account.namesOf()).toEqual(["key.limit_reached"]);
  await changeKey(account.ctx, account.keyId, { spend_limit: 3 });
  await account.spend(1, account.keyId);
  await runAlerts();
  expect(await account.namesOf()).toHaveLength(2);
  hub.clock.advance(DAY_MS);
  await account.spend(1, account.keyId);
  await runAlerts();
  expect(await account.namesOf()).toHaveLength(2);
  await account.spend(2, account.keyId);
  await runAlerts();
  expect(await account.namesOf()).toHaveLength(3);
});

test("an endpoint is failing after three failed attempts in a row, and works after three others", async () => {
  const account = await newAccount();
  const attempt = async (status: number) => {
    const at = hub.now();
    await hub.db.query(
      `WITH e AS (INSERT INTO event (id, account_id, name, created_at, data) VALUES ($1, $2, 'webhook.test', $4, '{}') RETURNING n),
       d AS (INSERT INTO delivery (id, endpoint_id, event_n, state, created_at, ended_at) SELECT $1, $3, n, 'succeeded', $4, $4 FROM e)
       INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status)
       VALUES ($1, 1, 1, $3, $4, 1, $5)`,
      [newId(), account.account, account.endpoint.id, at, status],
    );
    await runAlerts();
  };
  const alerts = async () => (await account.namesOf()).filter((name) => name === "webhook.failing");
  for (const status of [500, 200, 500, 404]) await attempt(status);
  expect(await alerts()).toEqual([]);
  for (const status of [500, 500, 200, 500, 500, 500]) await attempt(status);
  expect(await alerts()).toHaveLength(1);
  for (const status of [200, 200, 200, 500, 500, 500]) await attempt(status);
  expect(await alerts()).toHaveLength(2);
});

test("a search that is killed changes nothing, and its repetition tells the crossing once", async () => {
  const account = await newAccount({ credit: 1 });
  await account.spend(0.9);
  await killWhileLocked(hub, "SELECT FROM alert_search FOR UPDATE", () => raiseAlerts(hub));
  expect(await account.namesOf()).toEqual([]);
  await runAlerts();
  await runAlerts();
  expect(await account.namesOf()).toEqual(["balance.low"]);
});

test("a message is sent again until it arrives, and not to those who were removed meanwhile", async () => {
  const account = await newAccount({ credit: 1 });
  await account.spend(0.9);
  receiver.respond = (response) => void response.writeHead(503).end();
  await runAlerts();
  const countMessages = async () =>
    (await hub.db.query("SELECT FROM alert_message WHERE account_id = $1", [account.account])).length;
  expect(account.mailed()).toHaveLength(1);
  expect(await countMessages()).toBe(1);
  receiver.respond = (response) => void response.writeHead(204).end();
  await sendMessages(hub);
  expect(await countMessages()).toBe(1);
  hub.clock.advance(60_000);
  await sendMessages(hub);
  expect(await countMessages()).toBe(0);
  expect(slackPosts(account)).toHaveLength(2);
  await creditAccount(hub, account.account, { amount: parseDecimal(2) });
  await runAlerts();
  await account.spend(1.9);
  await raiseAlerts(hub);
  await changeAlertSettings(account.ctx, { recipients: [], slack_url: null });
  await sendMessages(hub);
  expect(account.mailed()).toHaveLength(1);
  expect(await countMessages()).toBe(0);
});

test("the Slack URL is encrypted, never shown whole, and must be public; a test posts to it", async () => {
  const account = await newAccount();
  const [row] = await hub.db.query<{ slack_url: Buffer }>("SELECT slack_url FROM alert_setting WHERE account_id = $1", [
    account.account,
  ]);
  expect(row!.slack_url.includes("slack")).toBe(false);
  expect(JSON.stringify(await getAlertSettings(account.ctx))).not.toContain("/slack/");
  expect(await getAlertSettings(account.ctx)).toMatchObject({
    slack_host: receiver.host,
    members: [{ is_recipient: true }],
  });
  for (const slack_url of ["http://localhost/x", "https://127.0.0.1/x", "https://10.0.0.1/", "nonsense"])
    await expect(changeAlertSettings(account.ctx, { slack_url })).rejects.toMatchObject({ code: "invalid_input" });
  const before = receiver.received.length;
  await sendTestMessage(account.ctx);
  expect(receiver.received.slice(before).map(({ body }) => JSON.parse(body.toString()) as object)).toEqual([
    { text: `Alerts of ${account.email} at https://hub.example arrive here.` },
  ]);
  receiver.respond = (response) => void response.writeHead(410).end();
  await expect(sendTestMessage(account.ctx)).rejects.toMatchObject({ code: "invalid_input" });
  receiver.respond = (response) => void response.writeHead(204).end();
});

test("a member chooses e-mails for themselves, and gets none about money that their role does not show", async () => {
  const account = await newAccount({ credit: 4, spendLimit: 2 });
  const { email } = await newCustomer(hub);
  const { id } = await getPerson(hub, email);
  await hub.db.query("UPDATE person SET email_verified_at = now() WHERE id = $1", [id]);
  await hub.db.query("INSERT INTO membership (account_id, person_id, role, created_at) VALUES ($1, $2, $3, now())", [
    account.account,
    id,
    "developer",
  ]);
  const person = { id, email, role: "developer" as const, hubRole: null, isVerified: true };
  const ctx = contextOf(hub, account.ctx.account, { kind: "user", person }, "test");
  expect(await getOwnAlerts(ctx)).toEqual({ is_verified: true, is_recipient: false, sends_mail: true });
  await chooseOwnAlerts(ctx, true);
  expect(await getOwnAlerts(ctx)).toMatchObject({ is_recipient: true });
  await account.spend(1);
  await account.spend(2, account.keyId);
  await runAlerts();
  expect(account.mailed()).toHaveLength(2);
  const mailed = mail.received.filter(({ to }) => to[0] === email).map(({ text }) => text);
  expect(mailed).toEqual([expect.stringContaining("Subject: Spend limit")]);
  await chooseOwnAlerts(ctx, false);
  expect(await getOwnAlerts(ctx)).toMatchObject({ is_recipient: false });
});

test("an alert is retried like other events, and posted with the bytes that are stored", async () => {
  const account = await newAccount({ credit: 1 });
  await account.spend(0.9);
  hub.published.length = 0;
  await runAlerts();
  const [due] = hub.published.filter(({ name }) => name === "delivery/due");
  const { id, round, lane } = due!.data as { id: string; round: number; lane: string };
  receiver.respond = (response) => void response.writeHead(500).end();
  expect(await attemptDelivery(hub, { id, round, lane })).toMatchObject({ next: "wait" });
  receiver.respond = (response) => void response.writeHead(204).end();
  hub.clock.advance(DAY_MS);
  expect(await attemptDelivery(hub, { id, round, lane })).toMatchObject({ next: "end", state: "succeeded" });
});
