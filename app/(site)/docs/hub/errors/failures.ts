import type { Failure } from "@/server/domain/generations/generation";
import type { Meaning } from "./meanings";

/** The codes in the `error` of a failed generation. */
export const failures: Record<Failure["code"], Meaning> = {
  provider_error: {
    meaning: "Every provider for this model failed or did not respond.",
    remedy: "If error.retryable is true, retry later. The attempts show what each provider did.",
  },
  provider_refused: {
    meaning: "The provider rejected the request, or no provider could accept it.",
    remedy: "Read the message: change the input that it names, or retry later if error.retryable is true.",
  },
  invalid_output: {
    meaning: "The provider's output has a type or size that the hub does not store.",
    remedy: "Retry with another format or size if the model has one. Contact the administrator if it persists.",
  },
  input_unavailable: {
    meaning: "An input file could not be fetched.",
    remedy: "Check that its URL is public, or upload the file and use the upload's url.",
  },
  timeout: {
    meaning: "The generation exceeded the model's time limit.",
    remedy: "Retry, or request less: fewer images or a smaller size.",
  },
  supply_timeout: {
    meaning: "Files named by their SHA-256 hash were not uploaded in time.",
    remedy: "Upload the files listed in missing, then retry.",
  },
  internal_error: {
    meaning: "An error occurred in the hub.",
    remedy: "Retry. Contact the administrator with the generation's id if it persists.",
  },
};
