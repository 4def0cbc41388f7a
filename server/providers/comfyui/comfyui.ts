import type { Provider } from "../provider";
import { cancelPrompt, pollPrompt, recoverPrompt } from "./find-prompt";
import { checkWorkflow } from "./check-workflow";
import { submitPrompt } from "./submit-prompt";
import { uploadInput } from "./upload-input";

/** A ComfyUI server, which runs the workflow of a route with the parameters of a job. */
export const comfyui = {
  inputModes: ["upload"],
  retryStarted: 2,
  submit: submitPrompt,
  poll: pollPrompt,
  recover: recoverPrompt,
  cancel: cancelPrompt,
  upload: uploadInput,
  check: checkWorkflow,
} satisfies Provider;
