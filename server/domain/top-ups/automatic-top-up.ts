import type { Ctx } from "../../context";
import { int4, int8Number, notNull, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { getMailer } from "../../lib/mail";
import type { Cents } from "../../payments/provider";
import { centsToEuros } from "../payments";
import { requireProvider, selectCustomer } from "../payment-customers";
import type { TopUpsHub } from "./hub";

/** The smallest difference of target and threshold, in cents: a charge below it is not worth its fee. */
export const MIN_DIFFERENCE = 500;
const MAX_CAP = 10_000_000;

const columns = {
  state: textOf<"on" | "off" | "paused">(),
  reason: nullable(text),
  threshold: int4,
  target: int4,
  monthly_cap: int4,
  next_attempt_at: nullable(timestamptz),
};

/** The automatic top-up of an account, in cents. */
export type AutomaticTopUp = RowOf<typeof columns>;

export interface AutomaticTopUpInput {
  /** Below which available balance it charges. */
  threshold: Cents;
  /** Up to which balance. */
  target: Cents;
  monthlyCap: Cents;
}

/** Returns the automatic top-up of an account; null if it never had one. */
export const getAutomaticTopUp = async (hub: TopUpsHub, accountId: number): Promise<AutomaticTopUp | null> =>
  (await selectAutomatic(hub.db, accountId))[0] ?? null;

/**
 * Switches the automatic top-up on, also after it was paused. Throws 400 for amounts that do not fit together and without
 * a saved method, and 403 before the person's e-mail address is verified.
 */
export async function enableAutomaticTopUp(ctx: Ctx<TopUpsHub>, input: AutomaticTopUpInput): Promise<void> {
  const { hub, account, actor } = ctx;
  requireProvider(hub);
  const { threshold, target, monthlyCap } = input;
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

/** Switches the automatic top-up off. A charge that was sent is not taken back. */
export const disableAutomaticTopUp = async ({ hub, account }: Ctx<TopUpsHub>): Promise<void> =>
  void (await switchOff(hub.db, account.id, hub.now()));

const MAX_NOTIFIED = 20;

/**
 * Tells the people who may pay that automatic top-ups are paused, with a link to the page where they pay. Each pause is
 * notified once: the row is marked first, because a lost e-mail is better than one every minute. Returns how many.
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

function describePause(hub: TopUpsHub, reason: string): string {
  const why =
    reason === "disputed"
      ? "A payment was disputed with the bank."
      : reason === "authentication_required"
        ? "Your bank asks you to confirm the payment yourself."
        : reason === "nothing_paid"
          ? "A charge cost nothing after a discount."
          : "Your payment method was declined.";
  return (
    `${why} Automatic top-ups are paused, so your requests may soon fail for lack of credit.\n\n` +
    `Top up and switch them on again:\n${hub.env.BASE_URL}/balance\n`
  );
}

const selectAutomatic = statement({
  params: [int4],
  row: columns,
  text: `
    SELECT state, reason, threshold, target, monthly_cap, next_attempt_at FROM automatic_top_up WHERE account_id = $1`,
});

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
