import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import { bytea, int4, int8, int8Number, notNull, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { HUB_NAME } from "../../lib/hub-name";
import { deriveKeys } from "../../lib/signature";
import { throttleAttempts } from "../rates";
import { markVerified } from "../sessions";
import { type FactorCtx, lockFactors, sendFactorNotice, settleRemoval } from "./factor";
import type { FactorsHub } from "./hub";
import { createMissingCodes } from "./recovery-code";
import type { Queryable } from "../../db/client";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";

const SECRET_BYTES = 20;
/** Codes of this many steps before and after are accepted, because clocks differ. */
const WINDOW_STEPS = 1;

/** What an authenticator app needs to generate codes. */
export interface TotpSetup {
  /** In base32, to be typed. */
  secret: string;
  uri: string;
  /** The QR code of the URI, as the path of an SVG that is `size` wide and high. */
  qr: { size: number; path: string };
}

/** Starts setting up an authenticator app. One that is in use keeps working until `confirmTotp`. */
export async function startTotp({ hub, person }: FactorCtx): Promise<TotpSetup> {
  const secret = new Secret({ size: SECRET_BYTES });
  await upsertNewSecret(hub.db, person.id, encrypt(getTotpKeys(hub)[0]!, getTotpOwner(person.id), secret.base32));
  const issuer = `${HUB_NAME} (${new URL(hub.env.BASE_URL).host})`;
  const uri = createTotp(secret, { issuer, label: person.email }).toString();
  return { secret: secret.base32, uri, qr: drawQrCode(uri) };
}

/**
 * Completes the setup of an authenticator app with its first code, and returns recovery codes if the person has none.
 * Throws a 400 for a wrong code, a 409 if no setup is in progress, and a 429 after too many wrong codes.
 */
export async function confirmTotp(ctx: FactorCtx, code: string): Promise<{ recovery_codes: string[] | null }> {
  const { hub, person, sessionId } = ctx;
  const [row] = await selectNewSecret(hub.db, person.id);
  if (!row) throw setupEndedError();
  const codes = await throttleAttempts(hub, countersOf(ctx), async () => {
    const step = findStep(hub, person.id, row.new_secret, code);
    if (step === null) return null;
    return hub.db.transaction(async (tx) => {
      await lockFactors(tx, ctx);
      const [confirmed] = await useNewSecret(tx, person.id, row.new_secret, hub.now(), step);
      if (!confirmed) throw setupEndedError();
      await markVerified(tx, sessionId, hub.now());
      return { recovery_codes: await createMissingCodes(tx, ctx) };
    });
  });
  if (!codes) throw invalidInput("code", "That code is wrong. Enter the one that the app shows now.");
  sendFactorNotice(ctx, "An authenticator app was set up for your account.");
  return codes;
}

const setupEndedError = () => new AppError("invalid_state", "Start again: this setup was completed or replaced.");

/**
 * Verifies a session by a code of the authenticator app. Each code works once. Throws a 400 for a wrong or used code, and a
 * 429 after too many.
 */
export async function useTotp(ctx: FactorCtx, code: string): Promise<void> {
  const { hub, person, sessionId } = ctx;
  const isAccepted = await throttleAttempts(hub, countersOf(ctx), async () => {
    const [row] = await selectSecret(hub.db, person.id);
    const step = row ? findStep(hub, person.id, row.secret, code) : null;
    if (!row || step === null) return null;
    return hub.db.transaction(async (tx) => {
      const [used] = await advanceStep(tx, person.id, row.secret, step);
      if (!used) return null;
      await markVerified(tx, sessionId, hub.now());
      return true;
    });
  });
  if (!isAccepted)
    throw invalidInput("code", "That code is wrong or was used before. Enter the one that the app shows now.");
}

/** Removes the authenticator app. Throws a 404 if there is none, and a 409 if it is the last factor and one is required. */
export async function removeTotp(ctx: FactorCtx): Promise<void> {
  await ctx.hub.db.transaction(async (tx) => {
    await lockFactors(tx, ctx);
    const [removed] = await deleteTotp(tx, ctx.person.id);
    if (!removed) throw new AppError("resource_not_found", "There is no authenticator app.");
    await settleRemoval(tx, ctx);
  });
  sendFactorNotice(ctx, "The authenticator app of your account was removed.");
}

const countersOf = ({ hub, person }: FactorCtx) => [
  { buckets: hub.services.rateLimits.wrongCodes.totp, key: String(person.id) },
];

const getTotpKeys = (hub: FactorsHub): Buffer[] => deriveKeys(hub, "generation-hub authenticator apps");
const getTotpOwner = (personId: number): string => `person ${personId}`;

const createTotp = (secret: Secret, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret, algorithm: "SHA1", digits: 6, period: 30 });

