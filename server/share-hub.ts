import type { Hub } from "./domain/hub";
import { setSharedServer } from "./hub";

/** Makes a hub the one that Next's side of this process uses. */
export const shareHub = (hub: Hub): void => setSharedServer({ getHub: () => Promise.resolve(hub), loadPageApi });

/** Loads the page API with the first page, because loading it earlier would lengthen the start of the process. */
export const loadPageApi = () => import("./page-api");
