import type { HubRole } from "../../context";
import { bytea, int8, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { formatDecimal, type Nano, toEurosOrNull } from "../../lib/money";
import { getSecretPrefix, hashSecret, isSecret, newSecret, parseTokenName } from "../credentials";
import { operate, type Operator } from "../operator-actions";
import type { OperatorTokensHub } from "./hub";

/** The token of a request. */
export interface OperatorToken {
  id: string;
  name: string;
  role: HubRole;
}

/** Returns the token with this secret; null if it is unknown, revoked or expired. Queries the database on every request. */
export async function authenticateOperator(hub: OperatorTokensHub, secret: string): Promise<OperatorToken | null> {
  if (!isSecret(secret, "ok")) return null;
  const [token] = await selectValid(hub.db, hashSecret(secret), hub.now());
  return token ?? null;
}

const selectValid = statement({
  params: [bytea, timestamptz],
  row: { id: uuid, name: text, role: textOf<HubRole>() },
  text: `
    SELECT id, name, role FROM operator_token
    WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
});

interface TokenRequest {
  name: string;
  role: HubRole;
  expiresAt: Date | null;
  /** What it may credit and correct in a day in UTC; null for no limit. */
  dailyCredit: Nano | null;
}

const columns = {
  id: uuid,
  name: text,
  prefix: text,
  role: textOf<HubRole>(),
  daily_credit: nullable(int8),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
};
type TokenRecord = RowOf<typeof columns>;

/**
 * Creates a token. `token` is its secret, which cannot be read again. Throws a 400 for a name that is in use or too long, an
 * expiry in the past, and a limit that is not positive.
 */
export async function createOperatorToken(
  hub: OperatorTokensHub,
  operator: Operator,
  { name: sentName, role, expiresAt, dailyCredit }: TokenRequest,
): Promise<{ record: TokenRecord; token: string }> {
  const now = hub.now();
  const name = parseTokenName(sentName);
  if (expiresAt && expiresAt <= now) throw invalidInput("expires_at", "must be in the future");
  if (dailyCredit !== null && dailyCredit <= 0n) throw invalidInput("daily_credit", "must be above zero");
  const token = newSecret("ok");
  const [id, prefix] = [newId(), getSecretPrefix(token)];
  const record = await operate(
    hub,
    operator,
    { action: "operator-token.create", target: { kind: "operator-token", id } },
    async (tx) => {
      const [created] = await insertToken(tx, id, name, prefix, hashSecret(token), role, dailyCredit, now, expiresAt);
      if (!created) throw invalidInput("name", "is in use by an active token: revoke it first, or choose another name");
      const limit = dailyCredit === null ? null : formatDecimal(dailyCredit);
      const after = { name, prefix, role, expires_at: expiresAt, daily_credit: limit };
      return { before: null, after, result: created };
    },
  );
  return { record: record!, token };
}

const insertToken = statement({
  params: [uuid, text, text, bytea, textOf<HubRole>(), nullable(int8), timestamptz, nullable(timestamptz)],
  row: columns,
  text: `
    INSERT INTO operator_token AS t (id, name, prefix, hash, role, daily_credit, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING ${columnList(columns, "t")}`,
});

const MAX_TOKENS = 500;

/** Returns the tokens without their hashes, active ones first, then the newest. */
export const listOperatorTokens = (hub: OperatorTokensHub): Promise<TokenRecord[]> => selectTokens(hub.db);

const selectTokens = statement({
  params: [],
  row: columns,
  text: `
    SELECT ${columnList(columns, "t")} FROM operator_token t
    ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ${MAX_TOKENS}`,
});

/** Returns a token for the console and commands; its limit in EUR. */
export const serializeOperatorToken = (token: TokenRecord) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  role: token.role,
  daily_credit: toEurosOrNull(token.daily_credit),
  created_at: token.created_at.toISOString(),
  expires_at: token.expires_at?.toISOString() ?? null,
  revoked_at: token.revoked_at?.toISOString() ?? null,
});

/** Revokes the active token with this name from its next request on. Throws a 404 if there is none. */
export async function revokeOperatorToken(hub: OperatorTokensHub, operator: Operator, name: string): Promise<void> {
  const target = { kind: "operator-token", id: "" };
  await operate(hub, operator, { action: "operator-token.revoke", target }, async (tx) => {
    const [revoked] = await updateRevoked(tx, name, hub.now());
    if (!revoked) throw new AppError("resource_not_found", `There is no active operator token named ${name}.`);
    return { before: { name }, after: null, target: { ...target, id: revoked.id }, result: undefined };
  });
}

const updateRevoked = statement({
  params: [text, timestamptz],
  row: { id: uuid },
  text: "UPDATE operator_token SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL RETURNING id",
});
