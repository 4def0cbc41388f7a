import type { Hub } from "../../context";
import { findInput } from "./find-input";
import { signLink } from "./sign";

/**
 * The address under which upstream fetches what a file parameter names: a signed link, good until `until`, to a file of
 * the account; an outside address as it is. Throws InputUnavailable.
 */
export async function linkInput(hub: Hub, accountId: number, text: string, until: Date): Promise<string> {
  const file = await findInput(hub, accountId, text);
  return file ? signLink(hub, file.id, until) : text;
}
