import type { Provider } from "../provider";
import { readCallback } from "./callback";
import { checkRoute } from "./check-route";
import { cancelPrediction, pollPrediction } from "./poll";
import { recoverPrediction } from "./recover";
import { submitPrediction } from "./submit";
import { uploadFile } from "./upload";

/** Replicate (docs/providers/replicate.md). */
export const replicate = {
  defaultBaseUrl: "https://api.replicate.com/v1",
  inputModes: ["link", "upload", "inline"],
  submit: submitPrediction,
  recover: recoverPrediction,
  poll: pollPrediction,
  cancel: cancelPrediction,
  callback: readCallback,
  upload: uploadFile,
  check: checkRoute,
} satisfies Provider;
