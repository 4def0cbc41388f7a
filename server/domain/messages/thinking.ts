/**
 * The signature of thinking that came from a chat. It contains a dot, which Anthropic's signatures never do, because they are
 * Base64.
 */
export const OWN_SIGNATURE = "hub.chat";

const BASE64 = /^[\w+/=-]+$/;

export const isOwnSignature = (signature: unknown): boolean => signature === OWN_SIGNATURE;

/** Returns whether a signature may be Anthropic's, which rejects a request with any other. */
export const isAnthropicSignature = (signature: unknown): boolean =>
  typeof signature === "string" && BASE64.test(signature);
