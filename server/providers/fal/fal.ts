import type { Provider } from "../provider";
import { readCallback } from "./callback";
import { checkRoute } from "./check-route";
import { cancelJob, pollJob } from "./poll";
import { submitJob } from "./submit";
import { uploadFile } from "./upload";

/** fal's queue. It takes no id from the hub, so that only a callback can find a job whose submit was interrupted. */
export const fal = {
  defaultBaseUrl: "https://queue.fal.run",
  inputModes: ["link", "upload", "inline"],
  submit: submitJob,
  poll: pollJob,
  cancel: cancelJob,
  callback: readCallback,
  upload: uploadFile,
  check: checkRoute,
} satisfies Provider;
