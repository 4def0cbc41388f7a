import type { Route } from "../../catalogue/model";
import type { AttemptEnd, AttemptRow } from "../generations/attempts";
import type { Run } from "../generations/claim";
import type { Failure, Generation } from "../generations/generation";

/** The next action of a run. */
export type NextAction =
  | { next: "poll"; pollAfterSeconds: number; callsBack: boolean }
  | { next: "attempt"; pauseSeconds: number }
  | { next: "succeed"; outputs: number; attempt: AttemptEnd }
  | { next: "fail"; error: Failure; attempt: AttemptEnd }
  /** The generation has ended, or another run has taken it over. */
  | { next: "stop" };

/** Returns the ending of a generation for its run's last action. */
export const toEnding = ({ next, ...rest }: Extract<NextAction, { next: "succeed" | "fail" }>) => ({
  ...rest,
  to: next === "succeed" ? ("succeeded" as const) : ("failed" as const),
});

/** The generation, run and attempt that a step works on. */
export interface AttemptContext {
  generation: Generation;
  run: Run;
  n: number;
  route: Route;
  attempts: AttemptRow[];
  /** Time until the deadline; 0 or less when it has passed. */
  leftMs: number;
  /** Aborts when the run's claim was lost. */
  signal: AbortSignal;
}
