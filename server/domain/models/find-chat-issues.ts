import type { Model } from "../../catalogue/model";
import { findImageParts } from "./image-parts";
import { unboundedParts } from "../pricing/max-tokens";
import type { Issues } from "./reject-input";

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
