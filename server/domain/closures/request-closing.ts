import { z } from "zod";
import type { Queryable } from "../../db/client";
import { bool, int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { getMailer } from "../../lib/mail";
import { lockAccount } from "../accounts";
import { operate, type Operator } from "../operator-actions";
import type { SessionCtx } from "../sessions";
import { setClosesAt } from "./account-state";
import type { ClosuresHub } from "./hub";

const HOUR_MS = 3_600_000;
/** How long an owner can keep the account. */
export const REFLECTION_DAYS = 14;
/** The latest closing, in days, that an operator can ask for. */
export const MAX_CLOSING_DAYS = 90;

/** What happens to the balance: payments are refunded and only the rest is given up, or all of it is given up. */
export const BalanceChoice = z.enum(["refund", "give_up"]);

/** Whether, and how, an account closes. */
interface ClosingRequest {
  balance: z.output<typeof BalanceChoice>;
}

/**
 * Closes the caller's account in 14 days. Until then its keys are rejected and its people can only read it. Does nothing if
 * it is closing already. The owners get an e-mail.
 */
export async function closeOwnAccount(
  { hub, account, actor }: SessionCtx<ClosuresHub>,
  request: ClosingRequest,
): Promise<void> {
  const closesAt = new Date(hub.now().getTime() + REFLECTION_DAYS * 24 * HOUR_MS);
  const isNew = await hub.db.transaction((tx) =>
    startClosing(tx, account.id, { ...request, closesAt, personId: actor.person.id, now: hub.now() }),
  );
  if (isNew) await sendNotices(hub, account.id, closesAt);
}

/**
 * Keeps the caller's account, whose keys work again at once. Throws a 409 if it was closed meanwhile, or an operator closes
 * it.
 */
export async function keepOwnAccount({ hub, account }: SessionCtx<ClosuresHub>): Promise<void> {
  await hub.db.transaction(async (tx) => {
    await stopClosing(tx, account.id);
    const [closure] = await deleteClosure(tx, account.id);
    if (closure?.person_id === null)
      throw new AppError("invalid_state", "This hub's operator is closing the account. Contact them to keep it.");
  });
}

/** A decision of an operator about closing an account. */
interface ClosingOrder {
  id: number;
  reason?: string | null;
}

/**
 * Closes an account on behalf of an operator in `days` days, but not before an hour has passed: by then every earlier request has
 * ended. Does nothing if it is closing already. Throws a 404 if there is none.
 */
export async function closeAccountByOperator(
  hub: ClosuresHub,
  operator: Operator,
  { id, reason, days, ...request }: ClosingOrder & ClosingRequest & { days: number },
): Promise<void> {
  const closesAt = new Date(hub.now().getTime() + Math.max(days * 24, 1) * HOUR_MS);
  const target = { kind: "account", id: String(id) };
  const isNew = await operate(hub, operator, { action: "account.close", target, reason }, async (tx) => {
    const started = await startClosing(tx, id, { ...request, closesAt, personId: null, now: hub.now() });
    const after = { closes_at: closesAt.toISOString(), gives_up_balance: request.balance === "give_up" };
    return started ? { before: null, after, result: true } : null;
  });
  if (isNew) await sendNotices(hub, id, closesAt);
}

/**
 * Keeps an account by an operator; does nothing if it is not closing. Throws a 404 if there is none, and a 409 for a closed
 * one.
 */
export async function keepAccountByOperator(
  hub: ClosuresHub,
  operator: Operator,
  { id, reason }: ClosingOrder,
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.keep", target, reason }, async (tx) => {
    const closesAt = await stopClosing(tx, id);
    await deleteClosure(tx, id);
    return closesAt ? { before: { closes_at: closesAt.toISOString() }, after: null, result: undefined } : null;
  });
}

interface Start extends ClosingRequest {
  closesAt: Date;
  personId: number | null;
  now: Date;
}

/** Returns false if the account was closing already. */
async function startClosing(tx: Queryable, id: number, { balance, closesAt, personId, now }: Start): Promise<boolean> {
  const [account] = await lockAccount(tx, id);
  if (!account) throw new AppError("resource_not_found", "There is no such account.");
  if (account.closes_at) return false;
  await setClosesAt(tx, id, closesAt);
  await insertClosure(tx, id, now, personId, balance === "give_up");
  return true;
}

/** Returns when the account would have closed; null if it was not closing. */
async function stopClosing(tx: Queryable, id: number): Promise<Date | null> {
  const [account] = await lockAccount(tx, id);
  if (!account) throw new AppError("resource_not_found", "There is no such account.");
  if (account.closed_at) throw new AppError("invalid_state", "The account is closed and its content is erased.");
  await setClosesAt(tx, id, null);
  return account.closes_at;
}

/**
 * E-mails the owners of an account that it will close. A failed e-mail is only logged, because the console shows the closing too.
 */
async function sendNotices(hub: ClosuresHub, accountId: number, closesAt: Date): Promise<void> {
  const { send } = getMailer(hub.env);
  if (!send) return;
  const day = closesAt.toISOString().slice(0, 10);
  const text =
    `Your account at ${hub.env.BASE_URL} closes on ${day}. Its API keys no longer work. Afterwards everything in it is ` +
    `erased for good.\n\nTo keep it, sign in before that day: ${hub.env.BASE_URL}/settings\n`;
  for (const { email } of await selectOwners(hub.db, accountId))
    await send({ to: email, subject: `Your account closes on ${day}`, text }).catch((error: unknown) =>
      hub.log.error({ err: error, account: accountId }, "notice about a closing not sent"),
    );
}

const selectOwners = statement({
  params: [int4],
  row: { email: text },
  text: `
    SELECT p.email FROM membership m JOIN person p ON p.id = m.person_id
    WHERE m.account_id = $1 AND m.role = 'owner' AND p.email_verified_at IS NOT NULL ORDER BY p.id`,
});

const insertClosure = statement({
  params: [int4, timestamptz, nullable(int4), bool],
  row: {},
  text: "INSERT INTO closure (account_id, requested_at, person_id, gives_up_balance) VALUES ($1, $2, $3, $4)",
});

const deleteClosure = statement({
  params: [int4],
  row: { person_id: nullable(int4) },
  text: "DELETE FROM closure WHERE account_id = $1 RETURNING person_id",
});
