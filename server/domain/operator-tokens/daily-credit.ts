import type { Queryable } from "../../db/client";
import { int8, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { formatDecimal, type Nano, toEuros } from "../../lib/money";

/**
 * Counts a credit or a correction against the daily limit of a token, in the transaction that books it. Throws a 402 if
 * the limit does not cover it. A correction counts as well, since it takes money from an account.
 */
export async function consumeDailyCredit(tx: Queryable, tokenId: string, amount: Nano, now: Date): Promise<void> {
  const moved = amount < 0n ? -amount : amount;
  const [counted] = await addMoved(tx, tokenId, moved, now);
  if (counted) return;
  const [{ left } = { left: 0n }] = await selectLeft(tx, tokenId, now);
  throw new AppError(
    "insufficient_credits",
    `The token's daily credit limit leaves ${formatDecimal(left ?? 0n)} EUR until 00:00 UTC.`,
    { required: toEuros(moved), available: toEuros(left ?? 0n) },
  );
}

const daySql = (time: string) => `(${time}::timestamptz AT TIME ZONE 'UTC')::date`;
const movedSql = (time: string) => `(CASE WHEN credit_day = ${daySql(time)} THEN moved ELSE 0 END)`;

// Waits for concurrent credits of the token, and evaluates its condition on what they have counted.
const addMoved = statement({
  params: [uuid, int8, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE operator_token SET moved = ${movedSql("$3")} + $2, credit_day = ${daySql("$3")}
    WHERE id = $1 AND (daily_credit IS NULL OR ${movedSql("$3")} + $2 <= daily_credit) RETURNING id`,
});

const selectLeft = statement({
  params: [uuid, timestamptz],
  row: { left: nullable(int8) },
  text: `SELECT daily_credit - ${movedSql("$2")} AS left FROM operator_token WHERE id = $1`,
});
