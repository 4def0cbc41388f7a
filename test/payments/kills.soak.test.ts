import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { newBrowser } from "../auth-browser";
import { createRandom } from "../random";
import { seed } from "../soak";
import { stripeSettings } from "./paying-hub";
import { type DoubleEvent, openStripeDouble, type StripeDouble } from "./stripe-double";

const KILLS = 40;
const PAYMENTS_EACH = 6;
const random = createRandom(seed);
const pick = <T>(all: T[]): T => all[Math.floor(random() * all.length)]!;
const signer = new Stripe("sk_test_signer").webhooks;

/** Sends an event as Stripe does; a hub that is killed meanwhile does not answer. */
async function send(hub: RunningHub, secret: string, event: DoubleEvent): Promise<void> {
  const payload = JSON.stringify(event);
  const headers = { "stripe-signature": signer.generateTestHeaderString({ payload, secret }) };
  const url = `${hub.url}/api/callbacks/payments/stripe`;
  await fetch(url, { method: "POST", body: payload, headers }).catch(() => undefined);
}

/** Returns the part of a charge that was not reversed, in cents. */
function leftOf({ intents, refunds, disputes }: StripeDouble, intent: string): number {
  const taken = [
    ...[...refunds.values()].filter(({ status }) => status !== "failed"),
    ...[...disputes.values()].filter(({ balance_transactions: moves }) => moves.length === 1),
  ].filter(({ payment_intent }) => payment_intent === intent);
  return taken.reduce((left, { amount }) => left - amount, intents.get(intent)!.amount);
}

/** Returns what was paid and not reversed according to the double, in cents. */
const worthOf = (double: StripeDouble): number =>
  [...double.intents.values()]
    .filter(({ status }) => status === "succeeded")
    .reduce((sum, { id }) => sum + leftOf(double, id), 0);

/**
 * Pays the open pages, refunds or disputes some of the money, and returns the events in random order, some twice, some
 * not at all.
 */
function payAndTakeBack(double: StripeDouble): DoubleEvent[] {
  const before = double.events.length;
  for (const { id, status } of double.sessions.values()) if (status === "open") double.pay(id);
  for (const { id } of double.intents.values()) {
    const left = leftOf(double, id);
    if (left > 0 && random() < 0.2) double.refund(id, Math.min(left, 1 + Math.floor(random() * 200)));
    else if (left > 0 && random() < 0.1) double.dispute(id, Math.min(left, 300));
  }
  const events = double.events.slice(before);
  return events.flatMap((event) => Array<DoubleEvent>(pick([0, 1, 1, 2])).fill(event)).toSorted(() => random() - 0.5);
}

test(
  `after ${KILLS} kills while payments are reported, the ledger agrees with the provider`,
  { timeout: 1_200_000 },
  async () => {
    const double = await openStripeDouble();
    const env = { ...stripeSettings(double), LOG_LEVEL: "error", RATE_LIMIT_WRITES_PER_MINUTE: "100000" };
    const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-paying-"));
    let hub = await startHub({ env, dataDir });
    const { key, demo } = hub;
    const { port } = new URL(hub.url);
    const visitor = newBrowser(hub.url);
    await visitor.post("/api/auth/callback/credentials", demo);
    const openPage = () =>
      visitor.navigate("/api/trpc/payments.topUp", {
        method: "POST",
        headers: { "content-type": "application/json", origin: hub.url },
        body: JSON.stringify({ json: { amount: String(5 + Math.floor(random() * 20)), saves_method: false } }),
      });
    for (let kill = 0; kill < KILLS; kill += 1) {
      // An account may have ten open pages, which include paid ones whose events were lost, until they are looked up.
      for (let page = 0; page < PAYMENTS_EACH; page += 1)
        if ((await openPage()).status === 400) await hub.cli("payment", "reconcile");
      const sending = payAndTakeBack(double).map((event) => send(hub, env.STRIPE_WEBHOOK_SECRET, event));
      await delay(random() * 120);
      await hub.kill9();
      await Promise.all(sending);
      hub = await startHub({ env: { ...env, PORT: port }, dataDir });
    }
    // The money arrives without the events that were lost. Each command applies a bounded number of events.
    const worth = 25 + worthOf(double) / 100;
    const account = async () => {
      await hub.cli("payment", "reconcile");
      const response = await fetch(`${hub.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
      return ((await response.json()) as { balance: number }).balance;
    };
    await expect.poll(account, { timeout: 300_000, interval: 500 }).toBeCloseTo(worth, 9);
    expect(double.sessions.size).toBeGreaterThan(KILLS * 2);
    expect((await hub.cli("audit")).code).toBe(0);
    await hub.stop();
    await double.close();
    await rm(dataDir, { recursive: true, force: true });
  },
);
