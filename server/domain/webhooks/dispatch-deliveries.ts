import type { Hub } from "../../context";

export interface PendingDelivery {
  id: string;
  endpoint_id: string;
  generation_id: string | null;
  round: number;
  /** Of the endpoint. */
  slow: boolean;
}

/** After so long the sweep takes a nudge for lost. */
export const REDISPATCH_AFTER_SECONDS = 60;

/** The engine runs so many deliveries of one lane at once; an endpoint has several lanes, a slow one has one. */
export const GROUPS_PER_ENDPOINT = 4;
export const MAX_PER_GROUP = 4;

/** Tells the engine of deliveries that are due. */
export function dispatchDeliveries(hub: Hub, deliveries: PendingDelivery[] | null): void {
  for (const delivery of deliveries ?? []) {
    const { id, generation_id: generation, round } = delivery;
    hub.publish({ name: "delivery/due", data: { id, generation, round, lane: laneOf(delivery) } });
  }
}

/** Whether a lane is the one that is left to a slow endpoint. */
export const isSlowGroup = (lane: string): boolean => !lane.includes("/");

const laneOf = ({ id, endpoint_id, slow }: PendingDelivery): string =>
  slow ? endpoint_id : `${endpoint_id}/${Number.parseInt(id.slice(-2), 16) % GROUPS_PER_ENDPOINT}`;
