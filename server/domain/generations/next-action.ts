import type { Route } from "../../catalogue/model";
import type { AttemptEnd, AttemptRow } from "./attempts";
import type { Run } from "./claim";
import type { Failure, Generation } from "./generation";

/** What the run does next. */
export type NextAction =
  | { next: "poll"; pollAfterSeconds: number; callsBack: boolean }
  | { next: "attempt"; pauseSeconds: number }
  | { next: "succeed"; outputs: number; attempt: AttemptEnd }
  | { next: "fail"; error: Failure; attempt: AttemptEnd }
  /** Ended meanwhile by somebody else, or taken over by another run. */
  | { next: "stop" };

/** Returns how a run ends whose next action is its last. */
export const toEnding = ({ next, ...rest }: Extract<NextAction, { next: "succeed" | "fail" }>) => ({
  ...rest,
  to: next === "succeed" ? ("succeeded" as const) : ("failed" as const),
});

/** A running generation as its run works on it. */
export interface AttemptContext {
  generation: Generation;
  run: Run;
  n: number;
  route: Route;
  attempts: AttemptRow[];
  /** At most 0 when the deadline is over. */
  leftMs: number;
  /** Aborts when the run's claim was lost. */
  signal: AbortSignal;
}
