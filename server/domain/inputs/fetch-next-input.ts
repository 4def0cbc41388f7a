import type { Hub } from "../../context";
import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { InputUnavailable } from "../../providers/input-unavailable";
import { finishGeneration } from "../generations/finish";
import { awaitsInputsSql } from "./input-copy";
import { storeCopy } from "./store-copy";

/** The next action of the run. */
export type NextFetch = { next: "fetch" } | { next: "pause"; seconds: number } | { next: "end" };

/** Longer than the timeout of a fetch. */
const CLAIM_MS = 120_000;
const PAUSE_SECONDS = [1, 5, 20];
const MAX_ATTEMPTS = PAUSE_SECONDS.length + 1;

/**
 * Fetches one missing external input of a queued generation, or marks the generation as ready for workers when none is
 * missing. An unavailable input fails the generation before it starts, so its hold is released. Safe to retry after a
 * crash and to run concurrently: each copy is claimed by one run.
 */
export async function fetchNextInput(hub: Hub, id: string): Promise<NextFetch> {
  const now = hub.now();
  const waiting = await createCopies(hub.db, id, now);
  if (waiting.length === 0) return { next: "end" };
  const [copy] = await claimCopy(hub.db, id, now, new Date(now.getTime() + CLAIM_MS));
  if (!copy) {
    await markReady(hub.db, id, now);
    return { next: "end" };
  }
  try {
    await storeCopy(hub, copy);
    return { next: "fetch" };
  } catch (error) {
    if (!(error instanceof InputUnavailable)) throw error;
    return onUnavailable(hub, id, copy, error);
  }
}

async function onUnavailable(
  hub: Hub,
  id: string,
  { id: copyId, attempts }: ClaimedCopy,
  { message, retryable }: InputUnavailable,
): Promise<NextFetch> {
  if (retryable && attempts < MAX_ATTEMPTS) {
    await endClaim(hub.db, copyId);
    return { next: "pause", seconds: PAUSE_SECONDS[attempts - 1]! };
  }
  const error = { code: "input_unavailable", message, retryable } as const;
  await finishGeneration(hub, { id, from: ["queued"], to: "failed", error });
  return { next: "end" };
}

const createCopies = statement({
  params: [uuid, timestamptz],
  row: { id: uuid },
  text: `
    WITH waiting AS (SELECT g.id, g.external_inputs FROM generation g WHERE g.id = $1 AND ${awaitsInputsSql}),
    created AS (
      INSERT INTO input_copy (id, generation_id, index, url, created_at)
      SELECT gen_random_uuid(), waiting.id, n - 1, url, $2
      FROM waiting, jsonb_array_elements_text(waiting.external_inputs) WITH ORDINALITY AS input (url, n)
      ON CONFLICT (generation_id, index) DO NOTHING
    )
    SELECT id FROM waiting`,
});

const copyColumns = { id: uuid, url: text, attempts: int4 };
type ClaimedCopy = RowOf<typeof copyColumns>;

const claimCopy = statement({
  params: [uuid, timestamptz, timestamptz],
  row: copyColumns,
  text: `
    UPDATE input_copy SET attempts = attempts + 1, claimed_until = $3 WHERE id = (
      SELECT id FROM input_copy
      WHERE generation_id = $1 AND stored_at IS NULL AND (claimed_until IS NULL OR claimed_until <= $2)
      ORDER BY index LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, url, attempts`,
});

const endClaim = statement({
  params: [uuid],
  row: {},
  text: "UPDATE input_copy SET claimed_until = NULL WHERE id = $1",
});

const markReady = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
    UPDATE generation g SET inputs_ready_at = $2 WHERE g.id = $1 AND ${awaitsInputsSql}
      AND (SELECT count(*) FROM input_copy c WHERE c.generation_id = g.id AND c.stored_at IS NOT NULL)
          = jsonb_array_length(g.external_inputs)`,
});
