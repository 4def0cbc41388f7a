import { bool, int4, int8, int8Number, notNull, nullable, timestamptz } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import type { Queryable } from "../../db/client";
import { AppError } from "../../errors";
import type { ClosuresHub } from "./hub";
import { findWaits, type Wait } from "./find-waits";

const closureColumns = {
  account_id: int4,
  requested_at: timestamptz,
  /** The owner who asked for it; null for an operator. */
  person_id: nullable(int4),
  gives_up_balance: bool,
  tombstone_at: nullable(timestamptz),
  erased_at: nullable(timestamptz),
};
const accountColumns = { closes_at: nullable(timestamptz), closed_at: nullable(timestamptz), available: notNull(int8) };
const row = { ...closureColumns, ...accountColumns };

/** The closing of an account, from the request until all of it is erased. */
export type Closure = RowOf<typeof row>;

const selectSql = `
  SELECT ${columnList(closureColumns, "c")}, a.closes_at, a.closed_at, a.balance - a.reserved AS available
  FROM closure c JOIN account a ON a.id = c.account_id`;
const selectClosure = statement({ params: [int4], row, text: `${selectSql} WHERE c.account_id = $1` });

/** A closing for people and programs. */
export interface DescribedClosure {
  requested_at: string;
  closes_at: string;
  closed_at: string | null;
  erased_at: string | null;
  gives_up_balance: boolean;
  /** Whether an operator asked for it, so that owners cannot keep the account. */
  is_by_operator: boolean;
  /** What it waits for, even after `closes_at`. */
  waits_for: Wait[];
}

/**
 * Returns the closing of an account; null if nobody asked for one. Whether the operator has to make a refund is known only once
 * the closing is due, because automatic refunds are made then.
 */
export async function describeClosure(db: Queryable, accountId: number, now: Date): Promise<DescribedClosure | null> {
  const [closure] = await selectClosure(db, accountId);
  if (!closure) return null;
  const { requested_at, closes_at, closed_at, erased_at, gives_up_balance, person_id } = closure;
  return {
    requested_at: requested_at.toISOString(),
    closes_at: (closes_at ?? requested_at).toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    erased_at: erased_at?.toISOString() ?? null,
    gives_up_balance,
    is_by_operator: person_id === null,
    waits_for: closed_at ? [] : await findWaits(db, accountId, gives_up_balance || !closes_at || closes_at > now),
  };
}

/** Returns the closing of an account. Throws a 404 for an account that is not closing or does not exist. */
export async function getClosing(hub: Pick<ClosuresHub, "db" | "now">, accountId: number): Promise<DescribedClosure> {
  const closing = await describeClosure(hub.db, accountId, hub.now());
  if (!closing) throw new AppError("resource_not_found", "There is no such account, or it is not closing.");
  return closing;
}

/**
 * Returns closings that are due, or whose erasure is not complete, or whose accounts got money after they were closed; at
 * random, at most `$2`.
 */
export const selectDueClosures = statement({
  params: [timestamptz, int8Number],
  row,
  text: `
    ${selectSql} WHERE (c.erased_at IS NULL AND a.closes_at <= $1) OR (a.closed_at IS NOT NULL AND a.balance > a.reserved)
    ORDER BY random() LIMIT $2`,
});

/** Returns closings whose accounts are closed and not erased. */
export const selectUnerasedClosures = statement({
  params: [],
  row,
  text: `${selectSql} WHERE a.closed_at IS NOT NULL AND c.erased_at IS NULL ORDER BY c.account_id`,
});

/** Records that the tombstone of the account `$1` was written. */
export const markTombstone = statement({
  params: [int4, timestamptz],
  row: {},
  text: "UPDATE closure SET tombstone_at = $2 WHERE account_id = $1 AND tombstone_at IS NULL",
});

/** Records that everything of the account `$1` is erased. */
export const markErased = statement({
  params: [int4, timestamptz],
  row: {},
  text: "UPDATE closure SET erased_at = $2 WHERE account_id = $1 AND erased_at IS NULL",
});
