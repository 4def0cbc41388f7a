export type Status = "queued" | "running" | "succeeded" | "failed" | "canceled" | "awaiting_supply";
export type FinalStatus = "succeeded" | "failed" | "canceled";

/**
 * Every allowed move (specification, section 3); back to `queued` goes only what a worker has lost. The trigger
 * `generation_moves_as_allowed` is its twin.
 */
export const transitions: Record<Status, readonly Status[]> = {
  awaiting_supply: ["queued", "failed", "canceled"],
  queued: ["running", "failed", "canceled"],
  running: ["queued", "succeeded", "failed", "canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
};

export const statuses = Object.keys(transitions) as Status[];

export const isFinal = (status: Status): status is FinalStatus => transitions[status].length === 0;
