import type { Ctx } from "../../context";
import { bytea, int4, int8Number, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { keptReplyDaysSql } from "../accounts/sql";
import type { ResponsesHub } from "./hub";
import type { Json } from "./json";

/** A response that is larger is not stored. */
export const MAX_STORED_BYTES = 4 * 1024 * 1024;
const KEPT_FOR = "interval '1 hour'";

export type Part = "input" | "answer";

export const ownerOf = (accountId: number, id: string, part: Part) => `response ${accountId} ${id} ${part}`;

/** The parts of a response that later requests refer to. */
export interface NewResponse {
  id: string;
  previousId: string | null;
  /** The items of its own request, with their ids. */
  input: Json[];
  /** The whole response, with the ciphertext of its reasoning. */
  answer: Json;
}

/**
 * Stores a response: for an hour after its last use, or for as long as the account keeps replies. A response that has become too
 * large is not stored.
 */
export async function storeResponse({ hub, account }: Ctx<ResponsesHub>, response: NewResponse): Promise<void> {
  const { id, previousId } = response;
  const encryptPart = (part: Part) =>
    encrypt(hub.services.responseKeys[0]!, ownerOf(account.id, id, part), JSON.stringify(response[part]));
  const [input, answer] = [encryptPart("input"), encryptPart("answer")];
  if (input.length > MAX_STORED_BYTES || answer.length > MAX_STORED_BYTES) return;
  await insertResponse(hub.db, id, account.id, previousId, input, answer, hub.now(), hub.env.RETENTION_REPLY_DAYS);
}

const insertResponse = statement({
  params: [uuid, int4, nullable(uuid), bytea, bytea, timestamptz, int4],
  row: { generation_id: uuid },
  text: `
    INSERT INTO response (generation_id, account_id, previous_id, input, answer, created_at, expires_at)
    SELECT $1, id, $3, $4, $5, $6,
           $6::timestamptz + coalesce(make_interval(hours => 24 * (${keptReplyDaysSql("account", "$7")})), ${KEPT_FOR})
    FROM account, (SELECT FROM generation WHERE id = $1 AND erased_at IS NULL FOR SHARE) kept WHERE id = $2
    ON CONFLICT (generation_id) DO NOTHING RETURNING generation_id`,
});

/** Returns a part of a stored response; null if no key of the hub opens it. */
export function openPart(hub: ResponsesHub, accountId: number, id: string, part: Part, encrypted: Buffer): unknown {
  const text = openText(hub.services.responseKeys, ownerOf(accountId, id, part), encrypted);
  return text === null ? null : (JSON.parse(text) as unknown);
}

/** Returns the JSON of an owner's part; null if none of the keys opens it. */
export function openText(keys: readonly Buffer[], owner: string, encrypted: Buffer): string | null {
  try {
    return decryptByAny(keys, owner, encrypted);
  } catch {
    return null;
  }
}

/** Returns the response of an id with the items of its request; null for an unknown one, and for one of another account. */
export async function findResponse(
  { hub, account }: Ctx<ResponsesHub>,
  id: string,
): Promise<{ answer: Json; input: Json[] } | null> {
  const [row] = await selectResponse(hub.db, id, account.id, hub.now());
  if (!row) return null;
  const answer = openPart(hub, account.id, id, "answer", row.answer) as Json | null;
  const input = openPart(hub, account.id, id, "input", row.input) as Json[] | null;
  return answer && input && { answer, input };
}

const selectResponse = statement({
  params: [uuid, int4, timestamptz],
  row: { input: bytea, answer: bytea },
  text: `SELECT input, answer FROM response WHERE generation_id = $1 AND account_id = $2 AND expires_at > $3`,
});

/** Deletes a response. Returns whether there was one of the account. */
export const deleteResponse = async ({ hub, account }: Ctx<ResponsesHub>, id: string): Promise<boolean> =>
  (await deleteOne(hub.db, id, account.id, hub.now())).length > 0;

const deleteOne = statement({
  params: [uuid, int4, timestamptz],
  row: { generation_id: uuid },
  text: `
    DELETE FROM response WHERE generation_id = $1 AND account_id = $2 AND expires_at > $3 RETURNING generation_id`,
});

/** Deletes up to `limit` responses that have expired. Returns how many. */
export const purgeResponses = async (hub: Pick<ResponsesHub, "db" | "now">, limit: number): Promise<number> =>
  (await deleteExpired(hub.db, hub.now(), limit)).length;

const deleteExpired = statement({
  params: [timestamptz, int8Number],
  row: { generation_id: uuid },
  text: `
    DELETE FROM response WHERE generation_id IN (
      SELECT generation_id FROM response WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING generation_id`,
});

/** Shortens how long the account's responses are stored, to its new setting: days, or null for an hour from now. */
export const limitResponses = async (
  { hub, account }: Ctx<Pick<ResponsesHub, "db" | "now">>,
  days: number | null,
): Promise<void> => void (await limitExpiry(hub.db, account.id, days, hub.now()));

const limitExpiry = statement({
  params: [int4, nullable(int4), timestamptz],
  row: { generation_id: uuid },
  text: `
    UPDATE response SET expires_at = coalesce(created_at + make_interval(hours => 24 * $2::integer), $3::timestamptz + ${KEPT_FOR})
    WHERE generation_id IN (
      SELECT generation_id FROM response
      WHERE account_id = $1 AND expires_at > coalesce(created_at + make_interval(hours => 24 * $2::integer), $3::timestamptz + ${KEPT_FOR})
      ORDER BY generation_id FOR UPDATE)
    RETURNING generation_id`,
});

/**
 * Shortens how long responses are stored for accounts that keep replies for more days than the hub now does. Returns the
 * number of these responses. Responses that are stored from now on do not need it.
 */
export const limitAllResponses = async ({ db, env }: Pick<ResponsesHub, "db" | "env">): Promise<number> =>
  (await limitExpiries(db, env.RETENTION_REPLY_DAYS)).length;

const limitExpiries = statement({
  params: [int4],
  row: { generation_id: uuid },
  text: `
    UPDATE response SET expires_at = created_at + make_interval(hours => 24 * $1) WHERE generation_id IN (
      SELECT r.generation_id FROM account a JOIN response r ON r.account_id = a.id
      WHERE a.reply_retention_days > $1 AND r.expires_at > r.created_at + make_interval(hours => 24 * $1)
      ORDER BY r.generation_id FOR UPDATE OF r)
    RETURNING generation_id`,
});

/**
 * Extends the time of the responses of the CTE `used (generation_id)` that are used at `$3`: to an hour from then, but to no more
 * than the account's setting, of `$4` days at most. Rows that another request extends are skipped.
 */
export const extendSql = `
  due AS (
    SELECT r.generation_id FROM response r JOIN used USING (generation_id)
    WHERE r.expires_at < $3::timestamptz + interval '59 minutes' ORDER BY r.generation_id FOR UPDATE OF r SKIP LOCKED
  ),
  extended AS (
    UPDATE response r SET expires_at = greatest(r.expires_at, least(
      $3::timestamptz + ${KEPT_FOR},
      r.created_at + make_interval(hours => 24 * (${keptReplyDaysSql("a", "$4")}))))
    FROM due, account a WHERE r.generation_id = due.generation_id AND a.id = r.account_id
  )`;
