import type { Hub } from "../../context";
import { parseSha256Ref } from "../files/parse-sha256-ref";
import { parseOwnFileUrl } from "../files/parse-own-file-url";
import { rejectInput, type Root } from "../models/reject-input";
import type { FileReference } from "./file-references";

const MAX_OUTSIDE_INPUTS = 100;

/** Returns the distinct external URLs among the file references of an input. */
export const findOutsideInputs = (hub: Hub, references: FileReference[]): string[] => [
  ...new Set(
    references
      .map(({ text }) => text)
      .filter((text) => parseSha256Ref(text) === null && parseOwnFileUrl(hub, text) === null),
  ),
];

/** Returns the external URLs of a new input, undefined when it has none. Throws a 400 `invalid_input` for too many. */
export function checkOutsideInputs(hub: Hub, references: FileReference[], root: Root = "input"): string[] | undefined {
  const outside = findOutsideInputs(hub, references);
  if (outside.length > MAX_OUTSIDE_INPUTS) {
    const { place } = references.find(({ text }) => text === outside[MAX_OUTSIDE_INPUTS])!;
    rejectInput(root, [[place, `exceeds the limit of ${MAX_OUTSIDE_INPUTS} external URLs`]]);
  }
  return outside.length > 0 ? outside : undefined;
}