/** Returns the step whose code this is; null for a wrong code. */
function findStep(hub: FactorsHub, personId: number, encrypted: Buffer, code: string): bigint | null {
  const token = code.replace(/\s/g, "");
  // The library throws for digits that are not ASCII.
  if (!/^[0-9]{6}$/.test(token)) return null;
  const totp = createTotp(Secret.fromBase32(decryptByAny(getTotpKeys(hub), getTotpOwner(personId), encrypted)));
  const timestamp = hub.now().getTime();
  const delta = totp.validate({ token, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : BigInt(totp.counter({ timestamp }) + delta);
}

function drawQrCode(text: string): TotpSetup["qr"] {
  const { size, data } = encode(text, { ecc: "M", border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { size, path };
}

const upsertNewSecret = statement({
  params: [int4, bytea],
  row: {},
  text: `
    INSERT INTO totp (person_id, new_secret) VALUES ($1, $2)
    ON CONFLICT (person_id) DO UPDATE SET new_secret = excluded.new_secret`,
});

const selectNewSecret = statement({
  params: [int4],
  row: { new_secret: notNull(bytea) },
  text: "SELECT new_secret FROM totp WHERE person_id = $1 AND new_secret IS NOT NULL",
});

const useNewSecret = statement({
  params: [int4, bytea, timestamptz, int8],
  row: { person_id: int4 },
  text: `
    UPDATE totp SET secret = new_secret, new_secret = NULL, added_at = $3, last_step = $4
    WHERE person_id = $1 AND new_secret = $2 RETURNING person_id`,
});

const selectSecret = statement({
  params: [int4],
  row: { secret: notNull(bytea) },
  text: "SELECT secret FROM totp WHERE person_id = $1 AND secret IS NOT NULL",
});

// Of two requests with the same code, only one advances the step.
const advanceStep = statement({
  params: [int4, bytea, int8],
  row: { person_id: int4 },
  text: "UPDATE totp SET last_step = $3 WHERE person_id = $1 AND secret = $2 AND last_step < $3 RETURNING person_id",
});

const deleteTotp = statement({
  params: [int4],
  row: { person_id: int4 },
  text: "DELETE FROM totp WHERE person_id = $1 AND secret IS NOT NULL RETURNING person_id",
});

const BATCH_SIZE = 500;

/** Encrypts the secrets of all authenticator apps with the hub's secret. */
export async function reencryptTotp(tx: Queryable, hub: FactorsHub): Promise<Reencryption> {
  const result = newReencryption();
  const keys = getTotpKeys(hub);
  for (let after = 0; ;) {
    const rows = await selectBatch(tx, after, BATCH_SIZE);
    for (const { person_id, secret, new_secret } of rows) {
      const renew = (value: Buffer | null) => value && reencrypt(result, keys, getTotpOwner(person_id), value);
      const [newest, other] = [renew(secret), renew(new_secret)];
      if (newest || other) await updateSecrets(tx, person_id, newest, other);
    }
    if (rows.length < BATCH_SIZE) return result;
    after = rows.at(-1)!.person_id;
  }
}

const selectBatch = statement({
  params: [int4, int8Number],
  row: { person_id: int4, secret: nullable(bytea), new_secret: nullable(bytea) },
  text: "SELECT person_id, secret, new_secret FROM totp WHERE person_id > $1 ORDER BY person_id LIMIT $2 FOR UPDATE",
});

const updateSecrets = statement({
  params: [int4, nullable(bytea), nullable(bytea)],
  row: {},
  text: "UPDATE totp SET secret = coalesce($2, secret), new_secret = coalesce($3, new_secret) WHERE person_id = $1",
});
