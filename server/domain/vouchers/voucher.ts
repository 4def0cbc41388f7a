import { bytea, int4, int8, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";
import { formatDecimal, type Nano, toEuros } from "../../lib/money";
import { operate, type Operator } from "../operator-actions";
import { consumeDailyCredit } from "../operator-tokens";
import type { VouchersHub } from "./hub";
import { getCodePrefix, hashCode, newCode } from "./voucher-code";

const columns = {
  id: uuid,
  prefix: text,
  note: nullable(text),
  amount: int8,
  max_redemptions: int4,
  redemptions: int4,
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
};
/** A voucher without its code, of which only a hash is stored. */
type Voucher = RowOf<typeof columns>;

/** The highest amount of a voucher, in EUR. */
export const MAX_VOUCHER_EUR = 10_000;
/** How many accounts may redeem a voucher at most. */
export const MAX_REDEMPTIONS = 100_000;
const MAX_AMOUNT = BigInt(MAX_VOUCHER_EUR) * 1_000_000_000n;
const MAX_NOTE_LENGTH = 200;

interface VoucherRequest {
  /** What each redemption gives. */
  amount: Nano;
  maxRedemptions: number;
  expiresAt: Date | null;
  /** What it is for, for operators. */
  note?: string | null;
}

/**
 * Creates a voucher. `code` cannot be read again. Throws a 400 for an amount, a number or a note out of bounds and an expiry
 * in the past, and a 402 if the daily limit of an operator's token does not cover all of its redemptions.
 */
export async function createVoucher(
  hub: VouchersHub,
  operator: Operator,
  request: VoucherRequest,
): Promise<{ code: string; record: Voucher }> {
  const now = hub.now();
  const { amount, maxRedemptions, expiresAt } = request;
  const note = request.note?.trim() || null;
  checkRequest({ ...request, note }, now);
  const [id, code] = [newId(), newCode()];
  const hash = hashCode(hub, code)![0]!;
  const action = { action: "voucher.create", target: { kind: "voucher", id } };
  const record = await operate(hub, operator, action, async (tx) => {
    const [created] = await insertVoucher(
      tx,
      id,
      hash,
      getCodePrefix(code),
      note,
      amount,
      maxRedemptions,
      now,
      expiresAt,
    );
    if (operator.tokenId !== undefined)
      await consumeDailyCredit(tx, operator.tokenId, amount * BigInt(maxRedemptions), now);
    const after = { amount: formatDecimal(amount), max_redemptions: maxRedemptions, expires_at: expiresAt };
    return { before: null, after, details: { note }, result: created! };
  });
  return { code, record: record! };
}

function checkRequest({ amount, maxRedemptions, expiresAt, note }: VoucherRequest, now: Date): void {
  if (amount <= 0n || amount > MAX_AMOUNT)
    throw invalidInput("amount", `must be above 0 and at most ${MAX_VOUCHER_EUR} EUR`);
  if (!Number.isInteger(maxRedemptions) || maxRedemptions < 1 || maxRedemptions > MAX_REDEMPTIONS)
    throw invalidInput("max_redemptions", `must be a whole number from 1 to ${MAX_REDEMPTIONS}`);
  if (expiresAt && expiresAt <= now) throw invalidInput("expires_at", "must be in the future");
  if (note && note.length > MAX_NOTE_LENGTH)
    throw invalidInput("note", `may have at most ${MAX_NOTE_LENGTH} characters`);
}

const insertVoucher = statement({
  params: [uuid, bytea, text, nullable(text), int8, int4, timestamptz, nullable(timestamptz)],
  row: columns,
  text: `
    INSERT INTO voucher AS v (id, hash, prefix, note, amount, max_redemptions, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columnList(columns, "v")}`,
});

/** Returns a page of vouchers, newest first; `before` is the id with which the previous page ended. */
export async function listVouchers(
  hub: VouchersHub,
  { before, limit }: { before?: string; limit: number },
): Promise<{ data: Voucher[]; next: string | null }> {
  const found = await selectVouchers(hub.db, before ?? null, limit + 1);
  return { data: found.slice(0, limit), next: found.length > limit ? found[limit - 1]!.id : null };
}

const selectVouchers = statement({
  params: [nullable(uuid), int8Number],
  row: columns,
  text: `
    SELECT ${columnList(columns, "v")} FROM voucher v WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
});

/** Returns a voucher for the console, the management API and commands; its amount in EUR. */
export const serializeVoucher = (voucher: Voucher) => ({
  id: voucher.id,
  prefix: voucher.prefix,
  note: voucher.note,
  amount: toEuros(voucher.amount),
  max_redemptions: voucher.max_redemptions,
  redemptions: voucher.redemptions,
  created_at: voucher.created_at.toISOString(),
  expires_at: voucher.expires_at?.toISOString() ?? null,
  revoked_at: voucher.revoked_at?.toISOString() ?? null,
});

/**
 * Revokes a voucher, so that nobody redeems it any more; does nothing if it is revoked already. What accounts have redeemed
 * stays. Throws a 404 if there is none.
 */
export async function revokeVoucher(hub: VouchersHub, operator: Operator, id: string): Promise<void> {
  const notFound = () => new AppError("resource_not_found", "There is no such voucher.");
  if (!isId(id)) throw notFound();
  await operate(hub, operator, { action: "voucher.revoke", target: { kind: "voucher", id } }, async (tx) => {
    const [found] = await updateRevoked(tx, id, hub.now());
    if (!found) throw notFound();
    return found.revoked_at ? null : { before: { redemptions: found.redemptions }, after: null, result: undefined };
  });
}

const updateRevoked = statement({
  params: [uuid, timestamptz],
  row: { redemptions: int4, revoked_at: nullable(timestamptz) },
  text: `
    WITH locked AS MATERIALIZED (SELECT id, redemptions, revoked_at FROM voucher WHERE id = $1 FOR UPDATE),
    revoked AS (
      UPDATE voucher SET revoked_at = $2 FROM locked WHERE voucher.id = locked.id AND locked.revoked_at IS NULL
    )
    SELECT redemptions, revoked_at FROM locked`,
});
