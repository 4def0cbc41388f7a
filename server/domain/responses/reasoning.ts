import type { Ctx } from "../../context";
import { decryptByAny, encrypt } from "../../lib/encryption";
import type { ResponsesHub } from "./hub";

/** Tells our ciphertexts from those of providers. */
const PREFIX = "hub1.";

type Owner = Pick<Ctx<ResponsesHub>, "hub" | "account">;

const ownerOf = ({ account }: Owner) => `reasoning ${account.id}`;

/** Returns whether the hub has encrypted this reasoning. */
export const isSealed = (content: unknown): boolean => typeof content === "string" && content.startsWith(PREFIX);

/** Encrypts a model's reasoning for a client that sends it back; only the same account can use it. */
export const sealReasoning = (ctx: Owner, text: string): string =>
  PREFIX + encrypt(ctx.hub.services.responseKeys[0]!, ownerOf(ctx), text).toString("base64url");

/** Returns reasoning that the hub has encrypted for the account; null for any other, such as a provider's. */
export function openReasoning(ctx: Owner, content: unknown): string | null {
  if (typeof content !== "string" || !isSealed(content)) return null;
  try {
    const encrypted = Buffer.from(content.slice(PREFIX.length), "base64url");
    return decryptByAny(ctx.hub.services.responseKeys, ownerOf(ctx), encrypted);
  } catch {
    return null;
  }
}
