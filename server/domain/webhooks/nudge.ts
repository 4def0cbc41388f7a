import type { Hub } from "../../context";

export interface OwedDelivery {
  id: string;
  endpoint_id: string;
  round: number;
}

/** After so long the sweep takes a nudge for lost. */
export const NUDGE_AFTER_SECONDS = 60;

/** Tells the engine of deliveries that are due. */
export function nudgeDeliveries(hub: Hub, owed: OwedDelivery[] | null): void {
  for (const { id, endpoint_id, round } of owed ?? []) {
    hub.publish({ name: "delivery/due", data: { id, endpoint: endpoint_id, round } });
  }
}
