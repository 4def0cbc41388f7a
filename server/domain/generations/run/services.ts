import { createArrivalBudget } from "../../../lib/arrival-budget";
import { createLeaseRenewal } from "./chat-lease";
import type { RunHub, RunServices } from "./hub";
import { INLINE_LIMITS } from "./inline-outputs";

/** Returns the services of runs. */
export const createRunServices = (hub: RunHub): RunServices => ({
  renewLease: createLeaseRenewal(hub),
  inlineOutputs: createArrivalBudget(INLINE_LIMITS),
});
