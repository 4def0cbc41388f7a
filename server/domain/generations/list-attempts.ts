import type { Ctx } from "../../context";
import { int4, int8, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { toEurosOrNull } from "../../lib/money";
import type { AttemptOutcome } from "./attempts";
import { getStoredGeneration } from "./get";

const attemptColumns = {
  n: int4,
  route: text,
  provider: text,
  started_at: timestamptz,
  ended_at: nullable(timestamptz),
  outcome: nullable(textOf<AttemptOutcome>()),
  upstream_status: nullable(int4),
  cost: nullable(int8),
};

export type Attempt = RowOf<typeof attemptColumns>;

/** Returns the attempts of the account's generation, oldest first. Throws 404 like `getStoredGeneration`. */
export async function listAttempts(ctx: Ctx, id: string): Promise<Attempt[]> {
  await getStoredGeneration(ctx, id);
  return selectAttempts(ctx.hub.db, id);
}

const selectAttempts = statement({
  params: [uuid],
  row: attemptColumns,
  text: `SELECT ${columnList(attemptColumns, "a")} FROM attempt a WHERE generation_id = $1 ORDER BY n`,
});

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
