import type { Ctx } from "../../../context";
import {
  bool,
  bytea,
  int4,
  int8,
  int8Number,
  jsonb,
  nullable,
  textOf,
  textOrBytes,
  timestamptz,
  uuid,
} from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { JsonText } from "../../../lib/json/codec";
import type { Nano } from "../../../lib/money";
import type { Failure } from "../../../providers/failure";
import type { Status } from "../row";
import type { ReplayHub } from "./hub";

/** How long a chat can be joined after its client left. */
const JOINABLE_MS = 600_000;
/** The same for clients that do not mark their retries (docs/decisions/0107-dialects.md). */
const UNMARKED_MS = 120_000;
/** A retry that does not renew its claim for this long loses it. */
const CLAIM_MS = 30_000;
export const RENEW_CLAIM_MS = 10_000;

/** A retry's exclusive right to a chat's result; `until` distinguishes it from later claims of the same chat. */
export interface JoinClaim {
  id: string;
  until: Date;
  isMarked: boolean;
}

/** What finds the chat that a request repeats. */
export interface RepeatedRequest {
  /** SHA-256 of the route and the relevant parts of the body. */
  digest: Buffer;
  /** Whether clients of its route mark their retries; otherwise every equal request soon after a broken delivery is one. */
  isMarked: boolean;
}

/** Marks a chat whose client left as joinable, and stores its answer if it has ended. */
export async function markJoinable(
  hub: ReplayHub,
  id: string,
  { digest, isMarked }: RepeatedRequest,
  answer: JsonText | null,
): Promise<void> {
  await makeJoinable(hub.db, id, joinableSince(hub, isMarked), digest, answer);
}

/** Returns the `joinable_at` of a chat that becomes joinable now: in the past if it can be joined for a shorter time. */
const joinableSince = (hub: ReplayHub, isMarked: boolean): Date =>
  new Date(hub.now().getTime() - (isMarked ? 0 : JOINABLE_MS - UNMARKED_MS));

const clearJoinableSql = "joinable_at = NULL, request_digest = NULL, stored_answer = NULL";

const makeJoinable = statement({
  params: [uuid, timestamptz, bytea, nullable(textOrBytes)],
  row: {},
  text: `
    UPDATE generation SET joinable_at = $2, request_digest = $3, stored_answer = $4
    WHERE id = $1 AND joinable_at IS NULL AND erased_at IS NULL`,
});

interface ClaimAttempt {
  claim: JoinClaim | null;
  /** A claimable chat exists, but another statement has locked its row. */
  isLocked: boolean;
  /** A matching chat exists whose client, or whose retry's client, still seems connected. */
  isOpen: boolean;
  /** A matching stream broke on the hub's side and was charged, so that this request may take over its payment. */
  isBroken: boolean;
}

const NOTHING_TO_CLAIM: ClaimAttempt = { claim: null, isLocked: false, isOpen: false, isBroken: false };

/** Claims the oldest chat with this API key and request whose client left. */
export async function claimJoinable(ctx: Ctx<ReplayHub>, { digest, isMarked }: RepeatedRequest): Promise<ClaimAttempt> {
  const accountId = ctx.account.id;
  if (!isMarked && !(await ctx.hub.services.mayBeJoined({ accountId, digest }))) return NOTHING_TO_CLAIM;
  const now = ctx.hub.now();
  const until = claimExpiry(ctx.hub);
  const expired = new Date(now.getTime() - JOINABLE_MS);
  const [row] = await claimOldest(ctx.hub.db, accountId, digest, keyOf(ctx), expired, now, until);
  const { id, ...states } = row!;
  return { claim: id === null ? null : { id, until, isMarked }, ...states };
}

const keyOf = ({ actor }: Ctx<ReplayHub>): string | null => (actor.kind === "key" ? actor.id : null);

// A chat without an answer to join: its stream broke, or it failed after it took over what such a stream was charged.
const isUndeliveredSql = "(is_llm AND (status = 'canceled' OR status = 'failed' AND price ? 'already_paid'))";
const isPaidSql = "(billed_cost > 0 OR price ? 'already_paid')";

const isEqualSql = "account_id = $1 AND request_digest = $2 AND key_id IS NOT DISTINCT FROM $3";
const isSameRequestSql = `
  ${isEqualSql} AND NOT ${isUndeliveredSql} AND (joinable_at IS NULL OR joinable_at > $4)`;

// A claim that expires implausibly late was made before the clock was set back, so it does not count.
const isClaimableSql =
  "coalesce(joinable_at <= $5 OR joinable_at > $6::timestamptz + ($6::timestamptz - $5::timestamptz), false)";

const claimOldest = statement({
  params: [int4, bytea, nullable(uuid), timestamptz, timestamptz, timestamptz],
  row: { id: nullable(uuid), isLocked: bool, isOpen: bool, isBroken: bool },
  text: `
    WITH claimable AS MATERIALIZED (
      SELECT id FROM generation WHERE ${isSameRequestSql} AND ${isClaimableSql} ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ),
    claimed AS (UPDATE generation g SET joinable_at = $6 FROM claimable WHERE g.id = claimable.id RETURNING g.id)
    SELECT (SELECT id FROM claimed) AS id, coalesce(bool_or(${isClaimableSql}), false) AS "isLocked",
           coalesce(bool_or(NOT ${isClaimableSql}), false) AS "isOpen",
           EXISTS (SELECT FROM generation
             WHERE ${isEqualSql} AND ${isUndeliveredSql} AND joinable_at > $4 AND ${isPaidSql}) AS "isBroken"
    FROM generation WHERE ${isSameRequestSql}`,
});

