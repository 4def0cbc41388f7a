import { CATALOGUE_CHANNEL } from "../catalogue/apply";
import { loadCatalogue } from "../catalogue/load";
import type { Hub } from "../context";
import { listenToChannels } from "../db/listen";

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
