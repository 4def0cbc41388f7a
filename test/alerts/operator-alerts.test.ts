import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { sendMessages } from "../../server/domain/alerts/send-messages";
import { auditDaily, findVerdict, recordAudit } from "../../server/domain/audit/record-audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { findFullDisks } from "../../server/domain/operator-alerts/find-full-disks";
import type { OperatorAlertName } from "../../server/domain/operator-alerts/finding";
import { listOperatorAlerts } from "../../server/domain/operator-alerts/list-operator-alerts";
import { raiseOperatorAlerts } from "../../server/domain/operator-alerts/raise-operator-alerts";
import { sendTestToOperators } from "../../server/domain/operator-alerts/recipients";
import type { FailureCause } from "../../server/providers/failure";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { openCommandLine } from "../command-line";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { openMailServer } from "../mail-server";
import { routeAt, routedCatalogue } from "../routed-hub";
import { openReceiver } from "../webhooks/receiver";
import { killWhileLocked } from "./kill-while-locked";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EMAIL = "ops@example.org";
const mail = await openMailServer();
const receiver = await openReceiver();
const settings = {
  SMTP_URL: mail.url,
  ALERT_EMAILS: EMAIL,
  // A private address, not among OUTBOUND_ALLOW_HOSTS.
  ALERT_SLACK_URL: receiver.url,
  ALERT_QUEUED_MINUTES: "15",
  RUNNING_PER_ACCOUNT: "4",
  BASE_URL: "https://hub.example",
};
const hub = await testHub(settings);
hub.catalogue = routedCatalogue([
  { provider: "first" },
  { provider: "first", id: "first:other" },
  { provider: "second" },
]);
const route = routeAt(hub, "first");
const otherRoute = hub.catalogue.get("routed")!.routes[1]!;
const failure = { code: "provider_error" as const, message: "no", retryable: true };

/** Searches and sends, as the job does every minute; returns the titles of the alerts of a name that are raised. */
async function runAlerts(name: OperatorAlertName): Promise<string[]> {
  hub.clock.advance(MINUTE_MS);
  await raiseOperatorAlerts(hub);
  await sendMessages(hub);
  return (await listOperatorAlerts(hub)).filter((alert) => alert.name === name).map(({ title }) => title);
}

const mails = (text: string) => mail.received.filter((one) => one.to[0] === EMAIL && one.text.includes(text));
const posts = (text: string) => receiver.received.filter(({ body }) => body.includes(text));
/** Returns how many messages with a text arrived by each way. */
const count = (text: string) => [mails(text).length, posts(text).length];

/** Records the outcome of an attempt, and waits until it is stored; the breaker follows. */
async function attempt(at: typeof route, cause: FailureCause | null): Promise<void> {
  hub.clock.advance(1_000);
  const { routeHealth } = hub.services;
  const readRow = () => hub.db.query("SELECT h::text FROM route_health h WHERE route = $1", [at.id]);
  const before = await readRow();
  if (cause === null) routeHealth.recordSuccess(at, hub.now());
  else routeHealth.recordFailure(at, { cause, error: failure }, hub.now());
  await expect.poll(readRow).not.toEqual(before);
}

test("a provider that rejects the hub sends one alert, and another when it works again", async () => {
  await attempt(route, "account");
  await expect.poll(() => runAlerts("provider.down")).toEqual(["Provider first is down"]);
  for (let round = 0; round < 3; round += 1) await runAlerts("provider.down");
  await Promise.all(Array.from({ length: 5 }, () => raiseOperatorAlerts(hub)));
  expect(count("Provider first is down")).toEqual([1, 1]);
  expect(mails("Provider first is down")[0]!.text).toMatch(/Subject: hub\.example: Provider first is down/);
  expect(mails("Provider first is down")[0]!.text).toContain("https://hub.example/admin/providers");
  hub.clock.advance(10 * MINUTE_MS);
  await attempt(route, null);
  await expect.poll(() => runAlerts("provider.down")).toEqual([]);
  await runAlerts("provider.down");
  expect(count("Provider first works again")).toEqual([1, 1]);
});

test("a provider is not down while another of its routes succeeds, when it is busy, or after one outage", async () => {
  hub.clock.advance(10 * MINUTE_MS);
  await attempt(otherRoute, null);
  await attempt(route, "account");
  expect(await runAlerts("provider.down")).toEqual([]);
  hub.clock.advance(10 * MINUTE_MS);
  await attempt(otherRoute, null);
  expect(await runAlerts("provider.down")).toEqual([]);
  const second = routeAt(hub, "second");
  await attempt(second, "capacity");
  expect(await runAlerts("provider.down")).toEqual([]);
  hub.clock.advance(MINUTE_MS);
  await attempt(second, null);
  for (let failures = 0; failures < 3; failures += 1) await attempt(second, "outage");
  expect(await runAlerts("provider.down")).toEqual([]);
  await attempt(second, "outage");
  hub.clock.advance(2 * MINUTE_MS);
  await expect.poll(() => runAlerts("provider.down")).toEqual(["Provider second is down"]);
});

