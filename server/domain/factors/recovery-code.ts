import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/client";
import { array, bytea, int4, int8 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { computeHmac } from "../../lib/signature";
import { throttleAttempts } from "../rates";
import { markVerified } from "../sessions";
import { type FactorCtx, lockFactors, sendFactorNotice } from "./factor";
import { findRetainedKeys, getRecoveryKeys } from "./recovery-key";

const CODES = 10;
/** Without characters that look alike. There are 32, so a byte modulo 32 picks each with the same probability. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789";
const CODE_CHARACTERS = 12;

/** Creates recovery codes for a person who has none and returns them; null for a person who has some. */
export async function createMissingCodes(tx: Queryable, ctx: FactorCtx): Promise<string[] | null> {
  const [{ left } = { left: 0n }] = await countCodes(tx, ctx.person.id);
  return left > 0n ? null : insertNewCodes(tx, ctx);
}

/** Replaces a person's recovery codes and returns the new ones. Throws a 409 for a person without a second factor. */
export async function renewCodes(ctx: FactorCtx): Promise<string[]> {
  const codes = await ctx.hub.db.transaction(async (tx) => {
    await lockFactors(tx, ctx);
    const [removed] = await deleteCodes(tx, ctx.person.id);
    if (removed!.factors === 0n) throw new AppError("invalid_state", "Add a passkey or an authenticator app first.");
    return insertNewCodes(tx, ctx);
  });
  sendFactorNotice(ctx, "The recovery codes of your account were replaced. The old ones no longer work.");
  return codes;
}

/**
 * Verifies a session by a recovery code in place of a second factor. Each code works once. Throws a 400 for a code that is
 * wrong or used, and a 429 after too many wrong ones.
 */
export async function useRecoveryCode(ctx: FactorCtx, code: string): Promise<void> {
  const { hub, person, sessionId } = ctx;
  const counters = [{ buckets: hub.services.rateLimits.wrongCodes.recovery, key: String(person.id) }];
  const left = await throttleAttempts(hub, counters, () =>
    hub.db.transaction(async (tx) => {
      const keys = [...getRecoveryKeys(hub), ...(await findRetainedKeys(tx, hub))];
      const hashes = keys.map((key) => hashCode(key, person.id, code));
      const [used] = await deleteCode(tx, person.id, hashes);
      if (!used) return null;
      await markVerified(tx, sessionId, hub.now());
      const [after] = await countCodes(tx, person.id);
      return after!.left;
    }),
  );
  if (left === null) throw invalidInput("code", "This recovery code is wrong or was used before.");
  sendFactorNotice(ctx, `A recovery code was used to sign in or to confirm who you are. You have ${left} left.`);
}

async function insertNewCodes(tx: Queryable, { hub, person }: FactorCtx): Promise<string[]> {
  const codes = Array.from({ length: CODES }, createCode);
  const [key] = getRecoveryKeys(hub);
  const hashes = codes.map((code) => hashCode(key!, person.id, code));
  await insertCodes(tx, person.id, hashes);
  return codes;
}

function createCode(): string {
  const characters = [...randomBytes(CODE_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]!);
  return characters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** Returns the stored form of a code. It depends on the hub's secret, so a copy of the table is of no use. */
const hashCode = (key: Buffer, personId: number, code: string): Buffer =>
  computeHmac(key, `${personId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`);

const countCodes = statement({
  params: [int4],
  row: { left: int8 },
  text: "SELECT count(*) AS left FROM recovery_code WHERE person_id = $1",
});

const insertCodes = statement({
  params: [int4, array(bytea)],
  row: {},
  text: "INSERT INTO recovery_code (person_id, hash) SELECT $1, unnest($2::bytea[])",
});

const deleteCodes = statement({
  params: [int4],
  row: { factors: int8 },
  text: `
    WITH codes AS (DELETE FROM recovery_code WHERE person_id = $1)
    SELECT (SELECT count(*) FROM passkey WHERE person_id = $1)
         + (SELECT count(*) FROM totp WHERE person_id = $1 AND secret IS NOT NULL) AS factors`,
});

const deleteCode = statement({
  params: [int4, array(bytea)],
  row: { person_id: int4 },
  text: "DELETE FROM recovery_code WHERE person_id = $1 AND hash = ANY ($2) RETURNING person_id",
});
