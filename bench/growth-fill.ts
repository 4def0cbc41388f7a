import { createEndpoint } from "../server/domain/endpoints/create";
import type { Hub } from "../server/domain/hub";
import { contextOf, createCustomers } from "./accounts";
import { runConcurrently } from "./load";

const BATCH = 20_000;
const CONNECTIONS = 2;
const MONTHS = 24;
const EVENT_DAYS = 30;
const KEY_DAYS = 7;
const FILE_DAYS = 30;
/** One account has a fifth of the generations. */
const LARGE_SHARE = 5;
/** One account in ten has a webhook. */
const FOLLOWS_EVERY = 10;
/** One generation in fifty of an account fails. */
const FAILS_EVERY = 50;
const COST = 9_200_000n;
const CREDIT = 1_000_000n * 1_000_000_000n;

export interface Filled {
  /** Ids of accounts; the first one has a fifth of all generations. */
  accounts: number[];
  /** Accounts with a webhook. */
  followers: number[];
  seconds: number;
}

/**
 * Fills a new database with generations that have ended, spread evenly over two years: each with its input, words,
 * attempt, charge and output. The newest have events, deliveries and idempotency keys, as the sweep leaves them. The
 * audit finds no violations in the rows. Triggers and foreign keys are off during the inserts, only for speed.
 */
export async function fillHistory(hub: Hub, rows: number, accountCount: number): Promise<Filled> {
  const customers = await createCustomers(hub, "growth", accountCount);
  const accounts = customers.map(({ id }) => id);
  const followers = accounts.filter((_, index) => index % FOLLOWS_EVERY === FOLLOWS_EVERY - 1);
  for (const account of followers) {
    const request = { url: "https://localhost:9/hook", events: ["generation.completed" as const] };
    await createEndpoint(contextOf(hub, account), request);
  }
  const startedAt = performance.now();
  const [first] = await hub.db.query<{ id: bigint }>("SELECT max(id) AS id FROM ledger_entry");
  let next = 0;
  await runConcurrently(CONNECTIONS, async () => {
    for (let from = next; from < rows; from = next) {
      next += BATCH;
      await insertBatch(hub, { from, to: Math.min(from + BATCH, rows), rows, accounts, firstEntry: first!.id });
    }
  });
  await settleSums(hub);
  const seconds = (performance.now() - startedAt) / 1000;
  await hub.db.query("VACUUM ANALYZE", [], { isLong: true });
  return { accounts, followers, seconds };
}

interface Batch {
  from: number;
  to: number;
  rows: number;
  accounts: number[];
  firstEntry: bigint;
}

const insertBatch = (hub: Hub, { from, to, rows, accounts, firstEntry }: Batch): Promise<void> =>
  hub.db.transaction(async (tx) => {
    await tx.query("SET LOCAL session_replication_role = replica");
    await tx.query("SET LOCAL synchronous_commit = off");
    await tx.query(createBatchSql, [from, to, rows, accounts], { isLong: true });
    for (const sql of insertsSql)
      await tx.query(sql.replaceAll(":first_entry", String(firstEntry)), [], { isLong: true });
  });

// `nth` numbers the generations of an account, `paid` counts those before it and itself that were charged.
const createBatchSql = `
  CREATE TEMP TABLE batch ON COMMIT DROP AS
  SELECT n, account_id, at, nth / 2 % 2 = 0 AS is_image, nth % ${FAILS_EVERY} <> 0 AS ok, nth - nth / ${FAILS_EVERY} AS paid, now() - at AS age,
         (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(digest, 1, 3) || '8' || substr(digest, 4, 15))::uuid AS id,
         digest
  FROM (
    SELECT n, ($4::int[])[1 + place] AS account_id, nth, md5(n::text) AS digest,
           date_trunc('milliseconds', now() - interval '1 hour' - ($3::bigint - n) * (interval '${MONTHS} months' / $3::float8)) AS at
    FROM generate_series($1::bigint, $2::bigint - 1) AS n
    CROSS JOIN LATERAL (
      SELECT CASE WHEN n % ${LARGE_SHARE} = 0 THEN 0 ELSE 1 + (n - n / ${LARGE_SHARE} - 1) % (cardinality($4::int[]) - 1) END AS place,
             CASE WHEN n % ${LARGE_SHARE} = 0 THEN n / ${LARGE_SHARE} ELSE (n - n / ${LARGE_SHARE} - 1) / (cardinality($4::int[]) - 1) END AS nth
    ) spread
  ) numbered`;

