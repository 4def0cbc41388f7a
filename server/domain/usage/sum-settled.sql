WITH charge AS MATERIALIZED (
  SELECT id, generation_id, created_at, -amount AS billed FROM ledger_entry
  WHERE account_id = :account AND id > :after AND kind = 'charge' ORDER BY account_id, id LIMIT :limit
),
uncharged AS (
  UPDATE uncharged_settlement SET is_summed = true
  WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM uncharged_settlement WHERE account_id = :account AND NOT is_summed LIMIT :limit))
  RETURNING generation_id, settled_at
),
settled AS MATERIALIZED (
  SELECT :account AS account_id, generation_id, created_at AS at, billed FROM charge
  UNION ALL
  SELECT :account, generation_id, settled_at, 0 FROM uncharged
),
settled_row AS MATERIALIZED (
  SELECT s.account_id, s.at, g.model, coalesce(g.key_id, '00000000-0000-0000-0000-000000000000') AS key_id, g.end_user, g.metadata,
         1::bigint AS generations, (g.status = 'failed')::int::bigint AS failed,
         coalesce(g.input_tokens, 0)::bigint AS input_tokens,
         coalesce((g.token_classes ->> 'cached_input')::bigint, 0) AS cached_input_tokens,
         coalesce(g.output_tokens, 0)::bigint AS output_tokens, s.billed
  FROM settled s, LATERAL (
    SELECT model, key_id, end_user, metadata, status, input_tokens, output_tokens, token_classes
    FROM generation WHERE id = s.generation_id LIMIT 1
  ) g),
-- By hour, day and month, by model and key.
total AS (
  INSERT INTO usage_sum (account_id, grain, at, model, key_id, generations, failed, input_tokens, cached_input_tokens, output_tokens, billed)
  SELECT r.account_id, grain, date_trunc(grain, r.at, 'UTC'), r.model, r.key_id, sum(r.generations)::bigint AS generations, sum(r.failed)::bigint AS failed, sum(r.input_tokens)::bigint AS input_tokens, sum(r.cached_input_tokens)::bigint AS cached_input_tokens, sum(r.output_tokens)::bigint AS output_tokens, sum(r.billed)::bigint AS billed
  FROM settled_row r CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS grains (grain)
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, grain, at, model, key_id) DO UPDATE SET generations = usage_sum.generations + excluded.generations, failed = usage_sum.failed + excluded.failed, input_tokens = usage_sum.input_tokens + excluded.input_tokens, cached_input_tokens = usage_sum.cached_input_tokens + excluded.cached_input_tokens, output_tokens = usage_sum.output_tokens + excluded.output_tokens, billed = usage_sum.billed + excluded.billed
),
-- The end user and the named metadata of each row.
labelled AS MATERIALIZED (
  SELECT r.*, label.id AS label_id, label.value, date_trunc('day', r.at, 'UTC') AS day
  FROM settled_row r CROSS JOIN LATERAL (
    SELECT 0 AS id, r.end_user AS value
    UNION ALL
    SELECT l.id, r.metadata ->> l.name FROM usage_label l
    WHERE l.account_id = :account AND NOT l.is_removed AND r.at >= l.since
  ) label
  WHERE label.value IS NOT NULL
),
value_sum AS (
  SELECT r.label_id, r.day, r.value, sum(r.generations)::bigint AS generations, sum(r.failed)::bigint AS failed, sum(r.input_tokens)::bigint AS input_tokens, sum(r.cached_input_tokens)::bigint AS cached_input_tokens, sum(r.output_tokens)::bigint AS output_tokens, sum(r.billed)::bigint AS billed FROM labelled r GROUP BY r.label_id, r.day, r.value
),
known AS MATERIALIZED (
  SELECT label_id, day, (SELECT count(*) FROM usage_label_sum s
    WHERE s.account_id = :account AND s.label_id = d.label_id AND s.grain = 'day' AND s.at = d.day
      AND s.value <> '(other)') AS count
  FROM (SELECT DISTINCT label_id, day FROM labelled) d
),
-- The values that their day does not have come in the order in which they still fit.
placed AS (
  SELECT v.*, known.count + row_number() OVER (PARTITION BY v.label_id, v.day, v.is_known ORDER BY v.value) AS place
  FROM (SELECT *, value = '(other)' OR (
    SELECT true FROM usage_label_sum s
    WHERE s.account_id = :account AND s.label_id = value_sum.label_id AND s.grain = 'day' AND s.at = value_sum.day AND s.value = value_sum.value) IS NOT NULL AS is_known FROM value_sum) v
  JOIN known USING (label_id, day)
),
label_total AS (
  INSERT INTO usage_label_sum (account_id, label_id, grain, at, value, generations, failed, input_tokens, cached_input_tokens, output_tokens, billed)
  SELECT :account, p.label_id, grain, date_trunc(grain, p.day, 'UTC'),
         CASE WHEN p.is_known OR p.place <= 10000 THEN p.value ELSE '(other)' END, sum(p.generations)::bigint AS generations, sum(p.failed)::bigint AS failed, sum(p.input_tokens)::bigint AS input_tokens, sum(p.cached_input_tokens)::bigint AS cached_input_tokens, sum(p.output_tokens)::bigint AS output_tokens, sum(p.billed)::bigint AS billed
  FROM placed p CROSS JOIN (VALUES ('day'), ('month')) AS grains (grain)
  GROUP BY 2, 3, 4, 5
  ON CONFLICT (account_id, label_id, grain, at, value) DO UPDATE SET generations = usage_label_sum.generations + excluded.generations, failed = usage_label_sum.failed + excluded.failed, input_tokens = usage_label_sum.input_tokens + excluded.input_tokens, cached_input_tokens = usage_label_sum.cached_input_tokens + excluded.cached_input_tokens, output_tokens = usage_label_sum.output_tokens + excluded.output_tokens, billed = usage_label_sum.billed + excluded.billed
)
SELECT greatest((SELECT count(*) FROM charge), (SELECT count(*) FROM uncharged)) AS count,
       (SELECT max(id) FROM charge) AS last_entry_id
