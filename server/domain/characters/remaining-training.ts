import type { Ctx } from "../../context";
import { estimateCost } from "../pricing/estimate";
import type { WorkerModel } from "./base-model";
import type { ResumeState } from "./resume-state";

/** A resumed training gets at least 1/10 of a full one, because a checkpoint may be older than the time that was billed. */
const MIN_SHARE_DIVISOR = 10;

/** Returns the fields in which a resumed training differs from a full one: priced and timed for the remaining work. */
export function remainingTraining(ctx: Ctx, model: WorkerModel, { checkpoint, progress, seconds }: ResumeState) {
  const { pricing, timeoutSeconds } = model;
  const fullSeconds = pricing.maxSeconds;
  const maxSeconds = Math.min(fullSeconds, Math.max(seconds, Math.ceil(fullSeconds / MIN_SHARE_DIVISOR)));
  const { cost, price } = estimateCost(ctx, { ...model, pricing: { ...pricing, maxSeconds } }, {});
  const timeout_seconds = Math.min(timeoutSeconds, maxSeconds + Math.max(0, timeoutSeconds - fullSeconds));
  return { checkpoint, progress, estimated_cost: cost, price, timeout_seconds };
}
