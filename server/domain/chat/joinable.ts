import type { Ctx, Hub } from "../../context";
import type { Failure } from "../../providers/provider";
import type { Status } from "../generations/transitions";

/** How long after its client left a chat can be joined. */
const JOINABLE_MS = 600_000;
/** A retry that is not heard of for so long has lost its claim. */
const CLAIM_MS = 30_000;
export const RENEW_CLAIM_MS = 10_000;

/** A retry's sole right to the result of a chat; `until` tells it from later claims of the same chat. */
export interface JoinClaim {
  id: string;
  until: Date;
}

/** Lets a retry join the chat whose client left, with what it was answered if it has ended. */
export async function markJoinable(hub: Hub, id: string, digest: Buffer, answer: string | null): Promise<void> {
  await hub.db.query(
    "UPDATE generation SET joinable_at = $2, request_digest = $3, answer = $4 WHERE id = $1 AND joinable_at IS NULL",
    [id, hub.now(), digest, answer],
  );
}

export interface ClaimAttempt {
  claim: JoinClaim | null;
  /** There is one to claim, but a statement that runs has its row locked. */
  isLocked: boolean;
  /** There is one whose client, or whose retry's client, has not left as far as is known. */
  isOpen: boolean;
}

/** Claims the oldest chat of this key and request whose client left. */
export async function claimJoinable(ctx: Ctx, digest: Buffer): Promise<ClaimAttempt> {
  const now = ctx.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  const forgotten = new Date(now.getTime() - JOINABLE_MS);
  const keyId = ctx.actor.kind === "key" ? ctx.actor.id : null;
  const values = [ctx.account.id, digest, keyId, forgotten, now, until];
  const [row] = await ctx.db.query<Omit<ClaimAttempt, "claim"> & { id: string | null }>(claimSql, values);
  const { id, isLocked, isOpen } = row!;
  return { claim: id === null ? null : { id, until }, isLocked, isOpen };
}

const equal = `
  account_id = $1 AND request_digest = $2 AND key_id IS NOT DISTINCT FROM $3 AND (joinable_at IS NULL OR joinable_at > $4)`;

// A claim that ends later than a process whose clock runs ahead could have made it is from before the clock went back.
const isFree =
  "coalesce(joinable_at <= $5 OR joinable_at > $6::timestamptz + ($6::timestamptz - $5::timestamptz), false)";

const claimSql = `
  WITH free AS MATERIALIZED (
    SELECT id FROM generation WHERE ${equal} AND ${isFree} ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ),
  claimed AS (UPDATE generation g SET joinable_at = $6 FROM free WHERE g.id = free.id RETURNING g.id)
  SELECT (SELECT id FROM claimed) AS id, coalesce(bool_or(${isFree}), false) AS "isLocked",
         coalesce(bool_or(NOT ${isFree}), false) AS "isOpen"
  FROM generation WHERE ${equal}`;

/** Moves the end of a claim on; false when it was lost. */
export async function renewClaim(hub: Hub, claim: JoinClaim): Promise<boolean> {
  const until = new Date(hub.now().getTime() + CLAIM_MS);
  const renewed = await setJoinable(hub, claim, until);
  if (renewed) claim.until = until;
  return renewed;
}

/** Gives a claim back, for the next retry: the client of this one left as well. */
export const releaseClaim = (hub: Hub, claim: JoinClaim): Promise<boolean> => setJoinable(hub, claim, hub.now());

async function setJoinable(hub: Hub, { id, until }: JoinClaim, at: Date): Promise<boolean> {
  const sql = "UPDATE generation SET joinable_at = $3 WHERE id = $1 AND joinable_at = $2 RETURNING id";
  return (await hub.db.query(sql, [id, until, at])).length > 0;
}

const FORGET = "joinable_at = NULL, request_digest = NULL, answer = NULL";

/** Uses a claim up: its retry has the result, and no other may join the chat. */
export async function consumeClaim(hub: Hub, { id, until }: JoinClaim): Promise<void> {
  await hub.db.query(`UPDATE generation SET ${FORGET} WHERE id = $1 AND joinable_at = $2`, [id, until]);
}

/** How a claimed chat stands; `upstreamStatus` is the one that its last attempt ended with. */
export interface Joined {
  status: Status;
  answer: string | null;
  error: Failure | null;
  upstreamStatus: number | null;
}

/** Reads the chat of a claim; undefined when the claim was lost. */
export async function readJoined(hub: Hub, { id, until }: JoinClaim): Promise<Joined | undefined> {
  const sql = `
    SELECT status, answer, error,
           (SELECT upstream_status FROM attempt WHERE generation_id = g.id ORDER BY n DESC LIMIT 1) AS "upstreamStatus"
    FROM generation g WHERE id = $1 AND joinable_at = $2`;
  const [row] = await hub.db.query<Joined>(sql, [id, until]);
  return row;
}

/** Forgets chats whose client left ten minutes ago, and their answers; the records stay. Returns how many. */
export async function purgeJoinable(hub: Hub, limit: number): Promise<number> {
  const rows = await hub.db.query(
    `UPDATE generation SET ${FORGET} WHERE id IN (
       SELECT id FROM generation WHERE joinable_at <= $1 ORDER BY joinable_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id`,
    [new Date(hub.now().getTime() - JOINABLE_MS), limit],
  );
  return rows.length;
}
