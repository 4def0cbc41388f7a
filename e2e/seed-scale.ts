import { queryHub } from "./query-hub";

export const GENERATIONS = 100_000;
export const KEYS = 500;
/** In addition to those of the sandbox. */
const MODELS = 195;
const NAME_LENGTH = 200;
const MAX_ID_LENGTH = 128;

/** Every tenth model has an id of 128 characters, the maximum, and every other one a name that is written from right to left. */
const modelIds = Array.from({ length: MODELS }, (_, n) => (n % 10 === 0 ? `model-${n}-`.padEnd(MAX_ID_LENGTH, "x") : `model-${n}`)); // prettier-ignore

/** Returns a catalogue with these models, which the sandbox serves. */
export const writeLargeCatalogue = (): string =>
  `providers:\n  - { id: drawn, kind: sandbox }\nmodels:\n${modelIds.map(describeModel).join("")}`;

const describeModel = (id: string, n: number) => `
  - id: ${id}
    name: ${n % 2 === 0 ? `نموذج ${n} ${"الصور ".repeat(31)}` : `Model ${n}`}
    description: ${n % 3 === 0 ? "يرسم منارة عند الفجر. ".repeat(10) : "Draws what the prompt says."}
    output_modalities: [${n % 4 === 0 ? "video" : "image"}]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string }, seed: { type: integer }, size: { type: string, enum: [a, b] } } }
    pricing_tiers: [{ match: { size: b }, price_usd: 0.2 }, { match: {}, price_usd: ${(n + 1) / 100} }]
    routes: [{ provider: drawn, upstream_model: sandbox-image }]`;

/** Expressions of SQL for the names of the row `n`: of 200 characters without a space, from right to left, or short. */
const nameSql = `CASE n % 3 WHEN 0 THEN rpad('name' || n, ${NAME_LENGTH}, 'x') WHEN 1 THEN left('مفتاح ' || n || repeat(' الإنتاج', 40), ${NAME_LENGTH}) ELSE 'app ' || n END`;
const promptSql = `CASE n % 3 WHEN 0 THEN rpad('lighthouse' || n, ${NAME_LENGTH}, 'x') WHEN 1 THEN left('منارة ' || n || repeat(' عند الفجر', 40), ${NAME_LENGTH}) ELSE 'a pier, number ' || n END`;
const endUserSql = `CASE n % 3 WHEN 0 THEN rpad('user' || n % 40, ${NAME_LENGTH}, 'x') WHEN 1 THEN 'عميل ' || n % 40 ELSE 'user-' || n % 40 END`;

/** Gives an account 500 keys and a year of 100,000 generations of all models, with their charges, words and files. */
export async function seedScale({ dataDir, demo }: { dataDir: string; demo: { email: string } }): Promise<void> {
  const [owner] = await queryHub<{ id: number }>(dataDir, "SELECT id FROM account WHERE email = $1", [demo.email]);
  await queryHub(dataDir, createSql(owner!.id));
  await queryHub(dataDir, "VACUUM ANALYZE");
}

