import type { Inngest } from "inngest";
import type { Logger } from "../server/lib/log";
import type { HubEvent } from "./events";

export interface Publisher {
  publish(event: HubEvent): void;
  /** Resolves when nothing that was published before waits any longer. */
  flush(): Promise<void>;
}

const BATCH = 500;
const LANES = 2;
const MOST_WAITING = 50_000;

/**
 * Sends events off the request's path: what arrives while sends are under way goes together into the next one.
 * Never throws and never grows without bound: what cannot be sent is dropped with a warning, and the sweep repeats it.
 */
export function createPublisher(inngest: Pick<Inngest, "send">, log: Logger): Publisher {
  const waiting: HubEvent[] = [];
  const sends = new Set<Promise<void>>();
  let overflown = false;

  const send = async (events: HubEvent[]) => {
    try {
      await inngest.send(events);
    } catch (error) {
      log.warn({ err: error, events: events.length }, "events could not be sent; the sweep will repeat them");
    }
  };
  const pump = () => {
    while (waiting.length > 0 && sends.size < LANES) {
      const sent: Promise<void> = send(waiting.splice(0, BATCH)).finally(() => {
        sends.delete(sent);
        overflown &&= waiting.length > 0;
        pump();
      });
      sends.add(sent);
    }
  };
  return {
    publish(event) {
      waiting.push(event);
      if (waiting.length > MOST_WAITING) {
        waiting.shift();
        if (!overflown) log.warn("too many events wait to be sent; the oldest are dropped and the sweep repeats them");
        overflown = true;
      }
      // One turn of the microtask queue, so that events of one tick travel together.
      if (sends.size < LANES) queueMicrotask(pump);
    },
    async flush() {
      pump();
      while (sends.size > 0) await Promise.all(sends);
    },
  };
}