const insertsSql = [
  `INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                           idempotency_key, fingerprint, progress, error, run_id, timeout_seconds, created_at, dispatched_at,
                           started_at, deadline_at, completed_at, settled_at)
   SELECT b.id, b.account_id, k.id, CASE WHEN is_image THEN 'sandbox-image' ELSE 'sandbox-video' END, false,
          CASE WHEN ok THEN 'succeeded' ELSE 'failed' END,
          jsonb_build_object('prompt', repeat(digest || ' ', 6), 'resolution', '1k'), ${COST}, CASE WHEN ok THEN ${COST} ELSE 0 END,
          '{"by": "image", "unit_price": 0.0092, "units": 1}', 'sandbox',
          CASE WHEN age < interval '${KEY_DAYS} days' THEN digest END,
          CASE WHEN age < interval '${KEY_DAYS} days' THEN decode(digest || digest, 'hex') END, CASE WHEN ok THEN 1 END,
          CASE WHEN NOT ok THEN '{"code": "provider_error", "message": "The provider failed."}'::jsonb END, digest, 60,
          at, at, at, at + interval '1 minute', at, at
   FROM batch b JOIN api_key k ON k.account_id = b.account_id ORDER BY n`,
  `INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, upstream_id, upstream_status, cost)
   SELECT id, 1, 'sandbox:image', 'sandbox', at, at, CASE WHEN ok THEN 'succeeded' ELSE 'failed' END, digest, 200, ${COST} / 2
   FROM batch ORDER BY n`,
  `INSERT INTO ledger_entry (id, account_id, kind, amount, balance_after, generation_id, created_at)
   SELECT :first_entry + 1 + n, account_id, 'charge', ${-COST}, ${CREDIT} - paid * ${COST}, id, at FROM batch WHERE ok ORDER BY n`,
  `INSERT INTO generation_words (generation_id, words)
   SELECT id, array_to_tsvector(ARRAY(SELECT account_id || ':word' || (n * 7919 + i * 104729) % 5000 FROM generate_series(1, 8) AS i))
   FROM batch ORDER BY n`,
  `INSERT INTO file (id, account_id, generation_id, index, media_type, name, size, sha256, created_at, stored_at, expires_at, removed_at)
   SELECT overlay(id::text placing '8' from 15)::uuid, account_id, id, 0, 'image/png', 'sandbox-image-1.png', 100000,
          decode(digest || digest, 'hex'), at, at, at + interval '${FILE_DAYS} days',
          CASE WHEN age > interval '${FILE_DAYS} days' THEN at + interval '${FILE_DAYS} days' END
   FROM batch WHERE ok ORDER BY n`,
  `WITH new_event AS (
     INSERT INTO event (id, account_id, name, generation_id, created_at, data)
     SELECT gen_random_uuid(), b.account_id, 'generation.completed', b.id, at,
            json_build_object('id', b.id, 'input', repeat(digest || ' ', 6), 'output', repeat(digest, 4))::text
     FROM batch b JOIN endpoint p ON p.account_id = b.account_id WHERE age < interval '${EVENT_DAYS} days' ORDER BY b.n
     RETURNING n, account_id, created_at
   ),
   new_delivery AS (
     INSERT INTO delivery (id, endpoint_id, event_n, state, attempts, scheduled_at, created_at, ended_at)
     SELECT gen_random_uuid(), p.id, e.n, 'succeeded', 1, e.created_at, e.created_at, e.created_at
     FROM new_event e JOIN endpoint p USING (account_id) RETURNING id, endpoint_id, created_at
   )
   INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status)
   SELECT id, 1, 1, endpoint_id, created_at, 20, 204 FROM new_delivery`,
];

/** Sets what settlements maintain: sequences, balances and totals. */
const settleSums = (hub: Hub): Promise<void> =>
  hub.db.transaction(async (tx) => {
    await tx.query("SET LOCAL session_replication_role = replica");
    await tx.query("SELECT setval(pg_get_serial_sequence('ledger_entry', 'id'), (SELECT max(id) FROM ledger_entry))");
    await tx.query(
      `UPDATE account a SET balance = e.balance
       FROM (SELECT account_id, sum(amount)::bigint AS balance FROM ledger_entry GROUP BY 1) e WHERE e.account_id = a.id`,
      [],
      { isLong: true },
    );
    await tx.query(
      `INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
       SELECT account_id, key_id, model, is_llm, status, sum(billed_cost) FROM generation WHERE billed_cost > 0 GROUP BY 1, 2, 3, 4, 5`,
      [],
      { isLong: true },
    );
  });
