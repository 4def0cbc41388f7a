import type { Hub } from "../../context";
import { parseSha256Ref } from "../files/parse-sha256-ref";
import { parseOwnFileUrl } from "../files/parse-own-file-url";
import { rejectInput, type Root } from "../models/reject-input";
import type { FileReference } from "../supply/file-references";

const MAX_OUTSIDE_INPUTS = 100;

/** Returns the outside addresses among the file parameters of an input, each once. */
export const findOutsideInputs = (hub: Hub, named: FileReference[]): string[] => [
  ...new Set(
    named
      .map(({ text }) => text)
      .filter((text) => parseSha256Ref(text) === null && parseOwnFileUrl(hub, text) === null),
  ),
];

/** Returns the same for an input that arrives, undefined when there are none; throws 400 `invalid_input` for too many. */
export function checkOutsideInputs(hub: Hub, named: FileReference[], root: Root = "input"): string[] | undefined {
  const outside = findOutsideInputs(hub, named);
  if (outside.length > MAX_OUTSIDE_INPUTS) {
    const { place } = named.find(({ text }) => text === outside[MAX_OUTSIDE_INPUTS])!;
    rejectInput(root, [[place, `is one outside address too many: at most ${MAX_OUTSIDE_INPUTS} are fetched`]]);
  }
  return outside.length > 0 ? outside : undefined;
}
