import type { Provider } from "../provider";
import { checkModel } from "./check-model";
import { submitPrediction } from "./submit-prediction";
import { MAX_PREDICTION_MS } from "./api";
import { stopLostPrediction } from "./stop-lost-prediction";

/**
 * A model in a container of cog, which answers when its work is done. What it made is in that answer alone: there is
 * nothing to poll, and its webhooks carry the output instead of announcing it, so they are not used.
 */
export const cog = {
  // A container often cannot reach the hub under the address that customers use.
  inputModes: ["inline", "link"],
  retryStarted: 2,
  submitTimeoutMs: MAX_PREDICTION_MS,
  submit: submitPrediction,
  recover: stopLostPrediction,
  check: checkModel,
} satisfies Provider;
