import type { ErrorCode } from "@/server/errors";

export interface Meaning {
  meaning: string;
  remedy: string;
}

/** What each code tells a developer, and what to do about it. */
export const meanings: Record<ErrorCode, Meaning> = {
  invalid_input: {
    meaning: "The body, a header, the path or the query does not have the shape that the operation takes.",
    remedy: "Look in errors: each key is the place of a fault, each message says what belongs there.",
  },
  unauthorized: {
    meaning: "There is no credential, or it is mistyped, revoked, expired, or not of the kind this route takes.",
    remedy: "Send Authorization: Bearer with an API key that starts with service_sk_; workers one with service_wk_.",
  },
  insufficient_credits: {
    meaning: "The available balance, which is the balance less what unsettled generations hold, is below the estimate.",
    remedy: "Compare required with available; add credit, wait for running generations, or ask for something cheaper.",
  },
  resource_not_found: {
    meaning: "There is nothing at this path, or nothing of yours with this id.",
    remedy: "Check the path and the id. What belongs to another account looks the same as what does not exist.",
  },
  model_not_found: {
    meaning: "No model with this id is offered to this account.",
    remedy: "List the models and use an id from there.",
  },
  generation_not_found: {
    meaning: "This account has no generation with this id.",
    remedy: "Use the id that the create call answered, with a key of the same account.",
  },
  method_not_allowed: {
    meaning: "The path exists and does not take this method.",
    remedy: "Use a method that the Allow header names.",
  },
  lease_lost: {
    meaning: "The worker's lease has lapsed, was canceled or has ended; the job may be another worker's by now.",
    remedy: "Stop the work, throw its results away and claim anew. Send heartbeats before expires_at.",
  },
  invalid_state: {
    meaning: "The character is in a state in which this cannot be done: it is being trained, or is not.",
    remedy: "Read its status. Cancel or wait for what runs; upload what missing names before it is resumed.",
  },
  file_in_use: {
    meaning: "A generation that has not ended names the file in its input, or a character has learned it.",
    remedy: "Wait until the generation has ended, or cancel it; delete the character. Then delete the file.",
  },
  generation_not_cancelable: {
    meaning: "The generation has ended, or runs where it cannot be stopped.",
    remedy: "Read the generation; only queued ones, and those on workers, can be canceled.",
  },
  idempotency_conflict: {
    meaning: "The Idempotency-Key was used before, with a different body.",
    remedy: "Use a new key for a new request. Do not retry this one.",
  },
  file_expired: {
    meaning: "The content has passed its expires_at and is gone; its record remains.",
    remedy: "Upload it again, or generate it again. Download outputs before they expire.",
  },
  payload_too_large: {
    meaning: "The body or the uploaded file is larger than the limit.",
    remedy: "Send less. The detail names the limit.",
  },
  unsupported_media_type: {
    meaning: "The body comes with a Content-Encoding such as gzip. The hub decodes none.",
    remedy: "Send the body without compression and leave the header out.",
  },
  range_not_satisfiable: {
    meaning: "The Range header asks for bytes beyond the end of the file.",
    remedy: "Read the size from Content-Range and ask within it.",
  },
  no_route_available: {
    meaning: "No provider that serves this model can express this input, or none is usable now.",
    remedy: "Change the inputs that unrepresentable points at; when it is absent, try again later.",
  },
  rate_limited: {
    meaning: "Too many requests of this kind in a short time.",
    remedy: "Wait as many seconds as Retry-After says; the RateLimit header shows what is left.",
  },
  internal_error: {
    meaning: "Something failed on the hub's side. Nothing was charged for it.",
    remedy: "Try again with the same Idempotency-Key; tell the operator the X-Request-Id when it stays.",
  },
  generation_in_progress: {
    meaning: "The first request with this Idempotency-Key is still being worked on.",
    remedy: "Wait as Retry-After says and repeat, or read the generation at Location.",
  },
  provider_error: {
    meaning: "The provider behind a text model refused the request, failed or did not answer. Nothing was charged.",
    remedy:
      "A 4xx status is the provider's own: the message says what it refused. A 503 may pass: repeat after Retry-After, with the same Idempotency-Key.",
  },
  service_unavailable: {
    meaning: "The hub cannot reach something it needs, such as its database.",
    remedy: "Repeat after Retry-After, with the same Idempotency-Key.",
  },
};
