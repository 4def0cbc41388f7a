import { performance } from "node:perf_hooks";
import type { RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/log";
import { createPageRenderer } from "./render-page";

/** Requests that need no session and load what most pages and calls of the console share, a part each. */
export const warmUpPaths = ["/icon.svg", "/api/trpc/account.get", "/sign-in", "/api/auth/csrf", "/overview"];

/** After the start, so that a hub that stops soon does not load them. */
const DELAY_MS = 5_000;
/** Before each request, so that other work gets the event loop in between. */
const PAUSE_MS = 250;
/** While the hub is busier than this, the code of a page is left to load with its first request. */
const MAX_UTILIZATION = 0.5;

interface Options {
  log: Logger;
  paths?: string[];
  delayMs?: number;
  pauseMs?: number;
}

/**
 * Loads the code of pages some seconds after the start, one request at a time while the event loop is mostly idle:
 * loading it all with the first page would block every other request meanwhile, and loading it before would lengthen
 * the start. Returns a function that stops it.
 */
export function startWarmUp(
  pages: RequestListener,
  { log, paths = warmUpPaths, delayMs = DELAY_MS, pauseMs = PAUSE_MS }: Options,
): () => Promise<void> {
  const render = createPageRenderer(pages);
  const stopped = new AbortController();
  const warmUp = async () => {
    await sleep(delayMs, undefined, { signal: stopped.signal, ref: false });
    for (const path of paths) {
      await waitForIdleness(pauseMs, stopped.signal);
      const { status } = await render({ path, headers: { host: "localhost" } });
      log.debug({ path, status }, "loaded the code of a page");
    }
  };
  const running = warmUp().catch((error: unknown) => {
    if (!stopped.signal.aborted) log.warn({ err: error }, "the code of pages could not be loaded after the start");
  });
  return async (): Promise<void> => {
    stopped.abort();
    await running;
  };
}

async function waitForIdleness(pauseMs: number, signal: AbortSignal): Promise<void> {
  let utilization = 1;
  while (utilization > MAX_UTILIZATION) {
    const before = performance.eventLoopUtilization();
    await sleep(pauseMs, undefined, { signal, ref: false });
    ({ utilization } = performance.eventLoopUtilization(before));
  }
}
