import type { HubParts } from "../../../context";
import { int4, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { maxRunningSql } from "../../accounts/sql";
import type { QueueHub } from "./hub";

/** The NOTIFY channel for claimable jobs; the payload is the model. The triggers of `notify_worker_job` notify it too. */
export const JOB_AVAILABLE_CHANNEL = "hub_worker";

/** The fields of a queued generation that decide which event is sent. */
export interface QueuedGeneration {
  id: string;
  account_id: number;
  provider: string;
  external_inputs?: string[] | null;
}

/**
 * Dispatches a generation that was just queued. A worker's generation needs no event, because the statement that queued
 * it has notified the waiting workers; only its external inputs must be fetched first.
 */
export function dispatchQueued(
  hub: Pick<HubParts, "publish" | "tracing">,
  { id, account_id, provider, external_inputs }: QueuedGeneration,
): void {
  // The run is a separate trace, which is linked to that of the request.
  const { traceparent } = hub.tracing?.headers() ?? {};
  const data = { id, account: account_id, ...(traceparent !== undefined && { traceparent }) };
  if (provider !== "worker") hub.publish({ name: "generation/queued", data });
  else if (external_inputs) hub.publish({ name: "generation/inputs", data });
}

/**
 * Dispatches the first of the account's generations that wait for a slot, by priority and age, if a slot is free, and notifies
 * waiting workers if the account has jobs for them.
 */
export async function dispatchNextQueued(hub: QueueHub, accountId: number): Promise<void> {
  const rows = await dispatchNext(hub.db, accountId, hub.now(), hub.env.RUNNING_PER_ACCOUNT);
  for (const { id } of rows) if (id) hub.publish({ name: "generation/queued", data: { id, account: accountId } });
}

const dispatchNext = statement({
  params: [int4, timestamptz, int4],
  row: { id: nullable(uuid), notified: nullable(text) },
  text: `
    WITH dispatched AS (
      UPDATE generation SET dispatched_at = $2 WHERE id = (
        SELECT g.id FROM generation g JOIN account a ON a.id = g.account_id
        WHERE g.account_id = $1 AND g.status = 'queued' AND g.dispatched_at IS NULL AND g.provider <> 'worker' AND a.running < ${maxRunningSql("a", "$3")}
        ORDER BY g.priority DESC, g.id LIMIT 1 FOR NO KEY UPDATE OF g SKIP LOCKED)
      RETURNING id
    )
    SELECT id, NULL AS notified FROM dispatched
    UNION ALL
    SELECT NULL, pg_notify('${JOB_AVAILABLE_CHANNEL}', '')::text
    WHERE EXISTS (SELECT FROM generation g WHERE g.account_id = $1 AND g.status = 'queued' AND g.provider = 'worker')`,
});
