import { serve } from "inngest/edge";
import type { Inngest, InngestFunction } from "inngest";
import { newId } from "../../server/lib/id";
import type { Logger } from "../../server/lib/log";
import { watchCrons } from "./cron-events";
import { execute } from "./execute";
import { endLease, freeAll, renewLease } from "./lease";
import { openLine } from "./line";
import { createLoop } from "./loop";
import type { Outcome } from "./outcome";
import { register } from "./register";
import type { TakenJob } from "./take";
import { type Duties, turn } from "./turn";

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
const PULSE_MS = 10_000;

/** Runs Inngest functions in this process, on Postgres, by the SDK's own handler. Several may share a database. */
export function createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots }: Options): Engine {
  const handler = serve({ client: inngest, functions });
  const worker = newId();
  const executing = new Set<Promise<void>>();
  let outcomes: Outcome[] = [];
  let duties: Duties;
  let stopping = false;

  const loop = createLoop(
    async () => {
      const given = outcomes.splice(0);
      try {
        const { jobs, next, more } = await turn(duties, now(), given, stopping ? 0 : slots - executing.size);
        jobs.forEach(begin);
        if (more && !stopping) return 0;
        return next ? Math.min(Math.max(1, next.getTime() - now().getTime()), PULSE_MS) : PULSE_MS;
      } catch (error) {
        outcomes = [...given, ...outcomes];
        throw error;
      }
    },
    (error) => log.error({ err: error }, "the job engine could not use its tables and tries again"),
  );
  const line = openLine(listenUrl, loop.wake, (error) =>
    log.warn({ err: error }, "the job engine lost its database connection and connects again"),
  );
  const begin = (job: TakenJob) => {
    const execution: Promise<void> = execute(handler, duties.plans, job, now).then((outcome) => {
      if (outcome.end?.status === "failed") log.warn(failure(job, outcome.end.result), "a job failed");
      executing.delete(execution);
      outcomes.push(outcome);
      loop.wake();
    });
    executing.add(execution);
  };

  return {
    async start() {
      const plans = await register(handler);
      if (await line.isAlone()) await freeAll(line, worker);
      await renewLease(line, worker, now());
      const at = now().getTime();
      duties = { line, worker, plans, crons: watchCrons(plans.values(), now()), renewedAt: at, tidiedAt: at };
      loop.wake();
    },
    async stop(graceMs) {
      stopping = true;
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([Promise.all(executing), grace]);
      await loop.end();
      await endLease(line, worker).catch((error: unknown) => log.warn({ err: error }, "jobs could not be given back"));
      await line.close();
    },
  };
}

const failure = (job: TakenJob, error: string) => ({
  function: job.function_id,
  run: job.run_id,
  error: JSON.parse(error) as unknown,
});
