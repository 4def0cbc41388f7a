import { array, int4, int8, int8Number, jsonb, jsonText, nullable, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { createBatcher } from "../../../lib/batch";
import { createConcurrencyLimit } from "../../../lib/concurrency-limit";
import { computeCost, type Price } from "../../pricing";
import { fromStoredUsage, type TokenClasses, type TokenUsage, toStoredUsage } from "../../tokens";
import { hubStopped } from "../row";
import { finishGeneration, settleChat } from "../end";
import type { RunHub } from "./hub";

/** How long a chat counts as running after its last renewal. */
export const LEASE_MS = 30_000;

/** Returns when the lease of a chat that is renewed now expires. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

interface Renewal {
  id: string;
  /** What a streamed chat has used so far. */
  usage?: TokenUsage;
}

/** Returns a function that renews the lease of a chat. Concurrent renewals share one statement; never throws. */
export function createLeaseRenewal(hub: RunHub): (id: string, usage?: TokenUsage) => void {
  const renew = createBatcher<Renewal, void>(
    async (renewals) => {
      const until = leaseUntil(hub.now());
      const counted = renewals.flatMap(({ id, usage }) => (usage ? [{ id, ...toStoredUsage(usage) }] : []));
      const ids = renewals.map(({ id }) => id);
      if (counted.length > 0) await updateLeasesAndTokens(hub.db, ids, until, JSON.stringify(counted));
      else await updateLeases(hub.db, ids, until);
      return renewals.map(() => undefined);
    },
    { maxItems: 10_000, limiter: createConcurrencyLimit(1) },
  );
  // A failed renewal is only logged, because a lease outlives two of them.
  return (id, usage) =>
    void renew({ id, usage }).catch((error: unknown) => hub.log.warn({ err: error }, "lease not renewed"));
}

// Locked rows are skipped: they are being settled, and waiting for them could block their settlement.
const updateLeases = statement({
  params: [array(uuid), timestamptz],
  row: {},
  text: `
    UPDATE generation SET deadline_at = $2
    WHERE id IN (SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)`,
});

const updateLeasesAndTokens = statement({
  params: [array(uuid), timestamptz, jsonText],
  row: {},
  text: `
    WITH counted AS (
      SELECT DISTINCT ON (id) *
      FROM json_to_recordset($3::json) AS row (id uuid, input_tokens int, output_tokens int, token_classes jsonb)
      ORDER BY id, output_tokens DESC
    ),
    held AS (SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE generation g SET deadline_at = $2,
      input_tokens = coalesce(counted.input_tokens, g.input_tokens),
      output_tokens = coalesce(counted.output_tokens, g.output_tokens),
      token_classes = CASE WHEN counted.id IS NULL THEN g.token_classes ELSE counted.token_classes END
    FROM held LEFT JOIN counted USING (id) WHERE g.id = held.id`,
});

/**
 * Ends a chat whose process has exited. A streamed one is charged for the tokens that it had counted; any other fails,
 * costs nothing and frees its idempotency key. Returns false when it had already ended.
 */
export async function endLostChat(hub: RunHub, id: string): Promise<boolean> {
  const [row] = await selectCounted(hub.db, id);
  const usage = row && fromStoredUsage(row);
  if (!usage) {
    return (await finishGeneration(hub, { id, from: ["running"], to: "failed", error: hubStopped })) !== null;
  }
  const cost = computeCost(row.price, row.estimated_cost, usage);
  return settleChat(hub, id, { to: "canceled", cost, usage, attempts: [], mayHoldPlace: true });
}

const selectCounted = statement({
  params: [uuid],
  row: {
    input_tokens: nullable(int4),
    output_tokens: nullable(int4),
    token_classes: nullable(jsonb<TokenClasses>()),
    price: jsonb<Price>(),
    estimated_cost: int8,
  },
  text: `
    SELECT input_tokens, output_tokens, token_classes, price, estimated_cost FROM generation
    WHERE id = $1 AND status = 'running'`,
});

const MAX_PER_STATEMENT = 200;

/**
 * Ends every running chat, which releases its hold and its idempotency key. May only be called by the sole process of
 * a hub before it starts chats itself, because then the processes of these chats have exited. Returns how many.
 */
export async function endOrphanedChats(hub: RunHub): Promise<number> {
  for (let ended = 0; ;) {
    const rows = await selectRunningChats(hub.db, MAX_PER_STATEMENT);
    await Promise.all(rows.map(({ id }) => endLostChat(hub, id)));
    ended += rows.length;
    if (rows.length < MAX_PER_STATEMENT) return ended;
  }
}

const selectRunningChats = statement({
  params: [int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE is_llm AND status = 'running' ORDER BY id LIMIT $1",
});
