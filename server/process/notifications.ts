import { CATALOGUE_CHANNEL } from "../catalogue/apply";
import { loadCatalogue } from "../catalogue/load";
import type { Hub } from "../context";
import { listenToChannels } from "../db/listen";
import { JOB_AVAILABLE_CHANNEL } from "../domain/generations/dispatch-queued";
import { applyPresence, PRESENCE_CHANNEL } from "../domain/workers/presence";

/** Puts every catalogue that the operator applies in force in this process. Returns how to stop. */
export function followCatalogue(hub: Hub, url: string): () => Promise<void> {
  const reload = async () => {
    try {
      hub.catalogue = await loadCatalogue(hub);
      hub.log.info({ models: hub.catalogue.size }, "catalogue reloaded");
    } catch (error) {
      hub.log.error({ err: error }, "the new catalogue cannot be used; the old one stays in force");
    }
  };
  return listenToChannels({ url, channels: { [CATALOGUE_CHANNEL]: () => void reload() }, log: hub.log });
}

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
