import type { Failure } from "@/server/domain/generations/generation";
import type { Meaning } from "./meanings";

/** Why an accepted generation failed, as its `error` says. */
export const failures: Record<Failure["code"], Meaning> = {
  provider_error: {
    meaning: "Every provider that could serve it failed, or did not answer.",
    remedy: "When error.retryable is true, make it again later; its attempts say what each provider did.",
  },
  provider_refused: {
    meaning: "The provider said no to the request, or none could be given the work.",
    remedy:
      "Read the message: change the input that it speaks of, or make it again later when error.retryable is true.",
  },
  invalid_output: {
    meaning: "What the provider made is not of a kind or a size that the hub keeps.",
    remedy: "Make it again, with another format or size if the model has one; tell the operator when it stays.",
  },
  input_unavailable: {
    meaning: "A file that the input names could not be fetched.",
    remedy: "Check that its address answers to everybody, or upload it and name the url of the upload.",
  },
  timeout: {
    meaning: "It did not end within the model's time.",
    remedy: "Make it again, or ask for less: fewer images, a smaller size.",
  },
  supply_timeout: {
    meaning: "Content that it named by its digest was not uploaded in time.",
    remedy: "Upload what missing names, then make it again.",
  },
  internal_error: {
    meaning: "Something failed on the hub's side.",
    remedy: "Make it again; tell the operator its id when it stays.",
  },
};
