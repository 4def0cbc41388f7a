import type { Hub } from "../../context";
import type { InputCopies } from "../inputs/input-copy";
import { linkInput } from "../files/link-input";

/**
 * Returns the input with a signed link, good until `until`, in place of every file of the account that it names by
 * address or hash, and of every outside address that was copied. Throws InputUnavailable when one is not there. Other
 * texts stay as they are.
 */
export async function linkFiles<T>(
  hub: Hub,
  accountId: number,
  value: T,
  until: Date,
  copies?: InputCopies,
): Promise<T> {
  const link = async (inner: unknown): Promise<unknown> => {
    if (typeof inner === "string") return linkInput(hub, accountId, inner, until, copies);
    if (Array.isArray(inner)) return Promise.all(inner.map(link));
    if (typeof inner !== "object" || inner === null) return inner;
    const members = Object.entries(inner).map(async ([name, member]) => [name, await link(member)] as const);
    return Object.fromEntries(await Promise.all(members));
  };
  return (await link(value)) as T;
}
