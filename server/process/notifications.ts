import { CATALOGUE_CHANNEL } from "../catalogue/apply";
import { loadCatalogue } from "../catalogue/load";
import { listenToChannels } from "../db/listen";
import { JOB_AVAILABLE_CHANNEL } from "../domain/generations/queue";
import type { Hub } from "../domain/hub";
import { restoreRouteHealth, ROUTE_HEALTH_CHANNEL } from "../domain/routing";
import { applyPresence, PRESENCE_CHANNEL } from "../domain/workers";

/**
 * Follows in this process every catalogue that an operator applies, and every circuit breaker that any process opens or
 * closes. Returns a function that stops it.
 */
export function followRouting(hub: Hub, url: string): () => Promise<void> {
  const reload = async () => {
    try {
      hub.catalogue = await loadCatalogue(hub);
      hub.log.info({ models: hub.catalogue.size }, "catalogue reloaded");
    } catch (error) {
      hub.log.error({ err: error }, "the new catalogue cannot be used; the old one stays in force");
    }
  };
  const restore = (route: string) =>
    restoreRouteHealth(hub, route || null).catch((error: unknown) =>
      hub.log.warn({ err: error, route }, "route health not read"),
    );
  void restore("");
  const channels = {
    [CATALOGUE_CHANNEL]: () => void reload(),
    [ROUTE_HEALTH_CHANNEL]: (route: string) => void restore(route),
  };
  return listenToChannels({ url, channels, log: hub.log });
}

/** Wakes workers that wait in this process when any process queues a job, and tracks their presence. Returns how to stop. */
export const followWorkers = (hub: Hub, url: string): (() => Promise<void>) =>
  listenToChannels({
    url,
    channels: {
      [JOB_AVAILABLE_CHANNEL]: (model) => hub.services.jobWaiters.notify(model),
      [PRESENCE_CHANNEL]: (notice) => applyPresence(hub, notice),
    },
    log: hub.log,
  });
