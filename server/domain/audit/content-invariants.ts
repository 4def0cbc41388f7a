import { NEVER_EXPIRES } from "../files";
import type { Invariant } from "./scope";
import { hasContentSql } from "../files/sql";

/** Invariants of characters, outputs and uploads. */
export const contentInvariants: Invariant[] = [
  {
    name: "a character has one open training at most, by its own account, and none once ready",
    sql: `SELECT 'character ' || c.id AS subject,
                 format('%s trainings, %s open, %s succeeded', count(*), count(*) FILTER (WHERE g.settled_at IS NULL), count(*) FILTER (WHERE g.status = 'succeeded')) AS message
          FROM character c JOIN public.generation g ON g.character_id = c.id
          GROUP BY c.id
          HAVING count(*) FILTER (WHERE g.settled_at IS NULL) > (c.deleted_at IS NULL)::int
              OR bool_or(g.account_id <> c.account_id OR g.provider <> 'worker' OR g.character_version > c.version)
              OR min(g.character_version) FILTER (WHERE g.status = 'succeeded') < max(g.character_version)`,
  },
  {
    name: "a character's outputs never expire until it is deleted, and no other file is permanent",
    // Searched from both ends, because few files are permanent and few generations belong to characters.
    sql: `SELECT 'file ' || f.id AS subject, format('expires at %s, removed at %s', f.expires_at, f.removed_at) AS message
          FROM public.file f
          WHERE f.expires_at = '${NEVER_EXPIRES}' AND f.removed_at IS NULL
            AND NOT (f.stored_at IS NOT NULL AND EXISTS (
              SELECT FROM public.generation g JOIN character c ON c.id = g.character_id
              WHERE g.id = f.generation_id AND c.deleted_at IS NULL))
          UNION ALL
          SELECT 'file ' || f.id, format('expires at %s, removed at %s', f.expires_at, f.removed_at)
          FROM character c JOIN public.generation g ON g.character_id = c.id JOIN public.file f ON f.generation_id = g.id
          WHERE c.deleted_at IS NULL AND f.stored_at IS NOT NULL
            AND (f.expires_at <> '${NEVER_EXPIRES}' OR f.removed_at IS NOT NULL)`,
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
    name: "used upload quota equals the size of stored uploads and of those under way to the bucket",
    sql: `SELECT 'account ' || a.id AS subject, format('counted %s bytes, held %s bytes', a.upload_bytes, coalesce(sum(u.size), 0)) AS message
          FROM account a LEFT JOIN (
            SELECT account_id, size FROM public.file WHERE generation_id IS NULL AND ${hasContentSql("file")}
            UNION ALL SELECT account_id, size FROM direct_upload WHERE file_id IS NULL
          ) u ON u.account_id = a.id
          GROUP BY a.id HAVING a.upload_bytes <> coalesce(sum(u.size), 0)`,
  },
];
