import type { Inngest } from "inngest";
import type { Logger } from "../server/lib/log";
import { createEventQueue } from "./event-queue";
import type { HubEvent } from "./events";
import { mergeDeliveries } from "./merge-deliveries";

export interface Publisher {
  publish(event: HubEvent): void;
  /** Sends what waits, and resolves when nothing waits any longer, a send fails, or the time is over. */
  flush(): Promise<void>;
}

const MAX_BATCH = 500;
const MAX_CONCURRENT_SENDS = 2;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;

/**
 * Sends events off the request's path: what arrives while sends are under way goes together into the next one.
 * Never throws and never grows without bound. While the engine is away, events wait, at most one about each object,
 * and are sent again; what it rejects is dropped with a warning. The sweep repeats whatever is lost.
 * `awayLevel` is the level of the one log line for an engine that is away.
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
