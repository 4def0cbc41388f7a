import { THOUGHT_SIGNATURE } from "../../providers/chat-call";

/** Separates the id of a call from the signature after it. */
const MARK = "_hubsig_";
/** A longer signature is left out: the id appears twice for each call in the client's requests. */
const MAX_SIGNATURE_LENGTH = 16 * 1024;

/**
 * Returns the id by which a client of another dialect knows a call. Gemini rejects its calls without their signatures, and such
 * clients keep only the id, the name and the arguments of a call, so its id brings the signature back.
 */
export function toClientCallId(id: string, signature: string | null): string {
  if (signature === null || signature.length > MAX_SIGNATURE_LENGTH) return id;
  const bytes = Buffer.from(signature, "base64");
  // Only canonical Base64 survives the round trip; the URL-safe alphabet has no characters that Anthropic rejects in an id.
  return bytes.toString("base64") === signature ? `${id}${MARK}${bytes.toString("base64url")}` : id;
}

/** Returns the model's own id of a call, with the signature that the client's id contained. */
export function parseClientCallId(clientId: string): { id: string; [THOUGHT_SIGNATURE]?: string } {
  const end = clientId.lastIndexOf(MARK);
  if (end === -1) return { id: clientId };
  const signature = Buffer.from(clientId.slice(end + MARK.length), "base64url").toString("base64");
  return { id: clientId.slice(0, end), [THOUGHT_SIGNATURE]: signature };
}
