import type { Model } from "../../catalogue/model";
import { unboundedParts } from "../pricing";
import { findImageParts } from "./image-parts";
import type { Issues } from "./reject-input";

const partSchema = { type: "object", required: ["type"], properties: { type: { type: "string", maxLength: 64 } } };

const tokenLimitSchema = { type: ["integer", "null"], minimum: 1 };

const messageSchema = {
  type: "object",
  required: ["role"],
  properties: {
    role: { type: "string", minLength: 1, maxLength: 64 },
    content: { type: ["string", "array", "null"], maxLength: 1_000_000_000, maxItems: 10_000, items: partSchema },
  },
};

/** The input schema of all text models; members that it does not name are forwarded (specification, section 4.5). */
export const chatInputSchema = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: { type: "array", minItems: 1, maxItems: 10_000, items: messageSchema },
    max_tokens: tokenLimitSchema,
    max_completion_tokens: tokenLimitSchema,
  },
};

const imageUrlPattern = /^(https?:\/\/|data:|sha256:[0-9a-f]{64}$)/i;

/** Returns the issues of a chat that a schema cannot express, with their paths in the request body. */
export function findChatIssues({ supports, pricing }: Model, input: Record<string, unknown>): Issues {
  const issues: Issues = [];
  if ((input.stream ?? false) !== false || input.stream === null) {
    issues.push(["stream", "must be false or omitted: streaming is not supported"]);
  }
  if (Object.hasOwn(input, "n")) issues.push(["n", "is not supported: send a request for each choice"]);
  for (const { path, url } of findImageParts(input.messages)) {
    if (!supports.vision) issues.push([path, "this model does not support images"]);
    else if (!imageUrlPattern.test(url))
      issues.push([path, "must be an http(s) or data: URL, or sha256: and 64 hexadecimal digits"]);
  }
  if (pricing.by === "token" && pricing.contextLength === null) {
    for (const path of unboundedParts(input.messages))
      issues.push([path, "this model does not support parts of this type"]);
  }
  return issues;
}
