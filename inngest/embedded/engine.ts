import type { Inngest, InngestFunction } from "inngest";
import { newId } from "../../server/lib/id";
import type { Logger } from "../../server/lib/log";
import { watchCrons } from "./cron";
import { openEngineConnection } from "./engine-connection";
import { executeJob, registerFunctions } from "./execute-job";
import type { FunctionConfig } from "./function-config";
import { createJobPool } from "./job-pool";
import { beginLease, endLease, freeAllJobs } from "./lease";
import { createLoop } from "./loop";
import { pullBackTimes } from "./maintenance";
import { createSdkHandler } from "./sdk-handler";
import { type EngineState, recoverTick, tick } from "./tick";

interface Options {
  /** The database, to which the engine opens a connection of its own. */
  listenUrl: string;
  /** The client that the functions were created with. */
  inngest: Inngest;
  functions: InngestFunction.Any[];
  log: Logger;
  now: () => Date;
  /** How many jobs execute at once in this process. */
  slots: number;
  /** Called with the duration of each tick, in seconds. */
  onTick?: (seconds: number) => void;
}

export interface Engine {
  /** Registers the functions and starts to run them. Throws on a function with an option that is not supported. */
  start(): Promise<void>;
  /** Stops claiming, lets executing jobs end within the grace period, and frees the rest for other instances. */
  stop(gracePeriodMs: number): Promise<void>;
}

/** How long at most the engine waits for a notification before it ticks again. */
const MAX_POLL_INTERVAL_MS = 10_000;

/** Creates an engine that runs Inngest functions in this process, on Postgres. Several may share a database. */
export function createEmbeddedEngine({ listenUrl, inngest, functions, log, now, slots, onTick }: Options): Engine {
  const handler = createSdkHandler(inngest, functions);
  const instanceId = newId();
  let state: EngineState | null = null;
  let isStopping = false;

  /** Returns the milliseconds until the next tick. */
  const runTick = measureTicks(onTick, async () => {
    if (!state) return MAX_POLL_INTERVAL_MS;
    const outcomes = pool.collectOutcomes();
    try {
      const { jobs, nextDueAt, more } = await tick(state, now(), outcomes, isStopping ? 0 : slots - pool.size());
      jobs.forEach((job) => pool.startJob(job));
      if (more && !isStopping) return 0;
      return nextDueAt
        ? Math.min(Math.max(1, nextDueAt.getTime() - now().getTime()), MAX_POLL_INTERVAL_MS)
        : MAX_POLL_INTERVAL_MS;
    } catch (error) {
      pool.restoreOutcomes(outcomes);
      recoverTick(state);
      throw error;
    }
  });
  const loop = createLoop(runTick, (error) => log.error({ err: error }, "job engine tick failed"));
  const pool = createJobPool(
    (job) => executeJob(handler, state!.configs.get(job.function_id)!, job, { now, log }),
    loop.wake,
  );
  const connection = openEngineConnection(listenUrl, (lostBy) => {
    if (lostBy) log.warn({ err: lostBy }, "job engine lost its Postgres connection");
    if (state) state.mayHaveEvents = true;
    loop.wake();
  });

  return {
    async start() {
      const configs = await registerFunctions(handler);
      const isAlone = await connection.isAlone();
      if (isAlone) await freeAllJobs(connection, instanceId);
      // Another engine has seen for itself whether the clock went back.
      await pullBackTimes(connection, now(), isAlone);
      const hasPeers = await beginLease(connection, instanceId, now());
      const crons = watchCrons(listSchedules(configs), now());
      const startedAt = now().getTime();
      state = {
        connection,
        instanceId,
        configs,
        listJobIds: () => pool.listJobIds(),
        crons,
        hasPeers,
        mayHaveEvents: true,
        nextDueAt: undefined,
        tickedAt: startedAt,
        renewedAt: startedAt,
        purgedAt: startedAt,
      };
      loop.wake();
    },
    async stop(gracePeriodMs) {
      isStopping = true;
      // The current tick may still claim jobs.
      await loop.rest();
      await Promise.race([pool.waitUntilIdle(), new Promise((resolve) => setTimeout(resolve, gracePeriodMs).unref())]);
      await loop.end();
      if (state) {
        await endLease(connection, instanceId).catch((error: unknown) =>
          log.warn({ err: error }, "job engine could not free its jobs"),
        );
      }
      await connection.close();
    },
  };
}

function measureTicks(onTick: Options["onTick"], runTick: () => Promise<number>): () => Promise<number> {
  if (!onTick) return runTick;
  return async () => {
    const startedAt = performance.now();
    const pauseMs = await runTick();
    onTick((performance.now() - startedAt) / 1000);
    return pauseMs;
  };
}

const listSchedules = (configs: Map<string, FunctionConfig>) => [...configs.values()].flatMap(({ crons }) => crons);
