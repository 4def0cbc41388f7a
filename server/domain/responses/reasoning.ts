import { decodeBase64Url } from "../../lib/base64url";
import { decryptToken, encrypt } from "../../lib/encryption";
import { newReencryption, reencrypt } from "../../lib/reencryption";
import type { ResponsesHub } from "./hub";

/** Distinguishes the hub's ciphertexts from those of providers. */
const PREFIX = "hub1.";

interface Owner {
  hub: Pick<ResponsesHub, "services">;
  account: { id: number };
}

const ownerOf = ({ account }: Owner) => `reasoning ${account.id}`;

/** Returns whether the hub has encrypted this reasoning. */
export const isSealed = (content: unknown): boolean => typeof content === "string" && content.startsWith(PREFIX);

/** Encrypts a model's reasoning for a client that sends it back; only the same account can use it. */
export const sealReasoning = (ctx: Owner, text: string): string =>
  PREFIX + encrypt(ctx.hub.services.responseKeys[0]!, ownerOf(ctx), text).toString("base64url");

/** Returns reasoning that the hub has encrypted for the account; null for any other, such as a provider's. */
export function openReasoning(ctx: Owner, content: unknown): string | null {
  if (typeof content !== "string" || !isSealed(content)) return null;
  return decryptToken(ctx.hub.services.responseKeys, ownerOf(ctx), content.slice(PREFIX.length));
}

/** Returns JSON in which the account's reasoning is encrypted with the newest key. */
export const resealReasoning = (owner: Owner, json: string): string =>
  json.replace(/"(hub1\.[\w-]+)"/g, (quoted, sealed: string) => {
    const encrypted = decodeBase64Url(sealed.slice(PREFIX.length));
    const renewed =
      encrypted && reencrypt(newReencryption(), owner.hub.services.responseKeys, ownerOf(owner), encrypted);
    return renewed === null ? quoted : JSON.stringify(PREFIX + renewed.toString("base64url"));
  });
