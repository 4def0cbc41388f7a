import { NEVER_EXPIRES } from "../files/never-expires";
import type { Invariant } from "./invariant";

/** Invariants of characters, outputs and uploads. */
export const contentInvariants: Invariant[] = [
  {
    name: "a character has one open training at most, by its own account, and none once ready",
    sql: `SELECT 'character ' || c.id AS subject,
                 format('%s trainings, %s open, %s succeeded', count(*), count(*) FILTER (WHERE g.settled_at IS NULL), count(*) FILTER (WHERE g.status = 'succeeded')) AS message
          FROM character c JOIN generation g ON g.character_id = c.id
          GROUP BY c.id
          HAVING count(*) FILTER (WHERE g.settled_at IS NULL) > (c.deleted_at IS NULL)::int
              OR bool_or(g.account_id <> c.account_id OR g.provider <> 'worker' OR g.character_version > c.version)
              OR min(g.character_version) FILTER (WHERE g.status = 'succeeded') < max(g.character_version)`,
  },
  {
    name: "a character's outputs never expire until it is deleted, and no other file is permanent",
    sql: `SELECT 'file ' || f.id AS subject, format('expires at %s, removed at %s', f.expires_at, f.removed_at) AS message
          FROM file f LEFT JOIN generation g ON g.id = f.generation_id LEFT JOIN character c ON c.id = g.character_id
          WHERE (f.expires_at = '${NEVER_EXPIRES}' AND f.removed_at IS NULL)
             <> (f.stored_at IS NOT NULL AND c.id IS NOT NULL AND c.deleted_at IS NULL)`,
  },
  {
    name: "only succeeded generations have outputs, and settled ones no open attempt",
    sql: `SELECT 'generation ' || g.id AS subject, 'has visible outputs in state ' || g.status AS message
          FROM generation g JOIN file f ON f.generation_id = g.id AND f.stored_at IS NOT NULL WHERE g.status <> 'succeeded'
          UNION ALL
          SELECT 'generation ' || g.id, 'is settled with attempt ' || a.n || ' open'
          FROM generation g JOIN attempt a ON a.generation_id = g.id AND a.ended_at IS NULL WHERE g.settled_at IS NOT NULL`,
  },
  {
    name: "used upload quota equals the size of stored uploads",
    sql: `SELECT 'account ' || a.id AS subject, format('counted %s bytes, held %s bytes', a.upload_bytes, coalesce(sum(f.size), 0)) AS message
          FROM account a LEFT JOIN file f ON f.account_id = a.id AND f.generation_id IS NULL
            AND f.stored_at IS NOT NULL AND f.removed_at IS NULL
          GROUP BY a.id HAVING a.upload_bytes <> coalesce(sum(f.size), 0)`,
  },
];