test("generations that are queued for too long are a backlog, unless their account uses its slots", async () => {
  const [waiting, busy] = [await newCustomer(hub), await newCustomer(hub)];
  const setRunning = (count: number) =>
    hub.db.query("UPDATE account SET running = $2 WHERE id = $1", [busy.account, count]);
  await setRunning(3);
  const queue = async (account: number, model: string) => {
    const generation = { ...queuedGeneration(account, 1n), model, created_at: hub.now() };
    await insertWithHold(hub, generation);
    return generation.id;
  };
  const first = await queue(waiting.account, "routed");
  await queue(busy.account, "sandbox-image");
  hub.clock.advance(10 * MINUTE_MS);
  const later = await queue(waiting.account, "routed");
  expect(await runAlerts("backlog")).toEqual([]);
  hub.clock.advance(5 * MINUTE_MS);
  expect(await runAlerts("backlog")).toEqual(["Backlog of model routed"]);
  expect(mails("Backlog of model routed")[0]!.text).toContain("2 queued, the oldest for 17 minutes");
  const end = (id: string) => finishGeneration(hub, { id, from: ["queued"], to: "canceled" });
  await end(first);
  hub.clock.advance(2 * MINUTE_MS);
  // The alert stays raised above half of the threshold, so that a queue around the threshold alerts only once.
  expect(await runAlerts("backlog")).toEqual(["Backlog of model routed"]);
  await end(later);
  expect(await runAlerts("backlog")).toEqual([]);
  await setRunning(2);
  expect(await runAlerts("backlog")).toEqual(["Backlog of model sandbox-image"]);
  await setRunning(0);
  expect(count("No backlog of model routed any more")).toEqual([1, 1]);
});

test("an audit that finds a violation sends an alert, runs once a day automatically, and is over when one finds none", async () => {
  expect(await auditDaily(hub)).not.toBeNull();
  expect(await auditDaily(hub)).toBeNull();
  hub.clock.advance(DAY_MS);
  expect((await auditDaily(hub))!.violations).toEqual([]);
  expect(await runAlerts("audit.not_clean")).toEqual([]);
  const { account } = await newCustomer(hub);
  await hub.db.query("UPDATE account SET running = 2 WHERE id = $1", [account]);
  const { violations } = await recordAudit(hub);
  expect(violations).not.toEqual([]);
  expect(await runAlerts("audit.not_clean")).toEqual(["The audit found violations in the ledger"]);
  expect(mails("The audit found")[0]!.text).toContain(String(account));
  await hub.db.query("UPDATE account SET running = 0 WHERE id = $1", [account]);
  await recordAudit(hub);
  expect(await findVerdict(hub)).toMatchObject({ violations: 0 });
  expect(await runAlerts("audit.not_clean")).toEqual([]);
  expect(count("The audit finds the ledger consistent again")).toEqual([1, 1]);
});

test("failed payments send one alert for each account in one message, and end with one that is paid", async () => {
  const customers = [await newCustomer(hub), await newCustomer(hub)];
  const pay = (account: number, state: "failed" | "paid", error: string | null = null) =>
    hub.db.query<{ id: string }>(
      `INSERT INTO payment (id, account_id, provider, kind, state, amount, failure_code, error, created_at, settled_at)
       VALUES ($1, $2, 'stripe', 'automatic', $3, 1000, 'card_declined', $4, $5, $5) RETURNING id`,
      [newId(), account, state, error, hub.now()],
    );
  for (const { account } of customers) await pay(account, "failed");
  const [{ id }] = (await pay(customers[0]!.account, "failed")) as [{ id: string }];
  const titles = customers.map(({ account }) => `Failed payment: account ${account}`);
  expect((await runAlerts("payment.failed")).sort()).toEqual(titles.toSorted());
  expect(count("Failed payment")).toEqual([1, 1]);
  expect(mails("Failed payment")[0]!.text).toContain("and 1 more");
  expect(mails("Failed payment")[0]!.text).toContain(`Payment ${id} failed: card_declined`);
  await pay(customers[0]!.account, "failed");
  await pay(customers[1]!.account, "paid");
  expect(await runAlerts("payment.failed")).toEqual([titles[0]]);
  const [unapplied] = await pay(customers[1]!.account, "paid", "another currency");
  expect(await runAlerts("payment.failed")).toContain(`Failed payment: payment ${unapplied!.id}`);
  await hub.db.query("UPDATE payment SET error = NULL");
  hub.clock.advance(8 * DAY_MS);
  expect(await runAlerts("payment.failed")).toEqual([]);
});

