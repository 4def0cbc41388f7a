import type { Hub } from "../../context";
import { JOB_AVAILABLE_CHANNEL } from "../workers/channel";

/** Nudges the account's longest parked generation, if a slot is free for it, and waiting workers if they have jobs of it. */
export async function dispatchNextQueued(hub: Hub, accountId: number): Promise<void> {
  const woken = await hub.db.query<{ id: string | null }>(statement, [
    accountId,
    hub.now(),
    hub.env.RUNNING_PER_ACCOUNT,
  ]);
  for (const { id } of woken) if (id) hub.publish({ name: "generation/queued", data: { id, account: accountId } });
}

const statement = `
  WITH woken AS (
    UPDATE generation SET nudged_at = $2 WHERE id = (
      SELECT g.id FROM generation g JOIN account a ON a.id = g.account_id
      WHERE g.account_id = $1 AND g.status = 'queued' AND g.nudged_at IS NULL AND g.provider <> 'worker' AND a.running < $3
      ORDER BY g.id LIMIT 1 FOR NO KEY UPDATE OF g SKIP LOCKED)
    RETURNING id
  )
  SELECT id, NULL AS told FROM woken
  UNION ALL
  SELECT NULL, pg_notify('${JOB_AVAILABLE_CHANNEL}', '')::text
  WHERE EXISTS (SELECT FROM generation g WHERE g.account_id = $1 AND g.status = 'queued' AND g.provider = 'worker')`;
