import type { Ctx } from "../../context";
import { estimate } from "../pricing/estimate";
import type { WorkerModel } from "./base-model";
import type { Left } from "./left";

/** What a resumed training may cost at least, as a part of a whole one: what is done is not always what was paid for. */
const LEAST_PART = 10;

/** How a training that goes on differs from a whole one: it is priced, and may run, for what is left. */
export function restOf(ctx: Ctx, model: WorkerModel, { checkpoint, progress, seconds }: Left) {
  const { pricing, timeoutSeconds } = model;
  const whole = pricing.maxSeconds;
  const maxSeconds = Math.min(whole, Math.max(seconds, Math.ceil(whole / LEAST_PART)));
  const { cost, price } = estimate(ctx, { ...model, pricing: { ...pricing, maxSeconds } }, {});
  const timeout_seconds = Math.min(timeoutSeconds, maxSeconds + Math.max(0, timeoutSeconds - whole));
  return { checkpoint, progress, estimated_cost: cost, price, timeout_seconds };
}
