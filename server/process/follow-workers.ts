import type { Hub } from "../context";
import { listen } from "../db/listen";
import { WORKER_CHANNEL } from "../domain/workers/channel";
import { lineOf } from "../domain/workers/claim";
import { hear, PRESENCE_CHANNEL } from "../domain/workers/presence";

/** Wakes the workers that wait in this process for what any process queues, and hears which are there. Answers how to stop. */
export const followWorkers = (hub: Hub, url: string): (() => Promise<void>) =>
  listen({
    url,
    channels: {
      [WORKER_CHANNEL]: (model) => lineOf(hub).tell(model),
      [PRESENCE_CHANNEL]: (notice) => hear(hub, notice),
    },
    log: hub.log,
  });
