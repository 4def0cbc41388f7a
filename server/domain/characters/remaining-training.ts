import type { Ctx } from "../../context";
import { estimateCost } from "../pricing/estimate";
import type { WorkerModel } from "./base-model";
import type { ResumeState } from "./resume-state";

/** What a resumed training may cost at least, as a part of a whole one: what is done is not always what was paid for. */
const MIN_PART = 10;

/** How a training that goes on differs from a whole one: it is priced, and may run, for what is left. */
export function remainingTraining(ctx: Ctx, model: WorkerModel, { checkpoint, progress, seconds }: ResumeState) {
  const { pricing, timeoutSeconds } = model;
  const whole = pricing.maxSeconds;
  const maxSeconds = Math.min(whole, Math.max(seconds, Math.ceil(whole / MIN_PART)));
  const { cost, price } = estimateCost(ctx, { ...model, pricing: { ...pricing, maxSeconds } }, {});
  const timeout_seconds = Math.min(timeoutSeconds, maxSeconds + Math.max(0, timeoutSeconds - whole));
  return { checkpoint, progress, estimated_cost: cost, price, timeout_seconds };
}
