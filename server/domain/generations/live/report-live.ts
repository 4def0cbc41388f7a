import type { LogLine } from "../../../providers/job";
import { reportChange } from "../changes";
import type { LiveHub } from "./hub";
import { addLines } from "./log-lines";
import { addPreview } from "./preview";
import type { ReportingAttempt } from "./reporting-attempt";

/** What an attempt reports about its work. */
interface LiveReport {
  lines?: LogLine[];
  /** An encoded picture. */
  preview?: Buffer;
}

/**
 * Stores log lines and a preview for those who follow a generation, as far as their limits allow. Never rejects: the work must
 * not depend on them.
 */
export async function reportLive(
  hub: LiveHub,
  from: ReportingAttempt,
  { lines = [], preview }: LiveReport,
): Promise<void> {
  try {
    const isNew = [
      lines.length > 0 && (await addLines(hub, from, lines)),
      preview !== undefined && (await addPreview(hub, from, preview)),
    ];
    if (isNew.includes(true)) reportChange(hub, from.generationId);
  } catch (error) {
    hub.log.debug({ err: error as Error, generation: from.generationId }, "live report not stored");
  }
}
