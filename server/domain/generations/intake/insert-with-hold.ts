import type { HubParts } from "../../../context";
import type { Queryable } from "../../../db/client";
import { isCheckViolation, isUniqueViolation } from "../../../db/violation";
import { type Batcher, createBatcher } from "../../../lib/batch";
import type { ConcurrencyLimit } from "../../../lib/concurrency-limit";
import { runInSpan } from "../../../lib/tracing/tracing";
import { dispatchDeliveries, type EventsHub, type PendingDelivery } from "../../events";
import { type GenerationInsert, insertGenerations } from "./insert-generations";

/**
 * `insufficient_credits`: the available balance or the API key's spend limit does not cover the estimate.
 * `duplicate_key`: a concurrent request has used the idempotency key.
 */
export type InsertResult = "accepted" | "insufficient_credits" | "duplicate_key";

/** What the requests of one process share of the intake. */
export interface IntakeServices {
  insertGeneration: Batcher<GenerationInsert, InsertResult>;
}

/**
 * Holds the estimate and inserts the generation in one statement, which concurrent callers share; each gets its own
 * result. A chat is inserted as running: it takes no slot of its account, and subscribed accounts get its
 * `generation.running` event. Chats are committed asynchronously: a crash may lose the row, but whatever reveals it
 * commits later and waits until it is durable.
 */
export const insertWithHold = (
  hub: Pick<HubParts, "tracing"> & { services: IntakeServices },
  generation: GenerationInsert,
): Promise<InsertResult> =>
  runInSpan(
    hub.tracing,
    () => ({ name: "accept", attributes: { "hub.generation_id": generation.id, "hub.model": generation.model } }),
    () => hub.services.insertGeneration(generation),
  );

/** Returns the services of the intake, whose statements the limiter admits. */
export const createIntakeServices = (
  hub: Pick<HubParts, "db"> & EventsHub,
  limiter: ConcurrencyLimit,
): IntakeServices => ({
  insertGeneration: createBatcher(
    (generations) =>
      insertManyWithHold(hub.db.ledgerConnection, generations, (deliveries) => dispatchDeliveries(hub, deliveries)),
    { limiter },
  ),
});

type OnDeliveries = (deliveries: PendingDelivery[] | null) => void;

/**
 * Inserts several generations in one statement. In a transaction it may only be called with one, because a duplicate
 * idempotency key aborts the transaction.
 */
export async function insertManyWithHold(
  db: Queryable,
  generations: GenerationInsert[],
  onDeliveries: OnDeliveries = () => undefined,
): Promise<InsertResult[]> {
  const alone = generations.length === 1;
  let accepted: Set<string>;
  try {
    const rows = await insertGenerations(db, generations);
    for (const { deliveries } of rows) onDeliveries(deliveries);
    accepted = new Set(rows.map((row) => row.id));
  } catch (error) {
    const isLimitExceeded = isCheckViolation(error, "key_spending_within_limit");
    if (!isLimitExceeded && !isUniqueViolation(error)) throw error;
    // One generation made the whole statement fail, so each is inserted on its own.
    return alone
      ? [isLimitExceeded ? "insufficient_credits" : "duplicate_key"]
      : insertIndividually(db, generations, onDeliveries);
  }
  if (alone || accepted.size === generations.length) return generations.map(({ id }) => toResult(accepted.has(id)));
  // An account whose balance does not cover all of its generations may still cover some of them.
  const accounts = new Map<number, number>();
  for (const { account_id } of generations) accounts.set(account_id, (accounts.get(account_id) ?? 0) + 1);
  const undecided = generations.filter(({ id, account_id }) => !accepted.has(id) && accounts.get(account_id)! > 1);
  const undecidedIndex = new Map(undecided.map(({ id }, index) => [id, index]));
  const results = await insertIndividually(db, undecided, onDeliveries);
  return generations.map(({ id }) =>
    undecidedIndex.has(id) ? results[undecidedIndex.get(id)!]! : toResult(accepted.has(id)),
  );
}

const toResult = (accepted: boolean): InsertResult => (accepted ? "accepted" : "insufficient_credits");

async function insertIndividually(
  db: Queryable,
  generations: GenerationInsert[],
  onDeliveries: OnDeliveries,
): Promise<InsertResult[]> {
  const results: InsertResult[] = [];
  for (const generation of generations) results.push(...(await insertManyWithHold(db, [generation], onDeliveries)));
  return results;
}
