import Stripe from "stripe";
import { afterAll } from "vitest";
import { createApp } from "../../server/api/app";
import type { Hub } from "../../server/domain/hub";
import { notifyPaused } from "../../server/domain/top-ups/automatic-top-up";
import { chargeAutomatically } from "../../server/domain/top-ups/charge-automatically";
import { applyEvents } from "../../server/domain/reconciliation/payment-events";
import { checkPendingPayments, reconcileEverything } from "../../server/domain/reconciliation/check-payments";
import { sendOpenRefunds } from "../../server/domain/reconciliation/refund";
import { createAccount } from "../../server/domain/people/create-account";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { ownerSession } from "../session";
import { openStripeDouble, type StripeDouble } from "./stripe-double";

const WEBHOOK_SECRET = "whsec_test_secret";
const EURO = 1_000_000_000n;

/** Opens a hub that takes payments, beside a double of Stripe. */
export async function payingHub(settings: Record<string, string> = {}) {
  const clock: { now: () => number } = { now: () => Date.now() };
  const double = await openStripeDouble(() => clock.now());
  afterAll(() => double.close());
  const hub = await testHub({ ...stripeSettings(double), ...settings });
  clock.now = () => hub.now().getTime();
  return { hub, double };
}

/** Returns the settings of a hub that calls the double. */
export const stripeSettings = ({ url }: Pick<StripeDouble, "url">) => ({
  STRIPE_SECRET_KEY: "sk_test_double",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: url,
});

let accounts = 0;

/** Makes an account with a verified owner and returns the context of a request of theirs. */
export async function newPayer(hub: Awaited<ReturnType<typeof testHub>>, verified = true) {
  const id = await createAccount(hub, { email: `payer-${(accounts += 1)}@example.org`, verified });
  return ownerSession(hub, id);
}

const signer = new Stripe("sk_test_signer").webhooks;

/** Sends a webhook to the hub, signed as Stripe does unless `secret` is another one. Returns the status of the response. */
export async function sendEvent(hub: Hub, event: unknown, secret = WEBHOOK_SECRET): Promise<number> {
  const payload = JSON.stringify(event);
  const headers = { "stripe-signature": signer.generateTestHeaderString({ payload, secret }) };
  const request = new Request("http://hub/api/callbacks/payments/stripe", { method: "POST", body: payload, headers });
  return (await createApp(hub).fetch(request)).status;
}

/** Runs once what the job runs every minute. */
export async function processPayments(hub: Hub): Promise<void> {
  await applyEvents(hub);
  await sendOpenRefunds(hub);
  await checkPendingPayments(hub);
  await chargeAutomatically(hub);
  await notifyPaused(hub);
}

/** Reconciles every payment with the provider. */
export async function reconcileAll(hub: Hub): Promise<void> {
  await reconcileEverything(hub);
}

/** Spends an amount in EUR, as one generation that succeeds. Returns whether the balance covered it. */
export async function spend(hub: Hub, account: number, euros: number): Promise<boolean> {
  const generation = queuedGeneration(account, BigInt(Math.round(euros * 1e4)) * (EURO / 10_000n));
  if ((await insertWithHold(hub, generation)) !== "accepted") return false;
  await markRunning(hub, { generationId: generation.id, runId: "run" });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  return true;
}

/** Returns the money of an account in EUR. */
export async function moneyOf(hub: Hub, account: number) {
  const sql = "SELECT balance, reserved, owed FROM account WHERE id = $1";
  const [row] = await hub.db.query<Record<"balance" | "reserved" | "owed", bigint>>(sql, [account]);
  const { balance, reserved, owed } = row!;
  return { balance: Number(balance) / 1e9, reserved: Number(reserved) / 1e9, owed: Number(owed) / 1e9 };
}

/** Returns the kinds and amounts in EUR of an account's entries, oldest first. */
export async function entriesOf(hub: Hub, account: number) {
  const sql = "SELECT kind, amount FROM ledger_entry WHERE account_id = $1 ORDER BY id";
  const rows = await hub.db.query<{ kind: string; amount: bigint }>(sql, [account]);
  return rows.map(({ kind, amount }) => `${kind} ${Number(amount) / 1e9}`);
}
