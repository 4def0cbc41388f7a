import type { Route } from "../../../catalogue/model";
import type { Nano } from "../../../lib/money";
import type { DeliveredUnits } from "../../metrics";
import { routeCost, type Usage } from "../../pricing";
import type { AttemptEnd, AttemptRow, Run } from "../attempts";
import type { Failure, Generation } from "../row";
import type { RunHub } from "./hub";

/** The next action of a run. It is stored as JSON, so money is text. */
export type NextAction =
  | { next: "poll"; pollAfterSeconds: number; callsBack: boolean }
  | { next: "attempt"; pauseSeconds: number }
  /** No route can be tried now: the same attempt is made later. */
  | { next: "wait"; waitSeconds: number }
  | { next: "succeed"; outputs: number; units?: DeliveredUnits; cost?: string; attempt: AttemptEnd }
  | { next: "fail"; error: Failure; attempt: AttemptEnd }
  /** The customer has canceled, and nothing runs at a provider. `cost` is the charge; there may be no attempt to end. */
  | { next: "cancel"; cost: string; attempt?: AttemptEnd }
  /** The generation has ended, or another run has taken it over. */
  | { next: "stop" };

/** An action that ends the generation. */
export type EndingAction = Extract<NextAction, { next: "succeed" | "fail" | "cancel" }>;

/** Returns whether an action ends the generation. */
export const isEnding = (action: NextAction): action is EndingAction =>
  action.next === "succeed" || action.next === "fail" || action.next === "cancel";

/** Returns the ending of a generation for its run's last action. */
export function toEnding(action: EndingAction) {
  const { attempt } = action;
  if (action.next === "cancel") return { to: "canceled" as const, cost: BigInt(action.cost), attempt };
  if (action.next === "fail") return { to: "failed" as const, error: action.error, attempt };
  const cost = action.cost === undefined ? undefined : BigInt(action.cost);
  return { to: "succeeded" as const, outputs: action.outputs, units: action.units, cost, attempt };
}

/** A generation whose run works on it. */
export type ClaimedGeneration = Generation & { cancel_requested_at: Date | null; cancel_refused_at: Date | null };

/** The generation, run and attempt that a step works on. */
export interface AttemptContext {
  generation: ClaimedGeneration;
  run: Run;
  attempt: AttemptRow;
  route: Route;
  /** All attempts, this one included. */
  attempts: AttemptRow[];
  /** Time until the deadline; 0 or less when it has passed. */
  leftMs: number;
  /** Whether the attempt was submitted in an earlier step. */
  isResumed: boolean;
  /** Aborts when the run's claim was lost. */
  signal: AbortSignal;
}

/**
 * Returns what the provider charges for an attempt, in nano-euros as text: for its usage, or without usage for everything that
 * was requested. Undefined if it is unknown.
 */
export const attemptCost = (
  hub: RunHub,
  { route, attempt, generation }: AttemptContext,
  state: { costUsd?: Nano } = {},
  usage?: Usage,
): string | undefined => routeCost(hub, { route, state, attempt, generation, usage })?.toString();

/** The minimum time for storing what a provider has delivered (decision 90). */
const MIN_STORING_MS = 600_000;

/**
 * Returns the milliseconds until a running generation fails; 0 or less once it should have. The deadline does not shorten
 * the time for storing outputs that the provider delivered at `deliveredAt`.
 */
export function timeLeftMs(
  hub: RunHub,
  { deadline_at, timeout_seconds }: Pick<Generation, "deadline_at" | "timeout_seconds">,
  deliveredAt: AttemptRow["delivered_at"] = null,
): number {
  const now = hub.now().getTime();
  // After the system clock was set back, both times are too far in the future until the sweep corrects them.
  const untilDeadlineMs = Math.min(deadline_at!.getTime() - now, timeout_seconds * 1000);
  if (deliveredAt === null) return untilDeadlineMs;
  return Math.max(untilDeadlineMs, Math.min(deliveredAt.getTime() + MIN_STORING_MS - now, MIN_STORING_MS));
}
