import type { Hub } from "../../context";
import { int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { MAX_SESSION_S } from "./resolve-session";

/** Deletes at most `limit` sessions that are past their maximum age, and returns how many. */
export async function purgeSessions(hub: Hub, limit: number): Promise<number> {
  const oldest = new Date(hub.now().getTime() - MAX_SESSION_S * 1000);
  return (await deleteSessions(hub.db, oldest, limit)).length;
}

const deleteSessions = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});
