import { MAX_PER_GROUP } from "../server/domain/events";
import type { DueDelivery, HubEvent } from "./events";

interface Share {
  lane: string;
  deliveries: DueDelivery[];
}

/**
 * Returns the events with at most as many `delivery/due` for a lane as it runs at once, each with its share of the
 * lane's deliveries: a burst to one endpoint then costs the job engine few runs, and still has as many deliveries in
 * flight.
 */
export function mergeDeliveries(events: HubEvent[]): HubEvent[] {
  const counts = new Map<string, number>();
  const shares = new Map<string, Share>();
  const others: HubEvent[] = [];
  for (const event of events) {
    if (event.name === "delivery/due") {
      const { lane, ...delivery } = event.data;
      const count = counts.get(lane) ?? 0;
      counts.set(lane, count + 1);
      const key = `${lane} ${count % MAX_PER_GROUP}`;
      const share = shares.get(key);
      if (share) share.deliveries.push(delivery);
      else shares.set(key, { lane, deliveries: [delivery] });
    } else others.push(event);
  }
  return [...others, ...[...shares.values()].map(toEvent)];
}

function toEvent({ lane, deliveries }: Share): HubEvent {
  const [first, ...more] = deliveries;
  return { name: "delivery/due", data: { ...first!, lane, ...(more.length > 0 && { more }) } };
}
