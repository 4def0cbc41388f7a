import type { ClaimedJob } from "./claim-jobs";
import type { Outcome } from "./outcome";

interface JobPool {
  /** Returns the number of executing jobs. */
  size(): number;
  /** Returns the ids of the jobs that are executing, or whose outcomes were not collected. */
  listJobIds(): string[];
  startJob(job: ClaimedJob): void;
  /** Returns the outcomes since the last call. */
  collectOutcomes(): Outcome[];
  /** Puts outcomes back that could not be committed, for the next collection. */
  restoreOutcomes(outcomes: Outcome[]): void;
  /** Resolves when all jobs that are executing now have ended. */
  waitUntilIdle(): Promise<unknown>;
}

/** Creates a pool that executes jobs concurrently, and holds their outcomes until they are collected. */
export function createJobPool(execute: (job: ClaimedJob) => Promise<Outcome>, onOutcome: () => void): JobPool {
  const executing = new Map<string, Promise<void>>();
  let outcomes: Outcome[] = [];
  return {
    size: () => executing.size,
    listJobIds: () => [...executing.keys(), ...outcomes.flatMap(({ jobId }) => jobId ?? [])],
    startJob(job) {
      // After a crash of Postgres that lost the claim, this process may claim a job again that it still executes.
      if (executing.has(job.id)) return;
      const execution = execute(job).then((outcome) => {
        executing.delete(job.id);
        outcomes.push(outcome);
        onOutcome();
      });
      executing.set(job.id, execution);
    },
    collectOutcomes() {
      const collected = outcomes;
      outcomes = [];
      return collected;
    },
    restoreOutcomes(restored) {
      outcomes = [...restored, ...outcomes];
    },
    waitUntilIdle: () => Promise.all(executing.values()),
  };
}
