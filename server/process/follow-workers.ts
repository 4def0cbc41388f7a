import type { Hub } from "../context";
import { listenToChannels } from "../db/listen";
import { JOB_AVAILABLE_CHANNEL } from "../domain/generations/dispatch-queued";
import { applyPresence, PRESENCE_CHANNEL } from "../domain/workers/presence";

/** Wakes the workers that wait in this process for what any process queues, and hears which are there. Answers how to stop. */
export const followWorkers = (hub: Hub, url: string): (() => Promise<void>) =>
  listenToChannels({
    url,
    channels: {
      [JOB_AVAILABLE_CHANNEL]: (model) => hub.services.jobWaiters.notify(model),
      [PRESENCE_CHANNEL]: (notice) => applyPresence(hub, notice),
    },
    log: hub.log,
  });
