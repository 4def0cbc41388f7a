import type { Hub } from "../../context";

/** What of a queued generation decides who is told of it. */
export interface Queued {
  id: string;
  account_id: number;
  provider: string;
  outside_inputs?: string[] | null;
}

/**
 * Tells the engine of a generation that was just queued. A worker fetches its jobs, and the statement that queued it has
 * notified those that wait; only outside content has to be fetched for it first.
 */
export function dispatchQueued(hub: Pick<Hub, "publish">, { id, account_id, provider, outside_inputs }: Queued): void {
  const data = { id, account: account_id };
  if (provider !== "worker") hub.publish({ name: "generation/queued", data });
  else if (outside_inputs) hub.publish({ name: "generation/inputs", data });
}
