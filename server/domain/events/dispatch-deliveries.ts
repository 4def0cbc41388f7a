import type { HubParts } from "../../context";
import { bool, int4, nullable, uuid } from "../../db/column-types";
import type { RowOf } from "../../db/statement";

/** The parts of the hub that events use. */
export type EventsHub = Pick<HubParts, "publish">;

export const pendingColumns = { id: uuid, endpoint_id: uuid, generation_id: nullable(uuid), round: int4, slow: bool };

/** A delivery that is due, and whether its endpoint is slow. */
export type PendingDelivery = RowOf<typeof pendingColumns>;

/** How long after an attempt became due the sweep dispatches it again. */
export const REDISPATCH_AFTER_SECONDS = 60;

/** Returns when the sweep dispatches an attempt again that is due at this time. */
export const getRedispatchTime = (dueAt: Date): Date => new Date(dueAt.getTime() + REDISPATCH_AFTER_SECONDS * 1000);

/** The concurrency groups of an endpoint; a slow endpoint has only one. */
const GROUPS_PER_ENDPOINT = 4;
/** How many deliveries a concurrency group runs at once. */
export const MAX_PER_GROUP = 4;

/** Dispatches due deliveries to the job engine. */
export function dispatchDeliveries(hub: EventsHub, deliveries: PendingDelivery[] | null): void {
  for (const { id, endpoint_id, generation_id: generation, round, slow } of deliveries ?? []) {
    const lane = slow ? endpoint_id : `${endpoint_id}/${Number.parseInt(id.slice(-2), 16) % GROUPS_PER_ENDPOINT}`;
    hub.publish({ name: "delivery/due", data: { id, generation, round, lane } });
  }
}

/** Returns whether a concurrency group is that of a slow endpoint. */
export const isSlowGroup = (group: string): boolean => !group.includes("/");
