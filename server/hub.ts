import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Hub } from "./domain/hub";
import type * as pageApi from "./page-api";

export type PageApi = typeof pageApi;

/** What Next's side of a process uses of the server. */
export interface SharedServer {
  getHub(): Promise<Hub>;
  loadPageApi(): Promise<PageApi>;
}

// Next bundles this file into the pages and the server has a copy of its own, so the two meet in a global.
const GLOBAL = Symbol.for("generation-hub");
const processGlobal = globalThis as { [GLOBAL]?: SharedServer };

/** Makes a server the one that Next's side of this process uses. */
export function setSharedServer(server: SharedServer): void {
  processGlobal[GLOBAL] = server;
}

/** Returns the hub of this process, for Next's side. */
export const getHub = async (): Promise<Hub> => (await getServer()).getHub();

/** Returns the functions of the server that pages and route handlers call. */
export const getPageApi = async (): Promise<PageApi> => (await getServer()).loadPageApi();

/** Returns the server that this process shares or, under a plain `next start`, the one that is built beside the pages. */
async function getServer(): Promise<SharedServer> {
  const file = pathToFileURL(path.resolve("dist/standalone-server.js")).href;
  // Next would bundle a second copy of the server, with classes, limits and batches of its own.
  return (processGlobal[GLOBAL] ??= (await import(/* turbopackIgnore: true */ file)) as SharedServer);
}