/** Returns when a claim that is made or renewed now expires. */
export const claimExpiry = (hub: ReplayHub): Date => new Date(hub.now().getTime() + CLAIM_MS);

/** Extends a claim. Returns false when it was lost. */
export async function renewClaim(hub: ReplayHub, claim: JoinClaim): Promise<boolean> {
  const until = claimExpiry(hub);
  const renewed = await setJoinable(hub, claim, until);
  if (renewed) claim.until = until;
  return renewed;
}

/** Releases a claim for the next retry, because this retry's client left as well. */
export const releaseClaim = (hub: ReplayHub, claim: JoinClaim): Promise<boolean> =>
  setJoinable(hub, claim, joinableSince(hub, claim.isMarked));

const setJoinable = async (hub: ReplayHub, { id, until }: JoinClaim, at: Date): Promise<boolean> =>
  (await updateJoinable(hub.db, id, until, at)).length > 0;

const updateJoinable = statement({
  params: [uuid, timestamptz, timestamptz],
  row: { id: uuid },
  text: "UPDATE generation SET joinable_at = $3 WHERE id = $1 AND joinable_at = $2 RETURNING id",
});

/** Withdraws a chat whose client left, unless a retry has claimed it. Returns whether no retry gets its result. */
export const withdrawUnclaimed = async (hub: ReplayHub, id: string): Promise<boolean> =>
  (await clearUnclaimed(hub.db, id, hub.now())).length > 0;

const clearUnclaimed = statement({
  params: [uuid, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE generation SET joinable_at = NULL, request_digest = NULL
    WHERE id = $1 AND (joinable_at IS NULL OR joinable_at <= $2) RETURNING id`,
});

/** Consumes a claim: its retry got the answer, so that no other retry may join the chat. */
export const consumeClaim = async (hub: ReplayHub, { id, until }: JoinClaim): Promise<void> =>
  void (await clearClaimed(hub.db, id, until));

const clearClaimed = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `UPDATE generation SET ${clearJoinableSql} WHERE id = $1 AND joinable_at = $2`,
});

/**
 * Takes over what the customer has paid for a stream that broke on the hub's side, including what that stream has taken over
 * itself, so that this running chat, which repeats it, costs that much less. Each payment is taken over once. Returns the
 * amount, 0 if there is none.
 */
export async function takeOverPayment(ctx: Ctx<ReplayHub>, id: string, { digest }: RepeatedRequest): Promise<Nano> {
  const expired = new Date(ctx.hub.now().getTime() - JOINABLE_MS);
  const [row] = await takeOver(ctx.hub.db, id, ctx.account.id, digest, keyOf(ctx), expired);
  return row?.paid ?? 0n;
}

const takeOver = statement({
  params: [uuid, int4, bytea, nullable(uuid), timestamptz],
  row: { paid: nullable(int8) },
  text: `
    WITH broken AS MATERIALIZED (
      SELECT id, coalesce(billed_cost, 0) + coalesce((price ->> 'already_paid')::bigint, 0) AS paid FROM generation
      WHERE account_id = $2 AND request_digest = $3 AND key_id IS NOT DISTINCT FROM $4 AND ${isUndeliveredSql}
        AND joinable_at > $5 AND ${isPaidSql}
      ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ),
    repeated AS (
      UPDATE generation g SET price = g.price || jsonb_build_object('already_paid', broken.paid)
      FROM broken WHERE g.id = $1 AND g.account_id = $2 AND g.status = 'running' RETURNING broken.id, broken.paid
    )
    UPDATE generation g SET ${clearJoinableSql} FROM repeated WHERE g.id = repeated.id RETURNING repeated.paid`,
});

const joinedColumns = {
  status: textOf<Status>(),
  error: nullable(jsonb<Failure>()),
  isUndelivered: bool,
  upstreamStatus: nullable(int4),
};

/**
 * The state of a claimed chat. One that `isUndelivered` has ended without an answer, and its payment is left to the next
 * repeat; `upstreamStatus` is its last attempt's.
 */
export type Joined = RowOf<typeof joinedColumns>;

/** Returns the state of a claimed chat; undefined when the claim was lost. */
export const readJoined = async (hub: ReplayHub, { id, until }: JoinClaim): Promise<Joined | undefined> =>
  (await selectJoined(hub.db, id, until))[0];

const selectJoined = statement({
  params: [uuid, timestamptz],
  row: joinedColumns,
  text: `
    SELECT status, error, ${isUndeliveredSql} AS "isUndelivered",
           (SELECT upstream_status FROM attempt WHERE generation_id = g.id ORDER BY n DESC LIMIT 1) AS "upstreamStatus"
    FROM generation g WHERE id = $1 AND joinable_at = $2`,
});

/** Deletes the answers of up to `limit` chats that can no longer be joined; the generations stay. Returns how many. */
export const purgeJoinable = async (hub: ReplayHub, limit: number): Promise<number> =>
  (await clearExpired(hub.db, new Date(hub.now().getTime() - JOINABLE_MS), limit)).length;

const clearExpired = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    UPDATE generation SET ${clearJoinableSql} WHERE id IN (
      SELECT id FROM generation WHERE joinable_at <= $1 ORDER BY joinable_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
});
