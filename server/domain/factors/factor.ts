import type { Person } from "../../context";
import type { Queryable } from "../../db/client";
import { bool, int4, int8, json, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { hasFactorSql } from "../sessions/sql";
import type { FactorsHub } from "./hub";
import { getMailer } from "../../lib/mail";
import { setSecondFactorDemand } from "../accounts";
import { operate, type Operator } from "../operator-actions";
import { endPersonSessions, getPerson } from "../people";

/** A request about the second factors of a session's person, at any stage of the session. */
export interface FactorCtx {
  hub: FactorsHub;
  sessionId: string;
  /** The account that the session acts for. */
  accountId: number;
  person: Pick<Person, "id" | "email">;
}

/** A passkey as the console lists it. */
interface PasskeyItem {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Returns a person's second factors and recovery codes, and whether there is a password. */
export async function listFactors({ hub, accountId, person }: FactorCtx) {
  const [row] = await selectFactors(hub.db, person.id, accountId);
  const { passkeys, totp_added_at, recovery_codes, has_password, is_required, is_demanded } = row!;
  return {
    passkeys: passkeys.map(({ created_at, last_used_at, ...passkey }) => ({
      ...passkey,
      created_at: new Date(created_at).toISOString(),
      last_used_at: last_used_at && new Date(last_used_at).toISOString(),
    })),
    totp_added_at: totp_added_at?.toISOString() ?? null,
    recovery_codes: Number(recovery_codes),
    has_password,
    /** Whether the person must have a factor. */
    is_required: is_required || hub.env.SECOND_FACTOR === "required",
    /** Whether the account requires one of all its members. */
    is_demanded,
  };
}

/** SQL for whether a role of the hub, or an account, requires a second factor of the person `p`. */
const isRequiredSql = `
  (p.hub_role IS NOT NULL OR EXISTS (
    SELECT FROM membership m JOIN account a ON a.id = m.account_id
    WHERE m.person_id = p.id AND a.requires_second_factor))`;

const selectFactors = statement({
  params: [int4, int4],
  row: {
    passkeys: json<PasskeyItem[]>(),
    totp_added_at: nullable(timestamptz),
    recovery_codes: int8,
    has_password: bool,
    is_required: bool,
    is_demanded: bool,
  },
  text: `
    SELECT coalesce((
             SELECT json_agg(json_build_object(
               'id', k.id, 'name', k.name, 'created_at', k.created_at, 'last_used_at', k.last_used_at) ORDER BY k.id)
             FROM passkey k WHERE k.person_id = p.id), '[]') AS passkeys,
           (SELECT added_at FROM totp WHERE person_id = p.id) AS totp_added_at,
           (SELECT count(*) FROM recovery_code WHERE person_id = p.id) AS recovery_codes,
           p.password_hash IS NOT NULL AS has_password, ${isRequiredSql} AS is_required,
           EXISTS (SELECT FROM account WHERE id = $2 AND requires_second_factor) AS is_demanded
    FROM person p WHERE p.id = $1`,
});

/**
 * Locks a person until the end of the transaction, so that changes of their factors are serialized. Throws a 403 if the
 * session may not change them, because a factor was added after the request was authenticated.
 */
export async function lockFactors(tx: Queryable, { sessionId, person }: FactorCtx): Promise<void> {
  await lockPerson(tx, person.id);
  const [session] = await selectTrusted(tx, sessionId);
  if (!session) throw new AppError("unauthorized", "Confirm that it’s you to do this.", { needsProof: true }, {}, 403);
}

const lockPerson = statement({
  params: [int4],
  row: { id: int4 },
  text: "SELECT id FROM person WHERE id = $1 FOR NO KEY UPDATE",
});

const selectTrusted = statement({
  params: [uuid],
  row: { id: uuid },
  text: `
    SELECT s.id FROM session s
    WHERE s.id = $1 AND (s.verified_at IS NOT NULL OR NOT ${hasFactorSql("s.person_id")})`,
});

/**
 * Completes the removal of a factor: if it was the last one, removes the recovery codes too. Throws a 409, which rolls the
 * removal back, if the person needs a second factor.
 */
export async function settleRemoval(tx: Queryable, { hub, person }: FactorCtx): Promise<void> {
  const [left] = await selectLeft(tx, person.id);
  if (left!.has_factor) return;
  if (left!.is_required || hub.env.SECOND_FACTOR === "required")
    throw new AppError("invalid_state", "You need a second factor. Add another one before you remove this one.");
  await removeFactors(tx, person.id);
}

const selectLeft = statement({
  params: [int4],
  row: { has_factor: bool, is_required: bool },
  text: `SELECT ${hasFactorSql("p.id")} AS has_factor, ${isRequiredSql} AS is_required FROM person p WHERE p.id = $1`,
});

/** Removes the factors and recovery codes of the person `$1`, and returns how many factors there were. */
export const removeFactors = statement({
  params: [int4],
  row: { passkeys: int8, apps: int8 },
  text: `
    WITH passkeys AS (DELETE FROM passkey WHERE person_id = $1 RETURNING id),
    apps AS (DELETE FROM totp WHERE person_id = $1 RETURNING secret),
    codes AS (DELETE FROM recovery_code WHERE person_id = $1)
    SELECT (SELECT count(*) FROM passkeys) AS passkeys,
           (SELECT count(*) FROM apps WHERE secret IS NOT NULL) AS apps`,
});

/** E-mails a person what changed about their second factors. A failure is logged, because the change has happened. */
export function sendFactorNotice({ hub, person }: Pick<FactorCtx, "hub" | "person">, what: string): void {
  const text =
    `${what}\n\nAccount: ${person.email} at ${hub.env.BASE_URL}\n\n` +
    `If this was not you, change your password and check your second factors:\n${hub.env.BASE_URL}/settings/security\n`;
  const message = { to: person.email, subject: "Your sign-in settings changed", text };
  void getMailer(hub.env)
    .send?.(message)
    .catch((error: unknown) => hub.log.error({ err: error }, "notice about a second factor not sent"));
}

/**
 * Sets whether members need a second factor to act for the account. Throws a 409 if the person who requires one has none,
 * because they would lock themselves out.
 */
export async function demandFactor(ctx: FactorCtx, isDemanded: boolean): Promise<void> {
  if (isDemanded) {
    const { passkeys, totp_added_at } = await listFactors(ctx);
    if (passkeys.length === 0 && !totp_added_at)
      throw new AppError("invalid_state", "Add a passkey or an authenticator app for yourself first.");
  }
  await setSecondFactorDemand(ctx.hub.db, ctx.accountId, isDemanded);
}

/**
 * Removes all second factors of a person for an operator, and ends the person's sessions. Returns false if there was no
 * factor. Throws a 404 if there is no such person.
 */
export async function resetFactors(hub: FactorsHub, operator: Operator, email: string): Promise<boolean> {
  const person = await getPerson(hub, email);
  const target = { kind: "person", id: String(person.id) };
  const isReset = await operate(hub, operator, { action: "person.reset-factors", target }, async (tx) => {
    const [removed] = await removeFactors(tx, person.id);
    const before = { passkeys: Number(removed!.passkeys), authenticator_apps: Number(removed!.apps) };
    if (before.passkeys + before.authenticator_apps === 0) return null;
    await endPersonSessions(tx, person.id);
    return {
      before,
      after: { passkeys: 0, authenticator_apps: 0 },
      details: { email: person.email },
      result: true,
    };
  });
  if (isReset) sendFactorNotice({ hub, person }, "The operator of the hub removed all second factors of your account.");
  return isReset ?? false;
}
