import type { HubParts } from "../../context";
import { bool, int4, nullable, uuid } from "../../db/column-types";
import { type RowOf } from "../../db/statement";

/** What events need of the hub. */
export type EventsHub = Pick<HubParts, "publish">;

export const pendingColumns = { id: uuid, endpoint_id: uuid, generation_id: nullable(uuid), round: int4, slow: bool };

/** A delivery that is due, and whether its endpoint is slow. */
export type PendingDelivery = RowOf<typeof pendingColumns>;

/** How long after an attempt became due the sweep dispatches it again. */
export const REDISPATCH_AFTER_SECONDS = 60;

/** Each concurrency group runs this many deliveries at once; an endpoint has several groups, a slow endpoint one. */
export const GROUPS_PER_ENDPOINT = 4;
export const MAX_PER_GROUP = 4;

/** Dispatches deliveries that are due to the job engine. */
export function dispatchDeliveries(hub: EventsHub, deliveries: PendingDelivery[] | null): void {
  for (const delivery of deliveries ?? []) {
    const { id, generation_id: generation, round } = delivery;
    hub.publish({ name: "delivery/due", data: { id, generation, round, lane: concurrencyGroupOf(delivery) } });
  }
}

/** Returns whether a concurrency group is that of a slow endpoint. */
export const isSlowGroup = (group: string): boolean => !group.includes("/");

const concurrencyGroupOf = ({ id, endpoint_id, slow }: PendingDelivery): string =>
  slow ? endpoint_id : `${endpoint_id}/${Number.parseInt(id.slice(-2), 16) % GROUPS_PER_ENDPOINT}`;
