import { text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { NEVER_EXPIRES } from "../files/never-expires";
import { periodSql } from "../keys/period";
import { NO_KEY } from "../ledger/settle";

/** An invariant and the SQL that returns its violations, recomputed from primary data: `subject` is the row, `message` the values. */
interface Invariant {
  name: string;
  sql: string;
}

/** Returns SQL that converts nano-euros to EUR. */
const eurosSql = (nano: string) => `(${nano}) / 1e9`;

const invariants: Invariant[] = [
  {
    name: "the balance equals the sum of the ledger entries",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('balance %s EUR, entries %s EUR', ${eurosSql("a.balance")}, ${eurosSql("coalesce(sum(e.amount), 0)")}) AS message
          FROM account a LEFT JOIN ledger_entry e ON e.account_id = a.id
          GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  },
  {
    name: "balance_after is the running sum of the entries",
    sql: `SELECT 'ledger entry ' || id AS subject, format('balance_after %s EUR, sum %s EUR', ${eurosSql("balance_after")}, ${eurosSql("running")}) AS message
          FROM (SELECT id, balance_after, sum(amount) OVER (PARTITION BY account_id ORDER BY id) AS running FROM ledger_entry) e
          WHERE balance_after <> running`,
  },
  {
    name: "reserved equals the estimates of unsettled generations",
    sql: `SELECT 'account ' || a.id AS subject,
                 format('reserved %s EUR, unsettled estimates %s EUR', ${eurosSql("a.reserved")}, ${eurosSql("coalesce(sum(g.estimated_cost), 0)")}) AS message
          FROM account a LEFT JOIN generation g ON g.account_id = a.id AND g.settled_at IS NULL
          GROUP BY a.id HAVING a.reserved <> coalesce(sum(g.estimated_cost), 0)`,
  },
  {
    name: "the slots in use equal the running generations",
    sql: `SELECT 'account ' || a.id AS subject, format('running %s, counted %s', a.running, count(g.id)) AS message
          FROM account a LEFT JOIN generation g ON g.account_id = a.id AND g.status = 'running' AND NOT g.is_llm
          GROUP BY a.id HAVING a.running <> count(g.id)`,
  },
  {
    name: "holds are not negative and are covered by the balance",
    sql: `SELECT 'account ' || id AS subject, format('balance %s EUR, reserved %s EUR', ${eurosSql("balance")}, ${eurosSql("reserved")}) AS message
          FROM account WHERE reserved < 0 OR balance < reserved`,
  },
  {
    name: "every billed cost is charged once, to the right account",
    sql: `SELECT 'generation ' || coalesce(g.id, e.generation_id) AS subject,
                 format('billed %s EUR, charged %s EUR', ${eurosSql("coalesce(g.billed_cost, 0)")}, ${eurosSql("coalesce(-e.amount, 0)")}) AS message
          FROM (SELECT * FROM generation WHERE billed_cost > 0) g
          FULL JOIN (SELECT * FROM ledger_entry WHERE kind = 'charge') e ON e.generation_id = g.id
          WHERE g.billed_cost IS DISTINCT FROM -e.amount OR g.account_id IS DISTINCT FROM e.account_id`,
  },
  {
    name: "no cost exceeds its estimate",
    sql: `SELECT 'generation ' || id AS subject, format('billed %s EUR of %s EUR', ${eurosSql("billed_cost")}, ${eurosSql("estimated_cost")}) AS message
          FROM generation WHERE billed_cost < 0 OR billed_cost > estimated_cost`,
  },
  {
    name: "a generation is settled exactly when its state is final",
    sql: `SELECT 'generation ' || id AS subject, format('%s, settled at %s, billed %s', status, settled_at, billed_cost) AS message
          FROM generation
          WHERE (status IN ('succeeded', 'failed', 'canceled')) <> (settled_at IS NOT NULL AND completed_at IS NOT NULL)
             OR (status = 'succeeded') AND billed_cost IS NULL
             OR (status IN ('queued', 'awaiting_supply')) AND started_at IS NOT NULL AND fence = 0
             OR (status = 'failed') AND (started_at IS NULL) <> (billed_cost IS NULL)`,
  },
  {
    name: "missing files imply awaiting_supply with a deadline, and no start",
    sql: `SELECT 'generation ' || id AS subject, format('%s until %s, missing %s', status, deadline_at, missing) AS message
          FROM generation g
          WHERE CASE WHEN status = 'awaiting_supply' THEN coalesce(missing, '[]') = '[]' OR deadline_at IS NULL
                     ELSE missing IS NOT NULL AND (status IN ('queued', 'running', 'succeeded') OR started_at IS NOT NULL) END
             OR EXISTS (SELECT FROM jsonb_array_elements(missing) item
                        WHERE strpos(input::text, 'sha256:' || (item ->> 'sha256')) = 0)`,
  },
  {
    name: "billing totals equal the sums of billed costs",
    sql: `SELECT format('account %s, model %s, %s', account_id, model, status) AS subject,
                 format('total %s EUR, billed %s EUR', ${eurosSql("coalesce(t.billed, 0)")}, ${eurosSql("coalesce(g.billed, 0)")}) AS message
          FROM billing_total t
          FULL JOIN (SELECT account_id, coalesce(key_id, '${NO_KEY}') AS key_id, model, is_llm, status,
                            sum(billed_cost) AS billed FROM generation
                     WHERE billed_cost > 0 GROUP BY 1, 2, 3, 4, 5) g USING (account_id, key_id, model, is_llm, status)
          WHERE coalesce(t.billed, 0) <> coalesce(g.billed, 0)`,
  },
  {
    name: "a worker's generation has all its leases, and one open lease while it runs",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s, fence %s, %s leases up to %s, %s of them open', g.status, g.fence, count(a.n), max(a.n), count(*) FILTER (WHERE a.ended_at IS NULL AND a.n IS NOT NULL)) AS message
          FROM generation g LEFT JOIN attempt a ON a.generation_id = g.id
          WHERE g.provider = 'worker' GROUP BY g.id
          HAVING g.fence <> count(a.n) OR g.fence <> coalesce(max(a.n), 0) OR bool_or(a.lease_id IS NULL AND a.n IS NOT NULL)
              OR (g.status = 'running')::int <> count(*) FILTER (WHERE a.ended_at IS NULL AND a.n = g.fence)
              OR count(*) FILTER (WHERE a.ended_at IS NULL AND a.n < g.fence) > 0`,
  },
  {
    name: "a worker's generation starts with all external inputs stored, and keeps them until it ends",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s, fence %s, %s of %s copies, ready at %s', g.status, g.fence, count(c.stored_at), jsonb_array_length(g.external_inputs), g.inputs_ready_at) AS message
          FROM generation g LEFT JOIN input_copy c ON c.generation_id = g.id
          WHERE g.external_inputs IS NOT NULL GROUP BY g.id
          HAVING g.fence > 0 AND g.inputs_ready_at IS NULL OR g.provider <> 'worker'
              OR g.inputs_ready_at IS NOT NULL AND g.settled_at IS NULL AND count(c.stored_at) <> jsonb_array_length(g.external_inputs)`,
  },
  {
    name: "GPU time is within the leases and the estimate, and matches the billed cost",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s: %s ms of %s ms under leases, billed %s EUR of %s EUR', g.status, g.gpu_ms, leased.ms, ${eurosSql("g.billed_cost")}, ${eurosSql("g.estimated_cost")}) AS message
          FROM generation g CROSS JOIN LATERAL (
            SELECT coalesce(sum(extract(epoch FROM coalesce(a.ended_at, g.metered_at) - a.started_at) * 1000), 0) AS ms
            FROM attempt a WHERE a.generation_id = g.id
          ) leased
          WHERE g.provider = 'worker' AND (
            g.gpu_ms > leased.ms OR g.gpu_ms > (g.price->>'most_seconds')::bigint * 1000
            OR g.status IN ('succeeded', 'canceled') AND coalesce(g.billed_cost, 0)
               <> least(ceil((g.price->>'price_per_second')::numeric * 1000000 * g.gpu_ms), g.estimated_cost)
            OR g.status = 'failed' AND g.billed_cost > 0)`,
  },
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
  {
    name: "a limited key's spend equals its holds and charges, and is within its limit",
    sql: `SELECT format('key %s from %s', key_id, period) AS subject,
                 format('reserved %s EUR and charged %s EUR of %s EUR; generations hold %s EUR and cost %s EUR',
                        ${eurosSql("s.reserved")}, ${eurosSql("s.charged")}, ${eurosSql("s.spend_limit")},
                        ${eurosSql("coalesce(g.held, 0)")}, ${eurosSql("coalesce(g.charged, 0)")}) AS message
          FROM key_spending s
          FULL JOIN (SELECT k.id AS key_id, ${periodSql("k.spend_limit_reset", "g.created_at")} AS period,
                            sum(CASE WHEN g.settled_at IS NULL THEN g.estimated_cost ELSE 0 END) AS held,
                            sum(coalesce(g.billed_cost, 0)) AS charged
                     FROM generation g JOIN api_key k ON k.id = g.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2) g USING (key_id, period)
          LEFT JOIN api_key k ON k.id = key_id
          WHERE s.reserved IS DISTINCT FROM g.held OR s.charged IS DISTINCT FROM g.charged
             OR s.spend_limit IS DISTINCT FROM k.spend_limit OR s.reserved + s.charged > k.spend_limit`,
  },
];

export const checks = invariants.map(({ name, sql }) => ({
  name,
  select: statement({ params: [], row: { subject: text, message: text }, text: sql }),
}));
