import { inflateRawSync } from "node:zlib";
import { measureValue } from "@/server/catalogue/measure-value";
import { MAX_LINK_INPUT_LENGTH } from "./encode-input";

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;

/** Returns the input of a shared link; an empty one for a parameter that `encodeInput` cannot have made. */
export function decodeInput(text: string | null): Record<string, unknown> {
  if (text === null || text.length > MAX_LINK_INPUT_LENGTH) return {};
  try {
    const json = inflateRawSync(Buffer.from(text, "base64url"), { maxOutputLength: MAX_BYTES }).toString();
    const value: unknown = JSON.parse(json);
    const isInput = typeof value === "object" && value !== null && !Array.isArray(value);
    return isInput && measureValue(value, Infinity, MAX_DEPTH).depth <= MAX_DEPTH ? { ...value } : {};
  } catch {
    return {};
  }
}
