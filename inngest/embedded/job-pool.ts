import type { Outcome } from "./outcome";
import type { ClaimedJob } from "./claim-jobs";

export interface JobPool {
  /** How many jobs execute. */
  size(): number;
  begin(job: ClaimedJob): void;
  /** What ended since this was last asked. */
  collect(): Outcome[];
  /** It could not be recorded; it is there again when asked. */
  putBack(outcomes: Outcome[]): void;
  /** Resolves when nothing executes. */
  idle(): Promise<unknown>;
}

/** Executes jobs side by side and keeps what they came to until it is recorded. */
export function createJobPool(execute: (job: ClaimedJob) => Promise<Outcome>, onEnd: () => void): JobPool {
  const executing = new Map<string, Promise<void>>();
  let ended: Outcome[] = [];
  return {
    size: () => executing.size,
    begin(job) {
      // A database that crashed may have forgotten that this process took it: it is taken again, and runs once.
      if (executing.has(job.id)) return;
      const execution = execute(job).then((outcome) => {
        executing.delete(job.id);
        ended.push(outcome);
        onEnd();
      });
      executing.set(job.id, execution);
    },
    collect() {
      const outcomes = ended;
      ended = [];
      return outcomes;
    },
    putBack(outcomes) {
      ended = [...outcomes, ...ended];
    },
    idle: () => Promise.all(executing.values()),
  };
}
