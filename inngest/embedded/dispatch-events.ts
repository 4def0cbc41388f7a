import { matchWaits } from "./match-waits";
import type { EngineConnection } from "./engine-connection";
import type { FunctionConfig } from "./function-config";
import { recordOutcomes } from "./record";
import { type QueuedEvent, routeEvent } from "./route-event";
import { startRuns } from "./start-runs";

const MOST = 1_000;

/** Routes the oldest letters of the inbox: starts runs, wakes those that waited, cancels. Answers whether more may wait. */
export async function dispatchEvents(
  line: EngineConnection,
  worker: string,
  now: Date,
  plans: Map<string, FunctionConfig>,
): Promise<boolean> {
  const letters = await line.query<QueuedEvent & { awaited: boolean }>(inbox, [MOST]);
  if (letters.length === 0) return false;

  const starts = letters.flatMap((letter) => routeEvent(plans.values(), letter, now));
  // A run that starts here may be canceled by a later letter of the same batch.
  const cancels = new Set(starts.flatMap((start) => start.cancels.map(({ event }) => event)));
  const awaited = letters.filter(({ awaited, body }) => awaited || cancels.has(body.name));
  if (awaited.length === 0) await startRuns(line, now, letters, starts);
  else {
    await line.transaction(async () => {
      await startRuns(line, now, letters, starts);
      const hits = await matchWaits(line, now, awaited);
      if (hits.length > 0) await recordOutcomes(line, worker, now, hits);
    });
  }
  return letters.length === MOST;
}

const inbox = `
  SELECT n, body, EXISTS (SELECT FROM engine.wait WHERE event = name) AS awaited
  FROM engine.event ORDER BY n LIMIT $1`;
