import type { Ctx } from "../../context";
import { type Nano, toEurosOrNull } from "../../lib/money";
import { getStoredGeneration } from "./get";

export interface Attempt {
  n: number;
  route: string;
  provider: string;
  started_at: Date;
  ended_at: Date | null;
  outcome: "succeeded" | "failed" | "refused" | "canceled" | "lost" | null;
  upstream_status: number | null;
  cost: Nano | null;
}

/** Returns the attempts of the account's generation, oldest first. Throws 404 like `getStoredGeneration`. */
export async function listAttempts(ctx: Ctx, id: string): Promise<Attempt[]> {
  await getStoredGeneration(ctx, id);
  return ctx.hub.db.query<Attempt>(
    `SELECT n, route, provider, started_at, ended_at, outcome, upstream_status, cost
     FROM attempt WHERE generation_id = $1 ORDER BY n`,
    [id],
  );
}

/** Returns the API representation of an attempt. */
export const serializeAttempt = ({
  route,
  provider,
  started_at,
  ended_at,
  outcome,
  upstream_status,
  cost,
}: Attempt) => ({
  route,
  provider,
  started_at: started_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
  outcome,
  upstream_status,
  cost: toEurosOrNull(cost),
});
