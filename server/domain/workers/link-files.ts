import type { Hub } from "../../context";
import type { InputCopies } from "../files/input-copy";
import { linkInput } from "../files/link-input";

/**
 * Returns the input with a signed link, valid until `until`, in place of every reference to a file of the account and every
 * copied external URL. Other strings stay unchanged. Throws InputUnavailable when a file does not exist.
 */
export async function linkFiles<T>(
  hub: Hub,
  accountId: number,
  value: T,
  until: Date,
  copies?: InputCopies,
): Promise<T> {
  const link = async (node: unknown): Promise<unknown> => {
    if (typeof node === "string") return linkInput(hub, accountId, node, until, copies);
    if (Array.isArray(node)) return Promise.all(node.map(link));
    if (typeof node !== "object" || node === null) return node;
    const members = Object.entries(node).map(async ([name, member]) => [name, await link(member)] as const);
    return Object.fromEntries(await Promise.all(members));
  };
  return (await link(value)) as T;
}
