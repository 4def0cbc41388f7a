import type { Hub } from "../../context";

/** Nudges the account's longest parked generation, if a slot is free for it. */
export async function wakeNext(hub: Hub, accountId: number): Promise<void> {
  const woken = await hub.db.query<{ id: string }>(
    `UPDATE generation SET nudged_at = $2 WHERE id = (
       SELECT g.id FROM generation g JOIN account a ON a.id = g.account_id
       WHERE g.account_id = $1 AND g.status = 'queued' AND g.nudged_at IS NULL AND a.running < $3
       ORDER BY g.id LIMIT 1 FOR NO KEY UPDATE OF g SKIP LOCKED)
     RETURNING id`,
    [accountId, hub.now(), hub.env.RUNNING_PER_ACCOUNT],
  );
  for (const { id } of woken) hub.publish({ name: "generation/queued", data: { id, account: accountId } });
}
