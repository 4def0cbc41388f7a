import { queryHub } from "./query-hub";

/** Inserts the rows that the sweep would have written for the last hours. */
export async function seedHistory(dataDir: string): Promise<void> {
  await queryHub(
    dataDir,
    `INSERT INTO work_hour (hour, provider, model, succeeded, failed, rejected, canceled, billed, provider_cost)
     SELECT date_trunc('hour', now()) - n * interval '1 hour', 'drawn-provider', 'drawn-model', 8, 2, 1, 1, 500000000, 100000000
     FROM generate_series(0, 9) AS n`,
  );
  await queryHub(
    dataDir,
    `INSERT INTO work_time (hour, provider, model, kind, bucket, count)
     SELECT date_trunc('hour', now()) - n * interval '1 hour', 'drawn-provider', 'drawn-model', kind, bucket, 4
     FROM generate_series(0, 9) AS n, (VALUES ('run', 40), ('run', 45), ('first_token', 30)) AS times (kind, bucket)`,
  );
  await queryHub(
    dataDir,
    `INSERT INTO load_sample (at, queued, running, workers)
     SELECT date_trunc('minute', now()) - n * interval '15 minutes', n % 7, n % 4, 2 FROM generate_series(1, 80) AS n
     ON CONFLICT DO NOTHING`,
  );
  await queryHub(
    dataDir,
    `INSERT INTO breaker_change (route, provider, changed_at, open_until, reason)
     VALUES ('drawn-route', 'drawn-provider', now() - interval '3 hours', now(), 'outage'),
            ('drawn-route', 'drawn-provider', now() - interval '150 minutes', NULL, NULL)`,
  );
}
