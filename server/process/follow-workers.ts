import type { Hub } from "../context";
import { listen } from "../db/listen";
import { WORKER_CHANNEL } from "../domain/workers/channel";
import { lineOf } from "../domain/workers/claim";

/** Wakes the workers that wait in this process for what any process queues. Answers how to stop. */
export const followWorkers = (hub: Hub, url: string): (() => Promise<void>) =>
  listen({ url, channel: WORKER_CHANNEL, log: hub.log, onNotice: (model) => lineOf(hub).tell(model) });
