import type { Hub } from "../../context";
import type { InputCopies } from "./input-copy";
import { findInput } from "./find-input";
import { signLink } from "./signed-url";

/**
 * Returns the URL from which a provider can fetch a file parameter: a signed link, valid until `until`, for a file of the
 * account or a copy of an external input; other URLs unchanged. Throws InputUnavailable.
 */
export async function linkInput(
  hub: Hub,
  accountId: number,
  text: string,
  until: Date,
  copies?: InputCopies,
): Promise<string> {
  const file = copies?.get(text) ?? (await findInput(hub, accountId, text));
  return file ? signLink(hub, file.id, until) : text;
}
