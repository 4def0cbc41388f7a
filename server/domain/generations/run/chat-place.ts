import { int4, int8, jsonbText, nullable, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import type { Queryable } from "../../../db/client";
import { statement } from "../../../db/statement";
import { responseTooLate } from "../../../errors";
import type { FailureCause } from "../../../providers/failure";
import type { AttemptOutcome, AttemptRecord, RouteReason } from "../attempts";
import { dispatchForProvider, findObstacle, findProviderUse, type QueueHub, withProviderLock } from "../queue";
import { correctSpendingSql, countSpendingSql } from "../queue/sql";
import type { Generation } from "../row";
import type { NewAttempt } from "./open-attempt";

/**
 * Takes a place for a chat at a provider with limits: inserts its attempt, which counts the chat's hold towards the spend
 * limit until `settleChat` ends it. Generations that wait for the provider come first. Returns why there is no place,
 * otherwise null. Throws `provider_error` if the chat has ended meanwhile.
 */
export async function takeChatPlace(
  hub: QueueHub,
  { id, estimated_cost }: Pick<Generation, "id" | "estimated_cost">,
  place: Omit<NewAttempt, "submitMs">,
): Promise<"at_capacity" | "over_budget" | null> {
  const { provider } = place.route;
  const cost = provider.spendLimitPerDay === null ? null : estimated_cost;
  const check = async (db: Queryable) => findObstacle(await findProviderUse(hub, db, provider, null), cost);
  // First without the lock, because most chats that come to a full provider find it full.
  const obstacle = await check(hub.db);
  if (obstacle) return obstacle;
  // Before the row exists: `settleChat` must end it even if this process does not learn that it was committed.
  hub.services.chatPlaces.add(id);
  return withProviderLock(hub, provider, async (tx) => {
    const taken = await check(tx);
    if (taken) return taken;
    const { n, route, reason, passedOver } = place;
    const skipped = passedOver.length > 0 ? JSON.stringify(passedOver) : null;
    const values = [id, n, route.id, provider.kind, hub.now(), skipped, provider.keyVariable, reason] as const;
    if ((await insertAttempt(tx, ...values, provider.id, cost)).length === 0) throw responseTooLate();
    return null;
  });
}

const insertAttempt = statement({
  params: [
    uuid,
    int4,
    text,
    text,
    timestamptz,
    nullable(jsonbText),
    nullable(text),
    textOf<RouteReason>(),
    text,
    nullable(int8),
  ],
  row: { n: int4 },
  text: `
    WITH chat AS (SELECT id FROM generation WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE),
    opened AS (
      INSERT INTO attempt (generation_id, n, route, provider, started_at, passed_over, key, reason, limited_provider, budget_day, budget_cost)
      SELECT id, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, ($5::timestamptz AT TIME ZONE 'UTC')::date, $10 FROM chat
      RETURNING *
    ),
    ${countSpendingSql}
    SELECT n FROM opened`,
});

/** Releases the place of a call that failed, before the chat tries another route. Marks its record as stored. */
export async function releaseChatPlace(hub: QueueHub, id: string, attempt: AttemptRecord): Promise<void> {
  const { n, ended_at, outcome, upstream_status, cost, cause = null } = attempt;
  const rows = await closeAttempt(
    hub.db,
    id,
    n,
    ended_at,
    outcome,
    upstream_status,
    cost === null ? null : BigInt(cost),
    cause,
  );
  attempt.held = "closed";
  for (const { limited_provider } of rows) if (limited_provider !== null) dispatchForProvider(hub, limited_provider);
}

const closeAttempt = statement({
  params: [
    uuid,
    int4,
    timestamptz,
    textOf<AttemptOutcome>(),
    nullable(int4),
    nullable(int8),
    nullable(textOf<FailureCause>()),
  ],
  row: { limited_provider: nullable(text) },
  text: `
    WITH chat AS MATERIALIZED (SELECT id FROM generation WHERE id = $1 FOR NO KEY UPDATE),
    closed AS (
      UPDATE attempt SET ended_at = greatest($3, started_at), outcome = $4, upstream_status = $5, cost = $6, cause = $7 FROM chat
      WHERE generation_id = chat.id AND n = $2 AND ended_at IS NULL RETURNING attempt.*
    ),
    ${correctSpendingSql}
    SELECT limited_provider FROM closed`,
});
