import { setTimeout as sleep } from "node:timers/promises";
import type { Hub } from "../context";
import { checkReady } from "../domain/health/check-ready";
import type { Demo } from "./demo";
import { readyBanner, waitingBanner } from "./startup-banner";

const PAUSE_MS = 250;
/** An Inngest server learns the functions only when the hub already listens. */
const PATIENCE_MS = 2_000;

interface Start {
  /** When the process started, by `performance.now()`. */
  startedAt: number;
  demo: Demo | null;
}

/**
 * Prints the banner when the hub is ready, or after two seconds what it still waits for. Returns a function that stops
 * this.
 */
export function announceStart(hub: Hub, { startedAt, demo }: Start): () => Promise<void> {
  const controller = new AbortController();
  const print = (text: string) => process.stdout.write(text);
  const announce = async () => {
    const since = performance.now();
    for (let isReported = false; ; await sleep(PAUSE_MS, null, { signal: controller.signal })) {
      const issue = await checkReady(hub).then(
        () => null,
        (error: Error) => error.message,
      );
      if (controller.signal.aborted) return;
      if (issue === null) return void print(readyBanner(hub.env, performance.now() - startedAt, demo));
      if (isReported || performance.now() - since < PATIENCE_MS) continue;
      isReported = true;
      print(waitingBanner(hub.env, issue));
    }
  };
  const announcing = announce().catch(() => undefined);
  return async () => {
    controller.abort();
    await announcing;
  };
}
