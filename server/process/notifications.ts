import { BOOKS_CHANNEL, loadBooks } from "../catalogue/books/load-books";
import { CATALOGUE_CHANNEL } from "../catalogue/apply";
import { loadCatalogue } from "../catalogue/load";
import { listenToChannels } from "../db/listen";
import { CHANGES_CHANNEL } from "../domain/generations/changes";
import { JOB_AVAILABLE_CHANNEL } from "../domain/generations/queue";
import type { Hub } from "../domain/hub";
import { restoreRouteHealth, ROUTE_HEALTH_CHANNEL } from "../domain/routing";
import { applyPresence, PRESENCE_CHANNEL } from "../domain/workers";

/**
 * Applies in this process every catalogue and every revision of price books that an operator applies, and every change of a
 * circuit breaker in another process. Returns a function that stops it.
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
  const reloadBooks = async () => {
    try {
      hub.books = await loadBooks(hub.db);
    } catch (error) {
      hub.log.error({ err: error }, "the new price books cannot be used; the old ones stay in force");
    }
  };
  const restore = (route: string) =>
    restoreRouteHealth(hub, route || null).catch((error: unknown) =>
      hub.log.warn({ err: error, route }, "route health not read"),
    );
  void restore("");
  const channels = {
    [CATALOGUE_CHANNEL]: () => void reload(),
    [BOOKS_CHANNEL]: () => void reloadBooks(),
    [ROUTE_HEALTH_CHANNEL]: (route: string) => void restore(route),
  };
  return listenToChannels({ url, channels, log: hub.log });
}

/**
 * Wakes workers that wait in this process when any process queues a job, tracks their presence, and learns which
 * generations any process has changed. Returns a function that stops it.
 */
export const followJobs = (hub: Hub, url: string): (() => Promise<void>) =>
  listenToChannels({
    url,
    channels: {
      [JOB_AVAILABLE_CHANNEL]: (model) => hub.services.jobWaiters.notify(model),
      [PRESENCE_CHANNEL]: (notice) => applyPresence(hub, notice),
      [CHANGES_CHANNEL]: (notice) => hub.services.changes.receive(notice),
    },
    log: hub.log,
  });
