import { serve } from "inngest/edge";
import type { Inngest, InngestFunction } from "inngest";
import { newId } from "../../server/lib/id";
import type { Logger } from "../../server/lib/log";
import { createJobPool } from "./job-pool";
import { watchCrons } from "./cron-events";
import { executeJob } from "./execute";
import { endLease, freeAll, renewLease } from "./lease";
import { openEngineConnection } from "./engine-connection";
import { createLoop } from "./loop";
import { pullBackTimes } from "./pull-back-times";
import { registerFunctions } from "./register";
import { type EngineState, tick } from "./tick";

interface Options {
  /** The database, over a connection of the engine's own. */
  listenUrl: string;
  /** The client that the functions were made with. */
  inngest: Inngest;
  functions: InngestFunction.Any[];
  log: Logger;
  now: () => Date;
  /** How many steps execute at once in this process. */
  slots: number;
}

export interface Engine {
  /** Registers the functions and begins. Throws on a function that the engine would not run as it is written. */
  start(): Promise<void>;
  /** Takes nothing more, lets steps under way end for as long as it may, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** Without a notice it looks by itself this often. */
const MAX_POLL_INTERVAL_MS = 10_000;

/** Runs Inngest functions in this process, on Postgres, by the SDK's own handler. Several may share a database. */
export function createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots }: Options): Engine {
  const handler = serve({ client: inngest, functions });
  const worker = newId();
  let duties: EngineState | null = null;
  let stopping = false;

  const round = async () => {
    if (!duties) return MAX_POLL_INTERVAL_MS;
    const outcomes = crew.collect();
    try {
      const { jobs, next, more } = await tick(duties, now(), outcomes, stopping ? 0 : slots - crew.size());
      jobs.forEach((job) => crew.begin(job));
      if (more && !stopping) return 0;
      return next
        ? Math.min(Math.max(1, next.getTime() - now().getTime()), MAX_POLL_INTERVAL_MS)
        : MAX_POLL_INTERVAL_MS;
    } catch (error) {
      crew.putBack(outcomes);
      throw error;
    }
  };
  const loop = createLoop(round, (error) => log.error({ err: error }, "the job engine could not use its tables"));
  const crew = createJobPool(
    (job) => executeJob(handler, duties!.plans.get(job.function_id)!, job, { now, log }),
    loop.wake,
  );
  const line = openEngineConnection(listenUrl, loop.wake, (error) => {
    log.warn({ err: error }, "the job engine lost its database connection");
    loop.wake();
  });

  return {
    async start() {
      const plans = await registerFunctions(handler);
      if (await line.isAlone()) await freeAll(line, worker);
      await pullBackTimes(line, now());
      const shared = await renewLease(line, worker, now());
      const at = now().getTime();
      duties = { line, worker, plans, crons: watchCrons(plans.values(), now()), shared, renewedAt: at, tidiedAt: at };
      loop.wake();
    },
    async stop(graceMs) {
      stopping = true;
      // The round under way may still take jobs.
      await loop.rest();
      await Promise.race([crew.idle(), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      await loop.end();
      if (duties) {
        await endLease(line, worker).catch((error: unknown) => log.warn({ err: error }, "jobs were not given back"));
      }
      await line.close();
    },
  };
}
