import type { Hub } from "./domain/hub";
import { setSharedServer } from "./hub";

/** Makes a hub the one that Next's side of this process uses. */
export const shareHub = (hub: Hub): void => setSharedServer({ getHub: () => Promise.resolve(hub), loadPageApi });

/** Loads the page API after the start (`process/warm-up.ts`) or with the first page: earlier, it would lengthen the start. */
export const loadPageApi = () => import("./page-api");
