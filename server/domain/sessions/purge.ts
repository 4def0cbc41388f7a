import type { Hub } from "../../context";
import { MAX_SESSION_S } from "./resolve-session";

/** Deletes at most `limit` sessions that are past their maximum age, and returns how many. */
export async function purgeSessions(hub: Hub, limit: number): Promise<number> {
  const oldest = new Date(hub.now().getTime() - MAX_SESSION_S * 1000);
  const rows = await hub.db.query(
    `DELETE FROM session WHERE id IN (
       SELECT id FROM session WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [oldest, limit],
  );
  return rows.length;
}
