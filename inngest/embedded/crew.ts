import type { Outcome } from "./outcome";
import type { TakenJob } from "./take";

export interface Crew {
  /** How many jobs execute. */
  size(): number;
  begin(job: TakenJob): void;
  /** What ended since this was last asked. */
  collect(): Outcome[];
  /** It could not be recorded; it is there again when asked. */
  putBack(outcomes: Outcome[]): void;
  /** Resolves when nothing executes. */
  idle(): Promise<unknown>;
}

/** Executes jobs side by side and keeps what they came to until it is recorded. */
export function createCrew(execute: (job: TakenJob) => Promise<Outcome>, onEnd: () => void): Crew {
  const executing = new Set<Promise<void>>();
  let ended: Outcome[] = [];
  return {
    size: () => executing.size,
    begin(job) {
      const execution: Promise<void> = execute(job).then((outcome) => {
        executing.delete(execution);
        ended.push(outcome);
        onEnd();
      });
      executing.add(execution);
    },
    collect() {
      const outcomes = ended;
      ended = [];
      return outcomes;
    },
    putBack(outcomes) {
      ended = [...outcomes, ...ended];
    },
    idle: () => Promise.all(executing),
  };
}
