import type { Hub } from "../../context";

export type Outcome = "succeeded" | "failed" | "refused" | "canceled" | "lost";

/** One try, as the run sees it. */
export interface AttemptRow {
  n: number;
  route: string;
  outcome: Outcome | null;
  upstream_id: string | null;
}

export const findAttempts = (hub: Hub, id: string): Promise<AttemptRow[]> =>
  hub.db.query<AttemptRow>("SELECT n, route, outcome, upstream_id FROM attempt WHERE generation_id = $1 ORDER BY n", [
    id,
  ]);

/** Writes down that a route is about to be tried, before it is: a crash then leaves a trace. */
export async function openAttempt(hub: Hub, id: string, n: number, route: { id: string; kind: string }): Promise<void> {
  await hub.db.query(
    `INSERT INTO attempt (generation_id, n, route, provider, started_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (generation_id, n) DO NOTHING`,
    [id, n, route.id, route.kind, hub.now()],
  );
}

/** Remembers upstream's job, so that a repeated step asks for it and does not submit again; and how far it is. */
export async function noteProgress(
  hub: Hub,
  id: string,
  n: number,
  upstreamId: string,
  progress: number | null,
): Promise<void> {
  await hub.db.query(
    `WITH noted AS (UPDATE attempt SET upstream_id = $3 WHERE generation_id = $1 AND n = $2)
     UPDATE generation SET progress = least(greatest(progress, $4), 0.99)
     WHERE id = $1 AND status = 'running' AND $4::real IS NOT NULL`,
    [id, n, upstreamId, progress],
  );
}

export interface AttemptEnd {
  outcome: "succeeded" | "failed" | "refused";
  upstreamStatus?: number;
  /** What upstream took for it, where it says so: nano-euros as text, because steps travel as JSON. */
  cost?: string;
}

/** A whole try, for the statement that ends its generation. */
export interface Tried {
  n: number;
  route: string;
  provider: string;
  started_at: Date;
  ended_at: Date;
  outcome: AttemptEnd["outcome"];
  upstream_status: number | null;
  /** Nano-euros as text. */
  cost: string | null;
}

/** Closes a try that another one follows; the last one is closed by `finish`, with the generation. */
export async function closeAttempt(
  hub: Hub,
  id: string,
  n: number,
  { outcome, upstreamStatus }: AttemptEnd,
): Promise<void> {
  await hub.db.query(
    `UPDATE attempt SET ended_at = $3, outcome = $4, upstream_status = $5
     WHERE generation_id = $1 AND n = $2 AND ended_at IS NULL`,
    [id, n, hub.now(), outcome, upstreamStatus ?? null],
  );
}
