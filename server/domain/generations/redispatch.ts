import type { Hub } from "../../context";

const NUDGE_AFTER_MS = 60_000;
const MOST = 200;
const REDISPATCH_AFTER_MS = 30_000;
const MAX_LAPSED = 1_000;
// Workers fetch theirs, and nobody has to be told.
const ours = "provider <> 'worker'";

/**
 * Nudges queued generations whose nudge was lost: those told to the engine long ago, and those parked although
 * their account has a free slot. Bounded, so that a long backlog is not told twice over; answers how many.
 */
export async function redispatchStale(hub: Hub, limit = MOST): Promise<number> {
  const now = hub.now();
  const rows = await hub.db.query<{ id: string; account_id: number }>(
    `WITH forgotten AS (
       SELECT id FROM generation WHERE status = 'queued' AND nudged_at < $2 AND ${ours}
       ORDER BY nudged_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
     ),
     waiting AS (SELECT DISTINCT account_id FROM generation WHERE status = 'queued' AND nudged_at IS NULL AND ${ours}),
     parked AS (
       SELECT g.id FROM waiting JOIN account a ON a.id = waiting.account_id CROSS JOIN LATERAL (
         SELECT id FROM generation WHERE account_id = a.id AND status = 'queued' AND nudged_at IS NULL AND ${ours}
         ORDER BY id LIMIT greatest($3 - a.running, 0)
       ) g LIMIT $4
     )
     UPDATE generation SET nudged_at = $1
     WHERE id IN (SELECT id FROM forgotten UNION ALL SELECT id FROM parked) AND status = 'queued'
     RETURNING id, account_id`,
    [now, new Date(now.getTime() - NUDGE_AFTER_MS), hub.env.RUNNING_PER_ACCOUNT, limit],
  );
  return nudge(hub, rows);
}

function nudge(hub: Hub, rows: { id: string; account_id: number }[]): number {
  for (const { id, account_id } of rows) hub.publish({ name: "generation/queued", data: { id, account: account_id } });
  return rows.length;
}

/**
 * Nudges the latest queued generations, whenever the engine was told: a process that was killed may have taken their
 * nudges with it. For the start; a nudge too many does no harm.
 */
export async function redispatchLatest(hub: Hub): Promise<number> {
  const rows = await hub.db.query<{ id: string; account_id: number }>(
    `UPDATE generation SET nudged_at = $1 WHERE id IN (
       SELECT id FROM generation WHERE status = 'queued' AND nudged_at IS NOT NULL AND ${ours}
       ORDER BY nudged_at DESC LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, account_id`,
    [hub.now(), MOST],
  );
  return nudge(hub, rows);
}

/**
 * Dispatches running generations whose run has been silent for longer than its claim, so that another run takes them
 * over. Bounded, and each at most twice a minute; returns how many.
 */
export async function redispatchLapsed(hub: Hub): Promise<number> {
  const now = hub.now();
  const rows = await hub.db.query<{ id: string; account_id: number }>(
    `UPDATE generation SET nudged_at = $1 WHERE id IN (
       SELECT id FROM generation
       WHERE status = 'running' AND claim_expires_at < $1 AND (nudged_at < $2 OR nudged_at IS NULL)
       ORDER BY claim_expires_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, account_id`,
    [now, new Date(now.getTime() - REDISPATCH_AFTER_MS), MAX_LAPSED],
  );
  return nudge(hub, rows);
}
