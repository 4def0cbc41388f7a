import type { Ctx } from "../../context";
import { array, int4, json, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { isWorkerModel, listModels } from "../models";
import type { WorkersHub } from "./hub";
import { MAX_WAITING } from "./max-waiting";
import { ONLINE_MS } from "./presence";

/** A job of the account that a worker is running. */
interface WorkerJob {
  id: string;
  worker: string;
  model: string;
  progress: number | null;
  started_at: string;
}

interface ListedWorker {
  /** The id of its token; empty for the in-process worker. */
  id: string;
  name: string;
  is_online: boolean;
  /** Whether it runs a job, of this or another account. */
  is_busy: boolean;
  /** When it last asked for jobs; null if it has not since this process started. */
  seen_at: Date | null;
  models: string[];
  jobs: WorkerJob[];
}

interface ServedModel {
  id: string;
  name: string;
  online: number;
  running: number;
  /** At most MAX_WAITING. */
  waiting: number;
}

const columns = {
  tokens: json<{ id: string; name: string }[]>(),
  jobs: json<WorkerJob[]>(),
  busy: json<string[]>(),
  waiting: json<Record<string, number>>(),
  running: int4,
  max_running: nullable(int4),
};
type Row = RowOf<typeof columns>;

/**
 * Returns the workers that serve the account's models, online ones first, each with the account's jobs; these models, each with
 * the account's queue length; and the account's slots. Of other accounts' jobs it shows only that a worker is busy.
 */
export async function listWorkers(
  ctx: Ctx<WorkersHub>,
): Promise<{ workers: ListedWorker[]; models: ServedModel[]; slots: { used: number; max: number } }> {
  const offered = listModels(ctx).filter(isWorkerModel);
  const { presence } = ctx.hub;
  const tokenIds = [...presence.keys()].filter(Boolean);
  const modelIds = offered.map(({ id }) => id);
  const [row] = (await selectWorkers(ctx.hub.db, ctx.account.id, ctx.hub.now(), tokenIds, modelIds)) as [Row];
  const inProcess = presence.get("");
  const candidates = [...row.tokens, ...(inProcess ? [{ id: "", name: inProcess.name }] : [])];
  const workers = candidates
    .map((worker) => buildListedWorker(ctx.hub, worker, row))
    .map((worker) => ({ ...worker, models: worker.models.filter((id) => modelIds.includes(id)) }))
    .filter(({ models, jobs }) => models.length + jobs.length > 0)
    .toSorted((a, b) => Number(b.is_online) - Number(a.is_online) || a.name.localeCompare(b.name));
  const models = offered.map(({ id, name }) => ({
    id,
    name,
    waiting: row.waiting[id] ?? 0,
    online: workers.filter(({ is_online, models }) => is_online && models.includes(id)).length,
    running: row.jobs.filter(({ model }) => model === id).length,
  }));
  const max = Math.min(row.max_running ?? Infinity, ctx.hub.env.RUNNING_PER_ACCOUNT);
  return { workers, models, slots: { used: row.running, max } };
}

function buildListedWorker(hub: WorkersHub, { id, name }: { id: string; name: string }, row: Row): ListedWorker {
  const lastSeen = hub.presence.get(id);
  const jobs = row.jobs.filter(({ worker }) => worker === id);
  const is_busy = row.busy.includes(id);
  return {
    id,
    name,
    is_busy,
    jobs,
    is_online: is_busy || (lastSeen !== undefined && hub.now().getTime() - lastSeen.seen < ONLINE_MS),
    seen_at: lastSeen ? new Date(lastSeen.seen) : null,
    models: [...new Set([...(lastSeen?.models.keys() ?? []), ...jobs.map(({ model }) => model)])].toSorted(),
  };
}

const jobSql = `'id', id, 'worker', worker, 'model', model, 'progress', progress, 'started_at', leased_at`;

// There are only as many leases as workers, and each model's queue is read only up to MAX_WAITING rows.
const selectWorkers = statement({
  params: [int4, timestamptz, array(uuid), array(text)],
  row: columns,
  text: `
    WITH leased AS (
      SELECT coalesce(a.worker_token_id::text, '') AS worker, g.account_id, g.id, g.model, g.progress, g.leased_at
      FROM generation g JOIN attempt a ON a.generation_id = g.id AND a.n = g.fence
      WHERE g.status = 'running' AND g.provider = 'worker' AND g.lease_expires_at > $2
    ),
    own AS (SELECT * FROM leased WHERE account_id = $1),
    queued AS (
      SELECT served.model, (
        SELECT count(*) FROM (
          SELECT FROM generation g
          WHERE g.model = served.model AND g.account_id = $1 AND g.status = 'queued' AND g.provider = 'worker'
          LIMIT ${MAX_WAITING}) counted)::int AS jobs
      FROM unnest($4::text[]) AS served (model)
    )
    SELECT a.running, a.max_running,
      (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name)), '[]') FROM worker_token t
       WHERE t.revoked_at IS NULL AND (t.id = ANY ($3::uuid[]) OR t.id::text IN (SELECT worker FROM own))) AS tokens,
      (SELECT coalesce(json_agg(json_build_object(${jobSql}) ORDER BY id), '[]') FROM own) AS jobs,
      (SELECT coalesce(json_agg(DISTINCT worker), '[]') FROM leased) AS busy,
      (SELECT coalesce(json_object_agg(model, jobs), '{}') FROM queued) AS waiting
    FROM account a WHERE a.id = $1`,
});
