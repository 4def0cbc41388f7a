import { yieldOnce } from "../lib/yield-once";
import type { ProviderOutput } from "./job";

/** Returns an output whose content is at hand. */
export const outputOf = (content: Uint8Array, mediaType: string | null): ProviderOutput => ({
  mediaType,
  read: (store) => store(yieldOnce(content)),
});
