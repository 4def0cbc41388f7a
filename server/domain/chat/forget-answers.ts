import type { Hub } from "../../context";

const DAY_MS = 86_400_000;

/** Forgets answers that are a day old, and with them their idempotency keys; the records stay. Answers how many. */
export async function forgetAnswers(hub: Hub, most: number): Promise<number> {
  const rows = await hub.db.query(
    `UPDATE generation SET answer = NULL, idempotency_key = NULL WHERE id IN (
       SELECT id FROM generation WHERE answer IS NOT NULL AND completed_at < $1
       ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id`,
    [new Date(hub.now().getTime() - DAY_MS), most],
  );
  return rows.length;
}
