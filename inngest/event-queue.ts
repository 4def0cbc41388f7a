import type { HubEvent } from "./events";

export interface EventQueue {
  add(event: HubEvent): void;
  /** Puts back a batch that could not be sent, except events that were published again meanwhile. */
  restore(events: HubEvent[]): void;
  takeBatch(count: number): HubEvent[];
  size(): number;
}

const MAX_WAITING = 50_000;

/**
 * Holds events that wait to be sent, at most one about each object. `onOverflow` is called once when the queue
 * overflows, until it is empty again.
 */
export function createEventQueue(onOverflow: () => void): EventQueue {
  const waiting = new Map<string, HubEvent>();
  let hasOverflown = false;

  const add = (event: HubEvent) => {
    waiting.set(keyOf(event), event);
    if (waiting.size <= MAX_WAITING) return;
    waiting.delete(waiting.keys().next().value!);
    if (!hasOverflown) onOverflow();
    hasOverflown = true;
  };
  return {
    add,
    restore: (events) => events.filter((event) => !waiting.has(keyOf(event))).forEach(add),
    takeBatch(count) {
      const events: HubEvent[] = [];
      for (const [key, event] of waiting) {
        events.push(event);
        waiting.delete(key);
        if (events.length === count) break;
      }
      hasOverflown &&= waiting.size > 0;
      return events;
    },
    size: () => waiting.size,
  };
}

/** Returns the name and object of an event; of two events with the same key, only the later one is needed. */
function keyOf({ name, data }: HubEvent): string {
  if (name === "delivery/due") return `${name} ${data.id} ${data.round}`;
  return name === "hub/sweep" ? name : `${name} ${data.id}`;
}
