import type { Inngest } from "inngest";
import { MAX_PER_GROUP } from "../server/domain/events";
import type { Logger } from "../server/lib/log";
import type { DueDelivery, HubEvent } from "./events";

interface Publisher {
  publish(event: HubEvent): void;
  /** Sends waiting events, and resolves when none are left, a send fails, or the time is over. */
  flush(): Promise<void>;
}

const MAX_BATCH = 500;
const MAX_CONCURRENT_SENDS = 2;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;

/**
 * Sends events outside of requests: those that arrive while sends are under way go into the next one together. Never
 * throws, and its memory is bounded. While the engine is unavailable, events wait, at most one about each object, and
 * are sent again; what it rejects is dropped with a warning. The sweep repeats whatever is lost. `awayLevel` is the
 * level of the one log line for an engine that is away.
 */
export function createPublisher(
  inngest: Pick<Inngest, "send">,
  log: Logger,
  awayLevel: "warn" | "debug" = "warn",
): Publisher {
  const waiting = createEventQueue(() =>
    log.warn("too many events wait to be sent; the oldest are dropped and the sweep repeats them"),
  );
  const sends = new Set<Promise<void>>();
  let isAway = false;
  let retryMs = MIN_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;

  const keepForRetry = (events: HubEvent[], error: unknown) => {
    waiting.restore(events);
    if (!isAway) log[awayLevel]({ err: error }, "events cannot be sent; they are kept and sent again");
    isAway = true;
    if (retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      startSends();
    }, retryMs).unref();
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  };
  const sendBatch = async (events: HubEvent[]) => {
    try {
      await inngest.send(mergeDeliveries(events));
      isAway = false;
      retryMs = MIN_RETRY_MS;
    } catch (error) {
      if (!isRejection(error)) return keepForRetry(events, error);
      log.warn({ err: error, events: events.length }, "the job engine rejects events; they are dropped");
    }
  };
  const startSends = () => {
    while (waiting.size() > 0 && sends.size < MAX_CONCURRENT_SENDS && !retry) {
      const sent: Promise<void> = sendBatch(waiting.takeBatch(MAX_BATCH)).finally(() => {
        sends.delete(sent);
        startSends();
      });
      sends.add(sent);
    }
  };
  return {
    publish(event) {
      waiting.add(event);
      // A microtask later, so that events of one turn of the event loop are sent together.
      if (sends.size < MAX_CONCURRENT_SENDS && !retry) queueMicrotask(startSends);
    },
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)));
      const sendAll = async () => {
        startSends();
        while (sends.size > 0 && !isAway) await Promise.race(sends);
      };
      await Promise.race([sendAll(), timeout]);
      clearTimeout(timer);
    },
  };
}

/**
 * Returns whether sending the same events again is useless. A wrong key can be fixed at the server, and a limit passes.
 */
function isRejection(error: unknown): boolean {
  const status = Number(/^Inngest API Error: (4\d\d)/.exec(String((error as Error).message))?.[1]);
  return status > 0 && ![401, 403, 404, 408, 429].includes(status);
}

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

interface EventQueue {
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
function createEventQueue(onOverflow: () => void): EventQueue {
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
