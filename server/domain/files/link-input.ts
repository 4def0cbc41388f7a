import type { Hub } from "../../context";
import type { InputCopies } from "../inputs/input-copy";
import { findInput } from "./find-input";
import { signLink } from "./signed-url";

/**
 * Returns the address under which upstream fetches what a file parameter names: a signed link, good until `until`, to a
 * file of the account, or to the copy of an outside address; another one as it is. Throws InputUnavailable.
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