/** The triggers are off only for speed. */
const createSql = (account: number): string => `
  SET session_replication_role = replica;
  UPDATE account SET name = left(repeat('شركة المنارة ', 10), 80) WHERE id = ${account};
  INSERT INTO api_key (id, account_id, name, prefix, hash, created_at)
  SELECT gen_random_uuid(), ${account}, ${nameSql}, 'service_sk_' || lpad(n::text, 6, '0'), sha256(('key' || n)::bytea), now() - n * interval '1 hour'
  FROM generate_series(1, ${KEYS}) n;
  CREATE TEMP TABLE seeded AS
  SELECT n, at, n % 20 <> 0 AS ok, (n + 1) * 1000 AS cost, models.id AS model, keys.id AS key_id,
         (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid AS id
  FROM (SELECT n, date_trunc('milliseconds', now() - interval '1 minute' - (${GENERATIONS} - n) * interval '1 year' / ${GENERATIONS}) AS at
        FROM generate_series(1, ${GENERATIONS}) n) times
  JOIN unnest('{${modelIds.join(",")}}'::text[]) WITH ORDINALITY AS models (id, place) ON models.place = 1 + n % ${MODELS}
  JOIN (SELECT id, row_number() OVER () AS place FROM api_key WHERE account_id = ${account}) keys ON keys.place = 1 + n * 7 % ${KEYS};
  INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider, progress, error,
                          timeout_seconds, created_at, started_at, completed_at, settled_at, end_user, metadata)
  SELECT id, ${account}, key_id, model, false, CASE WHEN ok THEN 'succeeded' ELSE 'failed' END, jsonb_build_object('prompt', ${promptSql}),
         cost, CASE WHEN ok THEN cost ELSE 0 END, '{}', 'drawn', CASE WHEN ok THEN 1 END,
         CASE WHEN NOT ok THEN jsonb_build_object('code', 'provider_error', 'message', rpad('refused', ${NAME_LENGTH}, 'x')) END,
         60, at, at, at, at, ${endUserSql}, jsonb_build_object('team', 'فريق ' || n % 9) FROM seeded ORDER BY n;
  INSERT INTO generation_words (generation_id, words)
  SELECT id, array_to_tsvector(ARRAY['${account}:pier', '${account}:number', '${account}:' || n]) FROM seeded;
  INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at, note)
  VALUES (${account}, 'credit', 10000000000000, 10000000000000, now() - interval '1 year', rpad('Invoice', ${NAME_LENGTH}, 'x'));
  INSERT INTO ledger_entry (account_id, kind, amount, balance_after, generation_id, created_at)
  SELECT ${account}, 'charge', -cost, 10000000000000 - sum(cost) OVER (ORDER BY n), id, at FROM seeded WHERE ok ORDER BY n;
  UPDATE account SET balance = (SELECT sum(amount) FROM ledger_entry WHERE account_id = ${account}) WHERE id = ${account};
  INSERT INTO uncharged_settlement (account_id, settled_at, generation_id) SELECT ${account}, at, id FROM seeded WHERE NOT ok;
  INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
  SELECT ${account}, key_id, model, false, 'succeeded', sum(cost) FROM seeded WHERE ok GROUP BY key_id, model;
  INSERT INTO file (id, account_id, generation_id, index, media_type, name, size, sha256, created_at, stored_at, expires_at)
  SELECT gen_random_uuid(), ${account}, id, 0, 'application/zip', ${nameSql}, 100000, sha256(n::text::bytea), at, at, at + interval '400 days' FROM seeded WHERE ok;
  INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message)
  SELECT gen_random_uuid(), ${account}, key_id, at, 'request-' || n, 'POST', '/api/v1/hub/' || rpad('generations', ${NAME_LENGTH}, 'x'), 400, 'invalid_request', ${promptSql}
  FROM seeded WHERE n > ${GENERATIONS - 2_000};
  INSERT INTO character (account_id, name, base_model, images, parameters, created_at, updated_at)
  SELECT ${account}, ${nameSql}, 'sandbox-trainer', '{}', '{}', now(), now() FROM generate_series(1, 60) n;
  INSERT INTO budget (id, account_id, name, amount, "window", scope, created_at, changed_at)
  SELECT gen_random_uuid(), ${account}, left(${nameSql}, 100), 5000000000000, 'month', '{"each_end_user": true}', now(), now() FROM generate_series(1, 20) n;
  INSERT INTO person (email, created_at) SELECT rpad('person' || n, 180, 'x') || '@example.org', now() FROM generate_series(1, 30) n;
  INSERT INTO membership (account_id, person_id, role, created_at) SELECT ${account}, id, 'viewer', now() FROM person WHERE email LIKE 'personx%' OR email LIKE 'person_x%' OR email LIKE 'person__x%';
  INSERT INTO endpoint (id, account_id, position, url, events, secret, created_at)
  SELECT gen_random_uuid(), ${account}, n, 'https://hooks.example/' || rpad('path' || n, ${NAME_LENGTH}, 'x'), '{generation.completed}', '\\x00', now() FROM generate_series(1, 5) n;
  UPDATE usage_search SET searched_until = NULL`;
