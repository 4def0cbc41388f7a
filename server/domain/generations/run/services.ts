import { createArrivalBudget } from "../../../lib/arrival-budget";
import { createConcurrencyLimit } from "../../../lib/concurrency-limit";
import { createLeaseRenewal } from "./chat-lease";
import type { RunHub, RunServices } from "./hub";
import { INLINE_LIMITS } from "./inline-outputs";

/** Returns the services of runs. */
export const createRunServices = (hub: RunHub): RunServices => ({
  renewLease: createLeaseRenewal(hub),
  placeLimiter: createConcurrencyLimit(1),
  inlineOutputs: createArrivalBudget(INLINE_LIMITS),
});
