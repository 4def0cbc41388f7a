import type { Hub } from "../../context";
import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import type { SignedIn } from "./sign-in";

/** Open sessions per account; another sign-in ends the one that was idle longest. */
export const MAX_SESSIONS = 100;

/**
 * Inserts a session and returns its id; null when the account was suspended, or all its sessions were ended, after the
 * credentials were checked.
 */
export async function beginSession(
  hub: Hub,
  { id, sessionVersion }: SignedIn,
  browser: string,
): Promise<string | null> {
  const [row] = await insertSession(hub.db, newId(), id, sessionVersion, browser, hub.now());
  return row?.id ?? null;
}

const insertSession = statement({
  params: [uuid, int4, int4, text, timestamptz],
  row: { id: uuid },
  text: `
  WITH surplus AS (
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE account_id = $2 ORDER BY last_seen_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
  )
  INSERT INTO session (id, account_id, version, browser, created_at, last_seen_at)
  SELECT $1, id, session_version, $4, $5, $5 FROM account WHERE id = $2 AND session_version = $3 AND NOT suspended
  RETURNING id`,
});
