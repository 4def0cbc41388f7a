import type { Ctx } from "../../context";
import { int4, int8Number, notNull, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { getMailer } from "../../lib/mail";
import type { Cents } from "../../payments/provider";
import { centsToEuros } from "../payments";
import { requireProvider, selectCustomer } from "../payment-customers";
import type { TopUpsHub } from "./hub";

/** The smallest difference between target and threshold, in cents: a smaller charge is not worth its fee. */
export const MIN_DIFFERENCE = 500;
const MAX_CAP = 10_000_000;

interface AutomaticTopUpInput {
  /** An available balance below this is topped up. */
  threshold: Cents;
  /** The balance after a charge. */
  target: Cents;
  monthlyCap: Cents;
}

/**
 * Switches the automatic top-up on, also after a pause. Throws 400 for amounts that contradict each other or without a
 * saved method, and 403 while the person's e-mail address is unverified.
 */
export async function enableAutomaticTopUp(
  { hub, account, actor }: Ctx<TopUpsHub>,
  { threshold, target, monthlyCap }: AutomaticTopUpInput,
): Promise<void> {
  requireProvider(hub);
  if (threshold < 1) throw invalidInput("threshold", "must be above 0");
  if (target < threshold + MIN_DIFFERENCE)
    throw invalidInput("target", `must be at least ${centsToEuros(MIN_DIFFERENCE)} EUR above the threshold`);
  if (monthlyCap < target - threshold)
    throw invalidInput("monthly_cap", "must be at least the difference of target and threshold");
  if (monthlyCap > MAX_CAP) throw invalidInput("monthly_cap", `must be at most ${centsToEuros(MAX_CAP)} EUR`);
  const person = actor.kind === "user" ? actor.person : undefined;
  if (!person?.isVerified)
    throw new AppError("unauthorized", "Verify your e-mail address before you switch this on.", {}, {}, 403);
  const [customer] = await selectCustomer(hub.db, account.id);
  if (!customer?.method_ref) throw invalidInput("body", "Save a payment method first.");
  await upsertAutomatic(hub.db, account.id, threshold, target, monthlyCap, person.id, hub.now());
}

/** Switches the automatic top-up off. A charge that was sent is not canceled. */
export const disableAutomaticTopUp = async ({ hub, account }: Ctx<TopUpsHub>): Promise<void> =>
  void (await switchOff(hub.db, account.id, hub.now()));

const MAX_NOTIFIED = 20;

/**
 * E-mails owners and billing members whose automatic top-up was paused, with a link to the balance page. Each pause is
 * marked before its e-mails are sent, because a lost e-mail is better than one every minute. Returns the number of
 * recipients.
 */
export async function notifyPaused(hub: TopUpsHub): Promise<number> {
  const paused = await claimNotices(hub.db, hub.now(), MAX_NOTIFIED);
  const { send } = getMailer(hub.env);
  for (const { email, reason } of paused) {
    await send?.({ to: email, subject: "Automatic top-up paused", text: describePause(hub, reason) }).catch(
      (error: unknown) => hub.log.error({ err: error }, "e-mail about a paused automatic top-up not sent"),
    );
  }
  return paused.length;
}

const pauseReasons: Record<string, string> = {
  disputed: "A payment was disputed with the bank.",
  authentication_required: "Your bank asks you to confirm the payment yourself.",
  nothing_paid: "A discount reduced a charge to zero.",
};

const describePause = (hub: TopUpsHub, reason: string): string =>
  `${pauseReasons[reason] ?? "Your payment method was declined."} ` +
  "Automatic top-ups are paused, so your requests may soon fail for lack of credit.\n\n" +
  `Top up and switch them on again:\n${hub.env.BASE_URL}/balance\n`;

const upsertAutomatic = statement({
  params: [int4, int4, int4, int4, int4, timestamptz],
  row: {},
  text: `
    INSERT INTO automatic_top_up (account_id, state, threshold, target, monthly_cap, person_id, changed_at)
    VALUES ($1, 'on', $2, $3, $4, $5, $6)
    ON CONFLICT (account_id) DO UPDATE SET state = 'on', reason = NULL, declines = 0, next_attempt_at = NULL,
      threshold = excluded.threshold, target = excluded.target, monthly_cap = excluded.monthly_cap,
      person_id = excluded.person_id, changed_at = excluded.changed_at`,
});

const switchOff = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    UPDATE automatic_top_up SET state = 'off', reason = NULL, next_attempt_at = NULL, changed_at = $2 WHERE account_id = $1`,
});

const claimNotices = statement({
  params: [timestamptz, int8Number],
  row: { email: text, reason: notNull(text) },
  text: `
    WITH due AS MATERIALIZED (
      SELECT account_id FROM automatic_top_up WHERE state = 'paused' AND notified_at IS NULL
      LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    ),
    marked AS (
      UPDATE automatic_top_up t SET notified_at = $1 FROM due WHERE t.account_id = due.account_id
      RETURNING t.account_id, t.reason
    )
    SELECT p.email, marked.reason FROM marked JOIN membership m ON m.account_id = marked.account_id
    JOIN person p ON p.id = m.person_id WHERE m.role IN ('owner', 'billing') AND p.email_verified_at IS NOT NULL`,
});
