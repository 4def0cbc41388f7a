import type { Model } from "../../catalogue/model";
import { findImageParts } from "../chat/images";
import { unboundedParts } from "../pricing/max-tokens";
import type { Issues } from "./reject-input";

const ADDRESS = /^(https?:\/\/|data:|sha256:[0-9a-f]{64}$)/i;

/** What is wrong with a chat beyond the shape that a schema can tell. Places are those in its body. */
export function findChatIssues({ supports, pricing }: Model, input: Record<string, unknown>): Issues {
  const faults: Issues = [];
  if ((input.stream ?? false) !== false || input.stream === null) {
    faults.push(["stream", "must be false or left out: answers come whole"]);
  }
  if (Object.hasOwn(input, "n")) faults.push(["n", "is not supported: send a request for each choice"]);
  for (const { path, url } of findImageParts(input.messages)) {
    if (!supports.vision) faults.push([path, "this model does not take images"]);
    else if (!ADDRESS.test(url))
      faults.push([path, "must be an http(s) or data: URL, or sha256: and 64 hexadecimal digits"]);
  }
  if (pricing.by === "token" && pricing.contextLength === null) {
    for (const path of unboundedParts(input.messages)) faults.push([path, "this model cannot take parts of this type"]);
  }
  return faults;
}