test("a dispute is told until it is closed, and so are reports of a provider that cannot be applied", async () => {
  const { account } = await newCustomer(hub);
  const id = newId();
  await hub.db.query(
    `INSERT INTO payment (id, account_id, provider, kind, state, amount, provider_ref, intent_ref, created_at, settled_at)
     VALUES ($1, $2, 'stripe', 'top_up', 'paid', 1000, 'cs_disputed', 'pi_disputed', $3, $3)`,
    [id, account, hub.now()],
  );
  const report = (kind: string, error: string | null = null) =>
    hub.db.query(
      `INSERT INTO payment_event (provider, event_id, kind, intent_ref, received_at, applied_at, next_attempt_at, error)
       VALUES ('stripe', $1, $2, 'pi_disputed', $3, CASE WHEN $4::text IS NULL THEN $3::timestamptz END,
               CASE WHEN $4::text IS NOT NULL THEN $3::timestamptz END, $4)`,
      [newId(), kind, hub.now(), error],
    );
  await report("charge.dispute.created");
  await report("charge.dispute.funds_withdrawn");
  expect(await runAlerts("payment.disputed")).toEqual([`Dispute of payment ${id}`]);
  expect(mails(`Dispute of payment ${id}`)[0]!.text).toContain(`Account ${account} disputes it with the bank.`);
  // A second dispute of the payment; one of the two is closed.
  await report("charge.dispute.created");
  await report("charge.dispute.closed");
  expect(await runAlerts("payment.disputed")).toEqual([`Dispute of payment ${id}`]);
  await report("charge.dispute.closed", "Stripe is away");
  expect(await runAlerts("payment.disputed")).toEqual([]);
  expect(count(`No open dispute of payment ${id}`)).toEqual([1, 1]);
  const reports = "Failed payment: reports of stripe";
  expect(await runAlerts("payment.failed")).not.toContain(reports);
  hub.clock.advance(5 * MINUTE_MS);
  expect(await runAlerts("payment.failed")).toContain(reports);
  expect(mails(reports)[0]!.text).toContain("1 could not be applied: Stripe is away");
  await hub.db.query("UPDATE payment_event SET applied_at = received_at, next_attempt_at = NULL, error = NULL");
  expect(await runAlerts("payment.failed")).not.toContain(reports);
});

const disk = mkdtempSync(path.join(os.tmpdir(), "hub-disk-"));
const mount = (...options: string[]) => execFileSync("mount", [...options, disk], { stdio: "ignore" });
const isMounted = mountDisk();
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});

function mountDisk(): boolean {
  try {
    mount("-t", "tmpfs", "-o", "size=512m", "tmpfs");
    return true;
  } catch {
    process.stderr.write("skipped: a small disk needs root and the right to mount\n");
    return false;
  }
}

test.runIf(isMounted)("a disk with less than a gibibyte left is nearly full, whatever is on it", async () => {
  const env = { ...hub.env, HUB_DATA_DIR: disk };
  const [finding, ...others] = await findFullDisks({ env });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ subject: disk, isRaised: true, detail: "0.50 of 0.50 GiB are free" });
  mount("-o", "remount,size=1100m");
  expect(await findFullDisks({ env })).toMatchObject([{ isRaised: false }]);
  mount("-o", "remount,size=2g");
  expect(await findFullDisks({ env })).toEqual([]);
  expect(await findFullDisks({ env: { ...env, embedded: false, STORAGE_S3_BUCKET: "files" } })).toEqual([]);
});

test("a search that is killed tells nothing, and its repetition tells all; a failed message is sent again", async () => {
  const { account } = await newCustomer(hub);
  await hub.db.query(
    `INSERT INTO payment (id, account_id, provider, kind, state, amount, created_at, settled_at)
     VALUES ($1, $2, 'stripe', 'automatic', 'failed', 1000, $3, $3)`,
    [newId(), account, hub.now()],
  );
  await killWhileLocked(hub, "LOCK TABLE alert_message IN EXCLUSIVE MODE", () => raiseOperatorAlerts(hub));
  const title = `Failed payment: account ${account}`;
  expect((await listOperatorAlerts(hub)).map((alert) => alert.title)).not.toContain(title);
  receiver.respond = (response) => void response.writeHead(503).end();
  await runAlerts("payment.failed");
  receiver.respond = (response) => void response.writeHead(204).end();
  expect(count(title)).toEqual([1, 1]);
  hub.clock.advance(MINUTE_MS);
  await sendMessages(hub);
  expect(count(title)).toEqual([1, 2]);
  await hub.db.query("UPDATE payment SET settled_at = created_at - interval '8 days'");
  await raiseOperatorAlerts(hub);
  const other = deriveHub(hub, { env: { ...hub.env, ALERT_EMAILS: [], ALERT_SLACK_URL: undefined } });
  // Recipients that the settings no longer name get nothing.
  await sendMessages(other);
  expect(count(`No failed payment any more: account ${account}`)).toEqual([0, 0]);
  await expect(sendTestToOperators(other)).rejects.toMatchObject({ code: "invalid_state" });
});

test("a test goes to every recipient, from the command line as well, and says who was not reached", async () => {
  await sendTestToOperators(hub);
  expect(count("The alerts of https://hub.example arrive here.")).toEqual([1, 1]);
  receiver.respond = (response) => void response.writeHead(410).end();
  await expect(sendTestToOperators(hub)).rejects.toThrow("HTTP 410");
  receiver.respond = (response) => void response.writeHead(204).end();
  const { run } = await openCommandLine();
  for (const name of ["SMTP_URL", "ALERT_EMAILS", "ALERT_SLACK_URL"] as const) vi.stubEnv(name, settings[name]);
  expect(await run("alert", "test")).toBe(`Sent to ${EMAIL}, ${receiver.host}.\n`);
});
