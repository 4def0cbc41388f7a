import { timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { AppError } from "../../../errors";
import { findCancelState } from "../attempts";
import { isCancelOpenSql } from "../attempts/sql";
import { dispatchNextQueued } from "../queue";
import { waitForEnd } from "../read";
import { finishGeneration } from "./finish";
import type { EndHub } from "./hub";

/** How long a request to cancel waits for the provider. */
const MAX_WAIT_MS = 10_000;
/** How often it wakes the run, which may have been busy, and checks whether the provider has refused. */
const WAKE_INTERVAL_MS = 1_000;

/**
 * Stops a generation that runs at a provider: commits the request, and waits for up to ten seconds until the generation's run
 * has asked the provider. Ends the generation at once if nothing of it is at a provider. Returns when the generation has ended,
 * in whatever way. Throws 409 `generation_not_cancelable` if the provider cannot stop jobs, refuses, or does not respond in
 * time; the request remains recorded, so that no further attempt begins.
 */
export async function stopRunning(hub: EndHub, id: string): Promise<void> {
  await requestCancel(hub, id);
  const givesUp = AbortSignal.timeout(MAX_WAIT_MS);
  while (!givesUp.aborted) {
    const state = await findCancelState(hub, id);
    if (state?.status !== "running") return;
    if (state.kind === null) return endIdle(hub, id);
    if (!hub.providers[state.kind]?.cancel) throw notStopped("Its provider cannot stop jobs, so it continues.");
    if (state.is_refused) throw notStopped("Its provider refused to stop it, so it continues.");
    hub.publish({ name: "generation/reported", data: { id } });
    if (await waitForEnd(hub, id, WAKE_INTERVAL_MS, givesUp)) return;
  }
  throw notStopped("Its provider has not stopped it yet. The request is recorded, and the provider is asked again.");
}

/**
 * Records that a customer wants a generation stopped that runs at a provider. Afterwards no attempt begins. A repeated
 * request changes nothing unless the provider has refused the last one: then it is asked again.
 */
export const requestCancel = async (hub: EndHub, id: string): Promise<void> =>
  void (await updateRequest(hub.db, id, hub.now()));

const updateRequest = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
    UPDATE generation g SET cancel_requested_at = $2, cancel_refused_at = NULL
    WHERE g.id = $1 AND g.status = 'running' AND g.provider <> 'worker' AND NOT g.is_llm AND NOT (${isCancelOpenSql})`,
});

/** Ends a generation between two attempts. None begins after the request, so nothing of it is at a provider. */
async function endIdle(hub: EndHub, id: string): Promise<void> {
  const ended = await finishGeneration(hub, { id, from: ["running"], to: "canceled" });
  if (!ended) return;
  hub.publish({ name: "generation/canceled", data: { id } });
  await dispatchNextQueued(hub, ended.account_id);
}

const notStopped = (reason: string) =>
  new AppError("generation_not_cancelable", `${reason} It is not tried again if it fails.`);
