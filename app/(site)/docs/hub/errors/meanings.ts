import type { ErrorCode } from "@/server/errors";
import type { Failure } from "@/server/domain/generations/row";

interface Meaning {
  meaning: string;
  remedy: string;
}

/** What each error code means, and how to fix it. */
export const meanings: Record<ErrorCode, Meaning> = {
  invalid_input: {
    meaning: "The body, a header, the path or the query is invalid.",
    remedy: "Read errors: each key names an invalid field, each message says what is expected.",
  },
  unauthorized: {
    meaning: "The credential is missing, mistyped, paused, revoked, expired or of the wrong kind for this route.",
    remedy:
      "Send Authorization: Bearer with an API key (service_sk_…), a worker token (service_wk_…) as a worker, or an operator token (service_ok_…) under /api/v1/admin.",
  },
  insufficient_credits: {
    meaning: "The available balance (the balance minus what running generations reserve) is below the estimate.",
    remedy: "Compare required with available. Add credit, wait for running generations, or request something cheaper.",
  },
  resource_not_found: {
    meaning: "Nothing exists at this path, or you own nothing with this id.",
    remedy: "Check the path and the id. Another account's resources look like missing ones.",
  },
  model_not_found: {
    meaning: "This account, or its API key, has no access to a model with this id.",
    remedy: "List the models and use one of their ids.",
  },
  generation_not_found: {
    meaning: "This account has no generation with this id.",
    remedy: "Use the id from the create response, with a key of the same account.",
  },
  method_not_allowed: {
    meaning: "The path does not support this method.",
    remedy: "Use a method listed in the Allow header.",
  },
  lease_lost: {
    meaning: "The worker's lease has expired, was canceled or has ended. Another worker may have the job.",
    remedy: "Stop the work, discard its results and claim another job. Send heartbeats before expires_at.",
  },
  invalid_state: {
    meaning: "The status of the character or key does not allow this operation.",
    remedy:
      "Read its status. Wait until the previous secret of a key has expired. Cancel or wait for a running training; upload the files in missing before you resume.",
  },
  file_in_use: {
    meaning: "An unfinished generation uses the file as input, or a character was trained with it.",
    remedy: "Wait for the generation or cancel it, or delete the character. Then delete the file.",
  },
  generation_not_cancelable: {
    meaning: "The generation has ended, or its provider cannot stop it.",
    remedy: "Read the generation. Send `stop_running: true` to stop one that runs at a provider; it may refuse.",
  },
  quote_expired: {
    meaning: "The quote is older than 15 minutes, was changed, or is for another account, model or input.",
    remedy: "Compare estimated_cost, which is the price now. Ask for a new quote, or send the request without one.",
  },
  idempotency_conflict: {
    meaning: "The Idempotency-Key was used before with a different body.",
    remedy: "Use a new key for a new request. Do not retry this one.",
  },
  file_expired: {
    meaning: "The content expired at expires_at and was deleted; its record remains.",
    remedy: "Upload or generate it again. Download outputs before they expire.",
  },
  payload_too_large: {
    meaning: "The body or the uploaded file is larger than the limit.",
    remedy: "Send less data. The detail states the limit.",
  },
  unsupported_media_type: {
    meaning: "The body has a Content-Encoding such as gzip, which the hub does not support.",
    remedy: "Send the body uncompressed, without the header.",
  },
  range_not_satisfiable: {
    meaning: "The Range header requests bytes beyond the end of the file.",
    remedy: "Read the size from Content-Range and request bytes within it.",
  },
  no_route_available: {
    meaning: "No provider of this model supports this input, or none is available now.",
    remedy: "Change the inputs listed in unrepresentable. If it is absent, retry later.",
  },
  rate_limited: {
    meaning: "Too many requests of this kind.",
    remedy: "Wait for the seconds in Retry-After. The RateLimit header shows the remaining quota.",
  },
  internal_error: {
    meaning: "An error occurred in the hub. Nothing was charged.",
    remedy: "Retry with the same Idempotency-Key. Contact the operator with the X-Request-Id if it persists.",
  },
  generation_in_progress: {
    meaning: "The first request with this Idempotency-Key is still running.",
    remedy: "Wait for Retry-After and retry, or read the generation at Location.",
  },
  provider_error: {
    meaning: "The provider of a text model rejected the request, failed or did not respond. Nothing was charged.",
    remedy:
      "A 4xx status comes from the provider; the message says what it rejected. A 503 is temporary: retry after Retry-After, with the same Idempotency-Key.",
  },
  service_unavailable: {
    meaning: "The hub has more requests than it can handle, or cannot reach a dependency such as its database.",
    remedy: "Retry after Retry-After, with the same Idempotency-Key.",
  },
};

/** The codes in the `error` of a failed generation. */
export const failures: Record<Failure["code"], Meaning> = {
  provider_error: {
    meaning: "Every provider for this model failed, or it is unknown whether one did the work. Nothing was charged.",
    remedy: "If error.retryable is true, retry later. The attempts show what each provider did.",
  },
  provider_refused: {
    meaning: "The provider rejected the request, or no provider could accept it.",
    remedy: "Read the message: change the input that it names, or retry later if error.retryable is true.",
  },
  invalid_output: {
    meaning: "The provider's output has a type or size that the hub does not store.",
    remedy: "Retry with another format or size if the model has one. Contact the operator if it persists.",
  },
  content_refused: {
    meaning: "The provider's safety rules refused the input or the result. Nothing was charged.",
    remedy: "Change the prompt or the files. The same request will be refused again.",
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
    remedy: "Retry. Contact the operator with the generation's id if it persists.",
  },
};
