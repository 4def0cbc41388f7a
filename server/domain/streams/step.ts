import { isFinal, type Status } from "../generations/row";
import type { StreamedGeneration } from "./read-generations";

/** The step of every final status. */
const FINAL_STEP = 2 ** 31 - 1;

/** The step before the first one. */
export const NO_STEP = -1;

/**
 * Returns a number that grows with each change of a generation's status: 0 for awaiting supply; 2f + 1 for queued after f
 * leases; 2f for running, and 2 without leases. The trigger `log_generation_change` computes the same.
 */
export function stepOf({ status, fence }: { status: Status; fence: number }): number {
  if (isFinal(status)) return FINAL_STEP;
  if (status === "awaiting_supply") return 0;
  return status === "queued" ? 2 * fence + 1 : 2 * Math.max(fence, 1);
}

export const isFinalStep = (step: number): boolean => step === FINAL_STEP;

/** Returns the steps that a generation took after this one, oldest first; after `NO_STEP`, only the current one. */
export function stepsAfter(generation: StreamedGeneration, step: number): number[] {
  const current = stepOf(generation);
  if (step >= current) return [];
  if (step === NO_STEP) return [current];
  const steps = [];
  for (let next = step + 1; next <= lastStepBefore(generation, current); next += 1) steps.push(next);
  return [...steps, current];
}

/** Returns the last step that a generation surely took before its current one. */
function lastStepBefore({ started_at, fence, missing }: StreamedGeneration, current: number): number {
  if (!isFinalStep(current)) return current - 1;
  if (started_at) return 2 * Math.max(fence, 1);
  return missing.length > 0 ? 0 : 1;
}

/** Returns the generation as it was at one of its steps. */
export function generationAt(generation: StreamedGeneration, step: number): StreamedGeneration {
  if (step >= stepOf(generation)) return generation;
  const status = step === 0 ? "awaiting_supply" : step % 2 === 1 ? "queued" : "running";
  return {
    ...generation,
    status,
    billed_cost: null,
    outputs: [],
    error: null,
    missing: step === 0 ? generation.missing : [],
    started_at: step < 2 ? null : generation.started_at,
    completed_at: null,
    progress: null,
    queue_position: null,
    preview_n: null,
    stored_outputs: [],
  };
}
