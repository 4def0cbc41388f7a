import { setTimeout as delay } from "node:timers/promises";
import { findUnreadReport } from "../attempts";
import type { RunHub } from "./hub";

/** From a report to the look whether its run has noticed it. */
const LOOK_AFTER_MS = 200;

/**
 * Tells a run again of a provider's report that it has not noticed. A run waits for reports only once the engine has
 * stored that it does, and an event that comes before is lost. Never throws: the run polls anyway, only later.
 */
export async function repeatReport(hub: RunHub, attemptId: string): Promise<void> {
  try {
    await delay(LOOK_AFTER_MS, undefined, { ref: false });
    const generationId = await findUnreadReport(hub, attemptId);
    if (generationId !== null) hub.publish({ name: "generation/reported", data: { id: generationId } });
  } catch (error) {
    hub.log.warn({ err: error, attempt: attemptId }, "report not repeated");
  }
}
