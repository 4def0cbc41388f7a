/** Why something failed and on whose side: every value of the label `error_type`. `_OTHER` means that a case is missing. */
export const errorTypes = [
  "caller_invalid",
  "caller_canceled",
  "policy_no_credit",
  "policy_spend_limit",
  "policy_rate",
  "policy_suspended",
  "provider_auth",
  "provider_billing",
  "provider_rate_limited",
  "provider_overloaded",
  "provider_error",
  "provider_timeout",
  "provider_unreachable",
  "provider_bad_answer",
  "worker_lapsed",
  "deadline",
  "hub_storage",
  "hub_internal",
  "_OTHER",
] as const;

export type ErrorType = (typeof errorTypes)[number];
